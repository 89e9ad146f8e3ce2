"""DimensionReport: the intrinsic dimension, its error, the curve it rests on, and why.

intrinsic dimension 2.01 ± 0.04, from neighbors 4 to 64
rank  distance  dimension  error ...
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from eigenlens.document.table import Table
from eigenlens.geometry.curve import DimensionScale

__all__ = ["DimensionReport"]

LINE_LENGTH = 100


@dataclass(frozen=True)
class DimensionReport:
    """How many dimensions the rows fill, as their neighbors see it.

    Attributes
    ----------
    value : the dimension, or None where the curve has no plateau.
    error : its standard error, or None with it. Approximate: 95 % intervals miss the dimension of
        even and normal clouds in 3 to 6 % of tables of 1000 rows, of exponential ones in 9 %, of
        normal planes with deviations 1 and 0.3 in 54 %, of densities with poles in 46 %
        (benchmarks/results/calibration.md).
    estimate : the dimension over the flattest stretch of the curve, plateau or not; None only
        where every scale shows the grid that the rows are rounded to.
    scales : the curve, one `DimensionScale` per neighbor rank.
    used : the ranks that `estimate` rests on.
    n_rows, n_distinct, n_anchors : all rows, those that differ, those whose neighbors were found.
    reason : what was found, in a sentence.
    """

    value: float | None
    error: float | None
    estimate: float | None
    scales: tuple[DimensionScale, ...]
    used: tuple[int, ...]
    n_rows: int
    n_distinct: int
    n_anchors: int
    reason: str

    def table(self) -> Table:
        """The curve: one line per scale."""
        return Table(
            {
                "rank": [one.rank for one in self.scales],
                "distance": [one.distance for one in self.scales],
                "dimension": [one.dimension for one in self.scales],
                "error": [one.error for one in self.scales],
                "uncorrected": [one.raw for one in self.scales],
                "likelihood": [one.likelihood for one in self.scales],
                "used": [one.rank in self.used for one in self.scales],
            }
        )

    @property
    def headline(self) -> str:
        if self.value is None:
            return "intrinsic dimension: no single number"
        return f"intrinsic dimension {self.value:.3g} ± {self.error:.2g}"

    def __str__(self) -> str:
        counted = (
            f"Neighbors of {self.n_anchors} anchors among {self.n_distinct} distinct rows of "
            f"{self.n_rows}; the dimension is that between the neighbors of rank k and 2k, set "
            f"right by what flat clouds with as many rows show. Likelihood is Levina and Bickel's "
            f"estimate from 2k neighbors, uncorrected. The error is approximate: 95 % intervals "
            f"miss 3 to 9 % of clouds of equal deviations, and half of some others."
        )
        parts = [self.headline, str(self.table()), *map(wrap_lines, (self.reason, counted))]
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        return f"DimensionReport({self.headline}, {len(self.scales)} scales)"


def wrap_lines(words: str) -> str:
    return textwrap.fill(words[:1].upper() + words[1:], LINE_LENGTH)
