"""Intrinsic dimension: from a source of rows to a report, in two passes.

1. Survey: ranges, repeated rows, numbers that are not finite (`survey.py`).
2. Search: the neighbors of at most 4000 anchors among all distinct rows (`neighbors.py`).

Then the curve (`curve.py`) and its plateau (`plateau.py`). Only the anchors, their neighbors'
distances and 8 bytes per row are kept, so rows on disk stay there.

Plateau: the stretch of scales over which the dimension does not change.

The longest run of scales whose straight line through log dimension over log rank rises or falls by
no more than twice its standard error, or by 5 %, whichever is larger; of equally long ones the
flattest. A run above a smaller scale is none: noise adds dimensions at small distances, but nothing
takes any away there, so what rises is a curved sheet, or several windings, seen from afar.

Runs have three scales, or two where no three are level and the next larger scale is not lower. If
none are, the flattest three stand in, and when these change by more than a tenth there is no
plateau: no single number is given.

The plateau's own error knows even and normal clouds only. The one that is told is wider by half of
what the curve falls after the plateau, as it does where densities crowd unevenly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from eigenlens.algebra.typing import IntArray
from eigenlens.errors import DataError, OptionError
from eigenlens.geometry.curve import DimensionScale, dimension_curve, neighbors_wanted
from eigenlens.geometry.distinct_rows import MIN_DISTINCT_ROWS, DistinctRows
from eigenlens.geometry.neighbors import Neighbors, nearest_rows
from eigenlens.geometry.report import DimensionReport

__all__ = [
    "ANCHORS",
    "Plateau",
    "distances_in",
    "estimate_dimension",
    "find_plateau",
    "report_of_neighbors",
    "widen_error",
]

ANCHORS = 4000
MOST_DIFFERENCES = 1 << 30  # entries of anchors x neighbors x columns: fewer anchors for wide rows
SHORTEST = 3
DRIFT = 0.05
FORMULA = 0.004
BROKEN = 0.10  # the flattest run changes by more than this share: there is no plateau


def estimate_dimension(
    view: DistinctRows, rng: np.random.Generator, anchors: int = ANCHORS
) -> DimensionReport:
    """The report of all distinct rows, as seen from `anchors` of them."""
    neighbors = distances_in(view, rng, anchors)
    return report_of_neighbors(neighbors, view.source.shape, view.reach)


def distances_in(view: DistinctRows, rng: np.random.Generator, anchors: int) -> Neighbors:
    if not isinstance(anchors, Integral) or anchors < MIN_DISTINCT_ROWS:
        raise OptionError.not_whole("anchors", anchors, MIN_DISTINCT_ROWS)
    count = neighbors_wanted(view.n_rows)
    most = max(200, MOST_DIFFERENCES // (count * view.source.shape[1]))
    numbers = choose_anchors(view.distinct, min(anchors, most), rng)
    found = nearest_rows(view.sample(numbers), view.blocks(), count)
    # Rows that differ by less than the square root of the smallest number: as good as equal.
    apart = found.distances[:, 0] > 0
    if apart.sum() < 2:
        raise DataError.mostly_repeated(view.source.shape[0], int(apart.sum()))
    return Neighbors(found.distances[apart], found.n_rows)


def choose_anchors(numbers: IntArray, most: int, rng: np.random.Generator) -> IntArray:
    if len(numbers) <= most:
        return numbers
    picked: IntArray = np.sort(rng.choice(numbers, most, replace=False))
    return picked


def report_of_neighbors(
    neighbors: Neighbors, shape: tuple[int, int], unit: float
) -> DimensionReport:
    scales = dimension_curve(neighbors, unit)
    plateau = find_plateau(scales)
    estimate = None if plateau is None else min(plateau.dimension, float(shape[1]))
    sure = plateau is not None and not plateau.broken
    error = None if plateau is None else widen_error(plateau, scales)
    return DimensionReport(
        value=estimate if sure else None,
        error=error if sure else None,
        estimate=estimate,
        scales=scales,
        used=() if plateau is None else tuple(one.rank for one in plateau.scales),
        n_rows=shape[0],
        n_distinct=neighbors.n_rows,
        n_anchors=len(neighbors.distances),
        reason=dimension_reason(scales, plateau, estimate, neighbors.n_rows),
    )


def dimension_reason(
    scales: tuple[DimensionScale, ...], plateau: Plateau | None, estimate: float | None, rows: int
) -> str:
    if plateau is None or estimate is None:
        return (
            "distances repeat at every scale: the rows are rounded to a grid, and neighbors see "
            "the grid instead of the dimension; pass numbers with more digits"
        )
    near, far = plateau.scales[0], plateau.scales[-1]
    where = f"neighbors {near.rank} to {2 * far.rank}, distances up to {far.distance:.3g}"
    if plateau.broken:
        return (
            f"no plateau: the dimension changes from {near.dimension:.3g} to {far.dimension:.3g} "
            f"even over the flattest stretch ({where}), so no single number is given; read the "
            f"curve: large values at small distances are noise, growth with the distance is "
            f"curvature or separate groups"
        )
    error = widen_error(plateau, scales)
    words = f"the dimension is {estimate:.3g} ± {error:.2g} over a plateau, {where}"
    if estimate > rows - 1:
        words += f"; {rows} rows span at most {rows - 1}, so read it as many, not as a number"
    first, last = scales[0], scales[-1]
    if len(scales) < 3:
        return f"{words}; there are too few rows to see more scales than these"
    if near.rank > first.rank and first.dimension > near.dimension + 2 * near.error:
        words += f"; at smaller distances {first.dimension:.3g} are seen, as noise would show"
    if far.rank < last.rank and last.dimension > far.dimension + 2 * far.error:
        words += f"; at larger distances {last.dimension:.3g}, as windings or curvature would show"
    if far.rank < last.rank and last.dimension < far.dimension - 2 * far.error:
        words += (
            f"; at larger distances only {last.dimension:.3g}: either the rows crowd unevenly, or "
            f"the plateau is noise and fewer dimensions lie beneath it"
        )
    return words


@dataclass(frozen=True)
class Plateau:
    scales: tuple[DimensionScale, ...]
    drift: float  # by what share the dimension changes from its first scale to its last
    holds: bool

    @property
    def broken(self) -> bool:
        return not self.holds and abs(self.drift) > BROKEN

    @property
    def dimension(self) -> float:
        return float(np.average([one.dimension for one in self.scales], weights=self.weights))

    @property
    def error(self) -> float:
        """Sampling errors of the scales are independent, ignorance of the shape is common to all.

        In an even density the ratio r[4k] / r[2k] says nothing about r[2k] / r[k]. What the clouds
        are expected to show is itself known to some tenths of a percent only.
        """
        weights = np.array(self.weights) / np.sum(self.weights)
        sampling = np.sqrt(np.sum(np.square(weights * [one.sampling for one in self.scales])))
        shape = np.hypot(weights @ [one.shape for one in self.scales], FORMULA * self.dimension)
        return float(np.hypot(sampling, shape))

    @property
    def weights(self) -> list[float]:
        return [1 / max(one.error, 1e-12) ** 2 for one in self.scales]


def widen_error(plateau: Plateau, scales: Sequence[DimensionScale]) -> float:
    """The standard error to tell: a curve that falls shows that the density is not even.

    A curve that rises after the plateau is a bent sheet seen from afar, and says nothing about it.
    """
    after = [one for one in scales if one.rank > plateau.scales[-1].rank and not one.tied]
    lowest = min((one.dimension for one in after), default=plateau.dimension)
    clear = any(is_clearly_below(one, plateau) for one in after)
    fall = (plateau.dimension - lowest) / 2 if clear else 0.0
    return float(np.hypot(plateau.error, fall))


def find_plateau(scales: Sequence[DimensionScale]) -> Plateau | None:
    """None where no scale is usable, or a single one of several: the others show a grid."""
    usable = [one for one in scales if not one.tied and np.isfinite(one.dimension)]
    if not usable or (len(usable) == 1 and len(scales) > 1):
        return None
    shortest = min(SHORTEST, len(usable))
    runs = list(steady_runs(usable, shortest))
    level = [one for one in runs if one.holds]
    if not level and len(usable) > 2:
        level = [one for one in steady_runs(usable, 2, steady=True) if one.holds]
    if level:
        longest = max(len(one.scales) for one in level)
        alike = [one for one in level if len(one.scales) == longest]
        return min(alike, key=lambda one: abs(one.drift))
    # The run that begins at the smallest scale has nothing below it: there is always one.
    short = [one for one in runs if len(one.scales) == shortest]
    return min(short, key=lambda one: abs(one.drift))


def steady_runs(
    usable: list[DimensionScale], shortest: int, steady: bool = False
) -> Iterator[Plateau]:
    """Runs that do not lie above a smaller scale; if `steady`, nor above the next larger one.

    Noise adds dimensions at small distances, but nothing takes any away there: a run above is what
    a sheet looks like from afar. Two scales on a falling curve are on their way down.
    """
    for start in range(len(usable)):
        for stop in range(start + shortest, len(usable) + 1):
            run = plateau_of_run(usable[start:stop])
            others = usable[:start] + (usable[stop : stop + 1] if steady else [])
            if not any(is_clearly_below(one, run) for one in others):
                yield run


def is_clearly_below(scale: DimensionScale, run: Plateau) -> bool:
    return scale.dimension + 2 * float(np.hypot(scale.error, run.error)) < run.dimension


def plateau_of_run(scales: Sequence[DimensionScale]) -> Plateau:
    drift, error = 0.0, 0.0
    if len(scales) > 1:
        x = np.log2([one.rank for one in scales])
        y = np.log([one.dimension for one in scales])
        sigma = np.array([one.error / one.dimension for one in scales])
        weights = 1 / np.maximum(sigma, 1e-12) ** 2
        middle = np.average(x, weights=weights)
        spread = float(np.sum(weights * (x - middle) ** 2))
        slope = float(np.sum(weights * (x - middle) * y)) / spread
        length = float(x[-1] - x[0])
        drift, error = slope * length, length / spread**0.5
    return Plateau(tuple(scales), drift, abs(drift) <= max(2 * error, DRIFT))
