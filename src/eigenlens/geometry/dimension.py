"""Intrinsic dimension: from a source of rows to a report, in two passes.

1. Survey: ranges, repeated rows, numbers that are not finite (`survey.py`).
2. Search: the neighbors of at most 4000 anchors among all distinct rows (`neighbors.py`).

Then the curve (`curve.py`) and its plateau (`plateau.py`). Only the anchors, their neighbors'
distances and 8 bytes per row are kept, so rows on disk stay there.
"""

from __future__ import annotations

from numbers import Integral

import numpy as np

from eigenlens.algebra.typing import IntArray
from eigenlens.errors import DataError, OptionError
from eigenlens.geometry.curve import DimensionScale, dimension_curve, neighbors_wanted
from eigenlens.geometry.distinct_rows import MIN_DISTINCT_ROWS, DistinctRows
from eigenlens.geometry.neighbors import Neighbors, nearest_rows
from eigenlens.geometry.plateau import Plateau, find_plateau, widen_error
from eigenlens.geometry.report import DimensionReport

__all__ = ["ANCHORS", "distances_in", "estimate_dimension", "report_of_neighbors"]

ANCHORS = 4000
MOST_DIFFERENCES = 1 << 30  # entries of anchors x neighbors x columns: fewer anchors for wide rows


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
