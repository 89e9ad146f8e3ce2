"""Spectrum: the part of the eigenvalues a rule may look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["Spectrum", "held_by", "kept"]


@dataclass(frozen=True)
class Spectrum:
    """Leading eigenvalues from below (`values`), the total variance, and how many there can be.

    `leftover` bounds the variance of every direction outside those listed, where that is known,
    and `coupling` is the sum of squares with which the two parts of C are coupled. `ceilings` bound
    the leading eigenvalues from above; `rounding` is the relative error of the total. `rows` is the
    number of rows, or the sum of their weights; `variances` are those of the single columns.
    """

    values: Float64Array
    total: float
    most: int
    rows: float
    columns: int
    centered: bool = True
    variances: Float64Array | None = None
    leftover: float | None = None
    coupling: float = 0.0
    ceilings: Float64Array | None = None
    rounding: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether all the variance is listed: as many values as there can be, and all converged."""
        return len(self.values) >= self.most and self.tail <= self.rounding * self.total

    @property
    def freedom(self) -> float:
        """Degrees of freedom: what sums of squares were divided by."""
        return self.rows - self.centered

    @property
    def smaller(self) -> float:
        """How many eigenvalues noise would fill: the smaller side of the table."""
        return min(self.freedom, self.columns)

    @property
    def aspect(self) -> float:
        """The smaller side of the table over the larger: at most 1."""
        return self.smaller / max(self.freedom, self.columns)

    @property
    def tops(self) -> Float64Array:
        """The leading eigenvalues from above, where that is known."""
        tops = self.values.copy()
        if self.ceilings is not None:
            known = min(len(tops), len(self.ceilings))
            tops[:known] = np.maximum(tops[:known], self.ceilings[:known])
        return tops

    @property
    def tail(self) -> float:
        """The variance of everything not listed."""
        return max(self.total - float(self.values.sum()), 0.0)

    def squares_total(self) -> tuple[float, float]:
        """Bounds on the sum of all squared eigenvalues: exact when all are listed."""
        known = float(np.square(self.values).sum()) + 2 * self.coupling
        if self.complete:
            return known, known
        # The tail is smallest in squares when spread evenly, largest when packed under the roof.
        least = self.tail**2 / self.most
        roof = float(self.values[-1]) if self.leftover is None else self.leftover
        return known + least, known + max(least, self.tail * min(max(roof, 0.0), self.tail))


def held_by(rank: int) -> str:
    """The beginning of a reason: "1 component holds", "12 components hold"."""
    return "1 component holds" if rank == 1 else f"{rank} components hold"


def kept(rank: int) -> str:
    """The beginning of a reason that counts what stands out."""
    if rank == 0:
        return "there may be no structure to find: no component is"
    return "1 component is" if rank == 1 else f"{rank} components are"
