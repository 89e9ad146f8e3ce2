"""A plane through rows, the distances of rows from it and within it, and their limits.

    score distance        sqrt(sum of t_i^2 / variance_i)       97.5 % limit: chi-square with k
    orthogonal distance   |x - x^|                              97.5 % limit: its power 2/3 is
                                                                nearly normal (Wilson and Hilferty)

Variances of rows that were cut off at the limit are too small; they are made consistent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = [
    "Plane",
    "consistency",
    "divide_by_units",
    "find_spread",
    "fit_plane_to",
    "limit_from_median",
    "limit_of_scores",
    "mad_limit",
    "rounding_limit",
]

LIMIT_LEVEL = 0.975
NORMAL_975 = 1.959963984540054
MAD = 1.482602218505602
ROUNDING = 1e-7  # of a typical length: orthogonal distances below are rounding


@dataclass(frozen=True, eq=False)
class Plane:
    """Of rows divided by `units`: `center` (d,), orthonormal `basis` (d, k), `variances` (k,)."""

    center: Float64Array
    basis: Float64Array
    variances: Float64Array
    units: Float64Array | None = None
    rest: float = 1.0  # variance off the plane

    @property
    def rank(self) -> int:
        return len(self.variances)

    @property
    def size(self) -> float:
        """Of a typical row."""
        return float(np.sqrt(self.variances.sum() + self.rest))

    @property
    def floored_variances(self) -> Float64Array:
        """Above rounding, to divide by."""
        floor = np.finfo(float).eps * self.variances.max(initial=0.0)
        return np.maximum(self.variances, max(floor, 1e-300))

    def leading(self, share: float) -> Plane:
        """The fewest components that hold `share` of the variance."""
        total = self.variances.sum() + self.rest
        count = int(np.searchsorted(np.cumsum(self.variances), share * total)) + 1
        count = min(count, self.rank)
        rest = self.rest + float(self.variances[count:].sum())
        return replace(
            self, basis=self.basis[:, :count], variances=self.variances[:count], rest=rest
        )

    def with_scatter(
        self, center: Float64Array, scatter: Float64Array, lengths: Float64Array
    ) -> Plane:
        """The same plane with center and scatter as found in it, by its squared distances."""
        from scipy.special import chdtri

        factor = float(np.median(lengths)) / float(chdtri(self.rank, 0.5))
        values, axes = np.linalg.eigh(scatter * max(factor, np.finfo(float).tiny))
        return replace(
            self,
            center=self.center + self.basis @ center,
            basis=self.basis @ axes[:, ::-1],
            variances=values[::-1],
        )

    def distances(self, rows: Float64Array) -> tuple[Float64Array, Float64Array]:
        """Score distance and orthogonal distance of each row, given in the units of the data."""
        apart = divide_by_units(rows, self.units) - self.center
        return self.divide_lengths(apart @ self.basis, np.vecdot(apart, apart))

    def divide_lengths(
        self, scores: Float64Array, lengths: Float64Array
    ) -> tuple[Float64Array, Float64Array]:
        """The same from scores and squared distances from the center."""
        off = lengths - np.vecdot(scores, scores)
        within = np.square(scores) @ (1.0 / self.floored_variances)
        return np.sqrt(within), np.sqrt(np.maximum(off, 0.0))


def limit_of_scores(rank: int) -> float:
    from scipy.special import chdtri  # a sixth of a second to load: only for robust fits

    return float(np.sqrt(chdtri(rank, 1 - LIMIT_LEVEL)))


def mad_limit(distances: Float64Array, plane: Plane) -> float:
    """Of orthogonal distances, from the median and the median deviation of their power 2/3."""
    return limit_from_median(*find_spread(distances), plane)


def find_spread(distances: Float64Array) -> tuple[float, float]:
    """Median and median deviation of their power 2/3."""
    powers = np.cbrt(np.square(distances))
    middle = find_median(powers)
    return middle, find_median(np.abs(powers - middle))


def limit_from_median(middle: float, spread: float, plane: Plane) -> float:
    """By median and median deviation of the distances' power 2/3."""
    return max(float((middle + NORMAL_975 * MAD * spread) ** 1.5), rounding_limit(plane))


def rounding_limit(plane: Plane) -> float:
    return ROUNDING * plane.size


def find_median(numbers: Float64Array) -> float:
    """Without numpy's look for numbers that are none, which takes as long again."""
    low, high = (len(numbers) - 1) // 2, len(numbers) // 2
    ordered = np.partition(numbers, [low, high])
    return float(ordered[low] + ordered[high]) / 2


def consistency(rank: int) -> float:
    """What variances within the limit are multiplied by to be those of all normal rows."""
    from scipy.special import chdtr, chdtri

    return LIMIT_LEVEL / float(chdtr(rank + 2, chdtri(rank, 1 - LIMIT_LEVEL)))


def fit_plane_to(rows: Float64Array, rank: int) -> Plane:
    """The leading components of rows; variances as they are."""
    center = rows.mean(axis=0)
    _, sizes, vectors = np.linalg.svd(rows - center, full_matrices=False)
    values = np.square(sizes) / max(len(rows) - 1, 1)
    return Plane(center, vectors[:rank].T, values[:rank], None, float(values[rank:].sum()))


def divide_by_units(rows: Float64Array, units: Float64Array | None) -> Float64Array:
    return rows if units is None else rows / units
