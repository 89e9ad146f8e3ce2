"""leftover: what is known of the eigenvalues that a model leaves out, which Q is made of.

    first                 sum of the population's eigenvalues l left out
    second, third         sums of l^2 and l^3, as shares of first^2 and first^3

A sample tells `first` by the trace, on m = n-1-k degrees of freedom: fitting took the rest. The
sums of squares and cubes of its eigenvalues, S2 and S3 where they sum to 1, are too large, and
corrected as for a Wishart matrix:

    second = m^2 / ((m-1)(m+2))  [S2 - 1 / m]
    third  = m^4 / ((m-1)(m-2)(m+2)(m+4))  [S3 - 3 S2 / m + 2 / m^2]

spectrum  the search saw all eigenvalues, or their matrix, and noted its power sums: what the
          components leave of them
scatter   the fit formed the matrix and kept it: S2, S3 of the matrix less its components
rows      else, if rows of the fit are given: of the inner products of their residuals, which have
          the same eigenvalues; of at most 2000 rows
next      else: the next eigenvalue is certified and the sum is known, so as if they fell by equal
          ratios from the one to the other

Only "next" rests on an assumption; solvers that iterate know no better. Where eigenvalues fall
otherwise, limits are off by some percent; where the certificate bounds the next eigenvalue only
loosely, they are too high and flag too few rows.
Source   Box 1954; Fisher, Sun and Gallagher 2010 for the corrections.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array
from eigenlens.explain.distances import residuals_of_some
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = [
    "LAWS",
    "LeftOutSpectrum",
    "estimate_left_out",
    "has_q_limit",
    "nothing_left",
    "unbias_power_sums",
]

LAWS = ("moments", "jackson-mudholkar")
TINY = float(np.finfo(np.float64).tiny)
SHARP = 1e-9  # sums tell what is left out only where that is no smaller a part of them
HALVINGS = 60

# Shares of squares and cubes; those of cubes may not be known.
PowerSums = tuple[float, float | None]


@dataclass(frozen=True)
class LeftOutSpectrum:
    """The eigenvalues left out, of the population: what Q is made of.

    `second`, `third`: shares of first^2 and first^3, the latter None where not known; `freedom`:
    degrees of freedom that each was estimated with; `known_from`: see above.
    """

    first: float
    second: float
    third: float | None
    freedom: float
    known_from: str

    @property
    def directions(self) -> float:
        """How many equal eigenvalues would spread Q alike."""
        return 1 / self.second

    def limit(self, level: float, law: str = LAWS[0]) -> float:
        """What the share `level` of rows stays below, before the factor for old or new rows."""
        power = self.power if law == "jackson-mudholkar" else 0.0
        return self.jackson_mudholkar(level, power) if power > 0 else self.matched(level)

    @property
    def power(self) -> float:
        """Of Jackson and Mudholkar's law; 0 or less where it has none."""
        return 0.0 if self.third is None else 1 - 2 * self.third / (3 * self.second**2)

    def matched(self, level: float) -> float:
        from scipy.special import fdtri

        return self.first * float(fdtri(self.directions, self.directions * self.freedom, level))

    def jackson_mudholkar(self, level: float, power: float) -> float:
        from scipy.special import ndtri

        spread = float(ndtri(level)) * np.sqrt(2 * self.second) * power
        shift = self.second * power * (power - 1)
        return float(self.first * max(spread + 1 + shift, 0.0) ** (1 / power))


def nothing_left(model: Subspace) -> bool:
    """Whether all the variance there is lies in the subspace, but for rounding."""
    facts = model.proof.facts
    rest = 1 - float(model.eigenvalues.sum()) / model.total_variance
    whole = model.n_components >= facts.most_components
    return whole or rest <= 2 * facts.roundoff + facts.size * EPS


def has_q_limit(model: Subspace) -> bool:
    """Whether variance is left out, and rows enough are left to know it by."""
    return not nothing_left(model) and model.proof.facts.divisor - model.n_components > 2


def estimate_left_out(model: Subspace, rows: Source | None = None) -> LeftOutSpectrum | None:
    """The best that can be known of the eigenvalues left out, or None where nothing can."""
    divisor = model.proof.facts.divisor
    freedom = divisor - model.n_components
    if not has_q_limit(model):
        return None
    # Fitting took its share of the noise: what is left is of `freedom` rows, not of `divisor`.
    first = (model.total_variance - float(model.eigenvalues.sum())) * divisor / freedom
    sums, known_from = best_sums(model, rows, freedom)
    second, third = clip_power_sums(sums, model.n_features - model.n_components)
    return LeftOutSpectrum(first, second, third, freedom, known_from)


def best_sums(model: Subspace, rows: Source | None, freedom: float) -> tuple[PowerSums, str]:
    """The first that is known, in the order of exactness; and where from."""
    noted = sums_from_spectrum(model)
    if noted is not None and noted[1] is not None:
        return unbias_power_sums(*noted, freedom), "spectrum"
    formed = sums_from_scatter(model)
    if formed is not None:
        return unbias_power_sums(*formed, freedom), "scatter"
    if rows is not None:
        second, third, count = sums_from_rows(model, rows)
        return unbias_power_sums(second, third, freedom if count == model.n_rows else count), "rows"
    if noted is not None:
        return unbias_power_sums(*noted, freedom), "spectrum"
    return unbias_power_sums(*sums_from_next(model), freedom), "next"


def unbias_power_sums(second: float, third: float | None, m: float) -> PowerSums:
    """Sums of squares and cubes of the population's eigenvalues, from a Wishart sample's."""
    squares = m**2 / ((m - 1) * (m + 2)) * (second - 1 / m)
    if third is None:
        return squares, None
    share = m**4 / ((m - 1) * (m - 2) * (m + 2) * (m + 4))
    return squares, share * (third - 3 * second / m + 2 / m**2)


def clip_power_sums(sums: PowerSums, directions: int) -> PowerSums:
    """Sums that eigenvalues can have: at most one of them, at least all of them equal."""
    second = float(np.clip(sums[0], 1 / directions, 1.0))
    if sums[1] is None:
        return second, None
    return second, float(np.clip(sums[1], second**2, second**1.5))


# -- what the sample tells -----------------------------------------------------------------


def sums_from_spectrum(model: Subspace) -> PowerSums | None:
    """What the components leave of the sums over all eigenvalues, if the search noted them."""
    stop = model.choices.get("stop")
    noted = None if stop is None else stop.evidence.get("power_sums")
    if noted is None:
        return None
    shares = model.eigenvalues / model.total_variance
    left = 1 - float(shares.sum())
    parts: list[float | None] = []
    for power, whole in zip((2, 3), noted, strict=True):
        rest = None if whole is None else whole - float((shares**power).sum())
        sharp = rest is not None and rest > SHARP * whole and left > SHARP
        parts.append(rest / left**power if rest is not None and sharp else None)
    return None if parts[0] is None else (parts[0], parts[1])


def sums_from_scatter(model: Subspace) -> tuple[float, float] | None:
    scatter, divisor = model.moments.scatter, model.proof.facts.divisor
    rest = model.total_variance - float(model.eigenvalues.sum())
    if scatter is None or rest <= SHARP * model.total_variance:
        return None
    # Of the residuals: a mean that was not taken out of the rows is in here as well.
    matrix = model.moments.second_moment(model.mean is not None) / divisor
    if model.scale is not None:
        matrix = matrix / np.outer(model.scale, model.scale)
    matrix = matrix - (model.components.T * model.eigenvalues) @ model.components
    return sums_of_matrix(matrix / rest)


def sums_from_rows(model: Subspace, rows: Source) -> tuple[float, float, int]:
    """From inner products: those of rows have the eigenvalues that those of columns have.

    The third number is how many rows were asked.
    """
    residuals = residuals_of_some(model, rows)
    residuals /= max(float(np.abs(residuals).max()), TINY)
    products = residuals @ residuals.T
    return *sums_of_matrix(products / float(np.trace(products))), len(products)


def sums_of_matrix(matrix: Float64Array) -> tuple[float, float]:
    """Sums of squares and of cubes of the eigenvalues of a symmetric matrix."""
    return float(np.vdot(matrix, matrix)), float(np.vdot(matrix @ matrix, matrix))


def sums_from_next(model: Subspace) -> tuple[float, float]:
    """Sums of a sequence that falls by equal ratios, from the next eigenvalue down to their sum."""
    facts = model.proof.facts
    rest = model.total_variance - float(model.eigenvalues.sum())
    roof = max(float(model.proof.ceilings.values[-1]), 0.0) * facts.unit**2
    held = float(model.eigenvalues[-1]) if model.n_components else rest
    count = max(facts.most_components - model.n_components, 1)
    largest = float(np.clip(min(roof, held), rest / count, rest))
    values = geometric_sequence(largest / rest, 1.0, count)
    return float((values**2).sum()), float((values**3).sum())


def geometric_sequence(largest: float, total: float, count: int) -> Float64Array:
    """`count` values that fall by equal ratios from about `largest` and sum to `total`."""
    steps, low, high = np.arange(count), 0.0, 1.0
    for _ in range(HALVINGS):
        ratio = (low + high) / 2
        low, high = (ratio, high) if largest * (ratio**steps).sum() < total else (low, ratio)
    values = high ** steps.astype(np.float64)
    return np.asarray(values * (total / values.sum()))
