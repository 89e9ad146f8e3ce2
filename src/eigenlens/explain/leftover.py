"""leftover: what is known of the eigenvalues that a model leaves out, which Q is made of.

    first, second, third = sums of l, l^2, l^3 over the population's eigenvalues l left out

A sample tells `first` by the trace, on m = n-1-k degrees of freedom: fitting took the rest. The
sums of squares and cubes of its eigenvalues are too large, and corrected as for a Wishart matrix:

    second = m^2 / ((m-1)(m+2))  [S2 - S1^2 / m]
    third  = m^4 / ((m-1)(m-2)(m+2)(m+4))  [S3 - 3 S1 S2 / m + 2 S1^3 / m^2]

scatter   the fit formed the matrix and kept it: S2, S3 of the matrix less its components
rows      else, if rows of the fit are given: of the inner products of their residuals, which have
          the same eigenvalues; of at most 2000 rows
next      else: the next eigenvalue is certified and the sum is known, so as if they fell by equal
          ratios from the one to the other

Only "next" rests on an assumption. Where they fall otherwise, limits are off by some percent; where
the certificate bounds the next eigenvalue only loosely, they are too high and flag too few rows.
Source   Box 1954; Fisher, Sun and Gallagher 2010 for the corrections.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.explain.distances import residuals_of_some
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = ["LAWS", "Leftover", "has_q_limit", "leftover_of", "nothing_left", "unbiased"]

LAWS = ("moments", "jackson-mudholkar")
EPS = float(np.finfo(np.float64).eps)
SHARP = 1e-9  # a matrix tells the variance left out only where that is no smaller a part of it
HALVINGS = 60


@dataclass(frozen=True)
class Leftover:
    """The eigenvalues left out, of the population: what Q is made of.

    `freedom`: degrees of freedom that each was estimated with; `known_from`: see above.
    """

    first: float
    second: float
    third: float
    freedom: float
    known_from: str

    @property
    def directions(self) -> float:
        """How many equal eigenvalues would spread Q alike."""
        return self.first**2 / self.second

    def limit(self, level: float, law: str = LAWS[0]) -> float:
        """What the share `level` of rows stays below, before the factor for old or new rows."""
        power = self.power if law == "jackson-mudholkar" else 0.0
        return self.jackson_mudholkar(level, power) if power > 0 else self.matched(level)

    @property
    def power(self) -> float:
        return 1 - 2 * self.first * self.third / (3 * self.second**2)

    def matched(self, level: float) -> float:
        from scipy.special import fdtri

        return self.first * float(fdtri(self.directions, self.directions * self.freedom, level))

    def jackson_mudholkar(self, level: float, power: float) -> float:
        from scipy.special import ndtri

        spread = float(ndtri(level)) * np.sqrt(2 * self.second) * power / self.first
        shift = self.second * power * (power - 1) / self.first**2
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


def leftover_of(model: Subspace, rows: Source | None = None) -> Leftover | None:
    """The best that can be known of the eigenvalues left out, or None where nothing can."""
    divisor = model.proof.facts.divisor
    freedom = divisor - model.n_components
    if not has_q_limit(model):
        return None
    # Fitting took its share of the noise: what is left is of `freedom` rows, not of `divisor`.
    first = (model.total_variance - float(model.eigenvalues.sum())) * divisor / freedom
    sums = from_scatter(model, freedom)
    if sums is not None:
        found = Leftover(first, *sums, freedom, "scatter")
    elif rows is not None:
        found = Leftover(first, *from_rows(first, model, rows, freedom), freedom, "rows")
    else:
        found = Leftover(first, *from_next(first, model, freedom), freedom, "next")
    return within_reason(found, model.n_features - model.n_components)


def from_scatter(model: Subspace, freedom: float) -> tuple[float, float] | None:
    """Sums of squares and cubes, as if the sample had told them without bias."""
    scatter, divisor = model.moments.scatter, model.proof.facts.divisor
    rest = model.total_variance - float(model.eigenvalues.sum())
    if scatter is None or rest <= SHARP * model.total_variance:
        return None
    # Of the residuals: a mean that was not taken out of the rows is in here as well.
    matrix = model.moments.second_moment(model.mean is not None) / divisor
    if model.scale is not None:
        matrix = matrix / np.outer(model.scale, model.scale)
    matrix = matrix - (model.components.T * model.eigenvalues) @ model.components
    matrix *= divisor / freedom
    first = rest * divisor / freedom
    second, third = float((matrix**2).sum()), float(((matrix @ matrix) * matrix).sum())
    return unbiased(first, second, third, freedom)


def unbiased(first: float, second: float, third: float, m: float) -> tuple[float, float]:
    """Sums of squares and cubes of the population's eigenvalues, from a Wishart sample's."""
    squares = m**2 / ((m - 1) * (m + 2)) * (second - first**2 / m)
    share = m**4 / ((m - 1) * (m - 2) * (m + 2) * (m + 4))
    cubes = share * (third - 3 * first * second / m + 2 * first**3 / m**2)
    return squares, cubes


def from_rows(first: float, model: Subspace, rows: Source, freedom: float) -> tuple[float, float]:
    """The same from inner products: those of rows have the eigenvalues that those of columns have.

    The sum is known already, with the weights of the fit; rows tell how it is spread.
    """
    residuals = residuals_of_some(model, rows)
    products = residuals @ residuals.T
    products *= first / float(np.trace(products))
    second, third = float((products**2).sum()), float(((products @ products) * products).sum())
    return unbiased(
        first, second, third, freedom if len(products) == model.n_rows else len(products)
    )


def within_reason(found: Leftover, directions: int) -> Leftover:
    """Sums that eigenvalues can have: at most one of them, at least all of them equal."""
    first = found.first
    second = float(np.clip(found.second, first**2 / directions, first**2))
    third = float(np.clip(found.third, second**2 / first, second**1.5))
    return replace(found, second=second, third=third)


def from_next(first: float, model: Subspace, freedom: float) -> tuple[float, float]:
    """Sums of a sequence that falls by equal ratios, from the next eigenvalue down to their sum."""
    facts = model.proof.facts
    rest = model.total_variance - float(model.eigenvalues.sum())
    roof = max(float(model.proof.ceilings.values[-1]), 0.0) * facts.unit**2
    held = float(model.eigenvalues[-1]) if model.n_components else rest
    count = max(facts.most_components - model.n_components, 1)
    largest = float(np.clip(min(roof, held), rest / count, rest))
    values = falling(largest, rest, count) * (first / rest)
    return unbiased(first, float((values**2).sum()), float((values**3).sum()), freedom)


def falling(largest: float, total: float, count: int) -> Float64Array:
    """`count` values that fall by equal ratios from about `largest` and sum to `total`."""
    steps, low, high = np.arange(count), 0.0, 1.0
    for _ in range(HALVINGS):
        ratio = (low + high) / 2
        low, high = (ratio, high) if largest * (ratio**steps).sum() < total else (low, ratio)
    values = high ** steps.astype(np.float64)
    return np.asarray(values * (total / values.sum()))
