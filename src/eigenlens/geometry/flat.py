"""Flatness: do the rows fill the subspace they span, or are they a curved sheet in it?

    surrogate   a mixture of independent numbers with the spectrum and the distributions of the
                rows (`surrogate.py`): same number of rows, no curvature, flat by construction
    ratio       geometric mean over ranks 8 to 64 of dimension(rows) / dimension(surrogates)
    smallest    the same over ranks 1 to 4: some sheets are so wound that only they show it
    largest     the same between an eighth and a quarter of the rows: in much noise only they do

Neighbors see too few dimensions in any cloud of many; they see as few in the surrogate, so the
ratio is free of that. Why not compare the dimension with the rank? rank >= dimension always, equal
for flat data; but noise lifts the rank, and the estimate is low, so equality can neither be seen
nor would it suffice.

Cost     at most 2000 rows, sampled; their neighbors and those of five surrogates: a second or two.
Differs  from a test: uniform clouds deviate significantly but by little. The grades are sizes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.geometry.curve import neighbors_wanted, ranks_for, sampling_error
from eigenlens.geometry.dimension import choose_anchors, report_of_neighbors
from eigenlens.geometry.distinct_rows import DistinctRows
from eigenlens.geometry.gride import gride
from eigenlens.geometry.linear_rank import LinearRank, measure_linear_rank
from eigenlens.geometry.neighbors import Neighbors, NumberedRows, nearest_rows
from eigenlens.geometry.report import DimensionReport
from eigenlens.geometry.surrogate import make_surrogates

__all__ = ["judge_flatness"]

MAX_ROWS = 2000
ENTRIES = 1 << 25
SURROGATES = 5
LARGE_RANKS = (8, 16, 32, 64)
SMALL_RANKS = (1, 2, 4)
GROUPED = 1.1
# n rows span n - 1 dimensions of any wider space, and fill all of them: only the leading components
# can be told from a flat cloud.
ROWS_PER_COMPONENT, LEAST_COMPARED = 10, 3
FAR = 8  # the largest scale: from this part of the rows to twice it
FAR_ANCHORS = 500
# (flat from, curved up to). Set on the sets of benchmarks/flatness.py that are not held out.
CUT, SMALL_CUT = (0.94, 0.88), (0.90, 0.85)


@dataclass(frozen=True)
class SurrogateRatio:
    value: float
    error: float
    cut: tuple[float, float]


@dataclass(frozen=True)
class SurrogateRatios:
    ratio: SurrogateRatio
    smallest: SurrogateRatio
    largest: SurrogateRatio
    components: int  # how many were compared

    @property
    def grade(self) -> str:
        """Curved only beyond doubt: twice the error must not lift a ratio into the flat."""
        every = (self.ratio, self.smallest, self.largest)
        if any(one.value <= one.cut[1] and one.value + 2 * one.error < one.cut[0] for one in every):
            return "curved"
        return "flat" if all(one.value >= one.cut[0] for one in every) else "mild"

    @property
    def least(self) -> float:
        return min(self.ratio.value, self.smallest.value, self.largest.value)


def judge_flatness(view: DistinctRows, rng: np.random.Generator) -> Verdict:
    most = max(200, min(MAX_ROWS, ENTRIES // view.source.shape[1]))
    rows = view.sample(choose_anchors(view.distinct, most, rng)).rows
    linear = measure_linear_rank(rows, view.source.dtype)
    scores = linear.scores[:, : max(LEAST_COMPARED, len(rows) // ROWS_PER_COMPONENT)]
    own = neighbors_within(scores)
    surrogates = make_surrogates(scores)
    drawn = [surrogates.draw(rng) for _ in range(SURROGATES)]
    seen = report_of_neighbors(own, (view.source.shape[0], linear.rank), view.reach)
    return flatness_verdict(linear, seen, surrogate_ratios(scores, own, drawn), view.reach)


def surrogate_ratios(
    scores: Float64Array, own: Neighbors, drawn: Sequence[Float64Array]
) -> SurrogateRatios:
    others = [neighbors_within(one) for one in drawn]
    there = ranks_for(own.n_rows)
    # Where rows are few, the largest scale there is stands for the larger ones.
    large = [rank for rank in LARGE_RANKS if rank in there] or list(there[-1:])
    small = [rank for rank in SMALL_RANKS if rank in there]
    far = max(1, own.n_rows // FAR)
    afar = [far_neighbors(one, far) for one in (scores, *drawn)]
    return SurrogateRatios(
        compare_dimensions(own, others, large, CUT),
        compare_dimensions(own, others, small, SMALL_CUT),
        compare_dimensions(afar[0], afar[1:], [far], CUT),
        scores.shape[1],
    )


def neighbors_within(rows: Float64Array) -> Neighbors:
    numbered = NumberedRows(np.arange(len(rows)), rows)
    found = nearest_rows(numbered, [numbered], neighbors_wanted(len(rows)))
    return Neighbors(found.distances[found.distances[:, 0] > 0], found.n_rows)


def far_neighbors(rows: Float64Array, rank: int) -> Neighbors:
    """Neighbors up to 2 rank of some rows."""
    numbered = NumberedRows(np.arange(len(rows)), rows)
    some = np.arange(0, len(rows), max(1, len(rows) // FAR_ANCHORS))
    return nearest_rows(NumberedRows(some, rows[some]), [numbered], 2 * rank)


def compare_dimensions(
    own: Neighbors, others: Sequence[Neighbors], ranks: Sequence[int], cut: tuple[float, float]
) -> SurrogateRatio:
    """The geometric mean over these ranks."""
    logs = [
        np.log(dimensions_at_ranks(own, ranks)) - np.log(dimensions_at_ranks(one, ranks))
        for one in others
    ]
    value = float(np.exp(np.mean(logs)))
    errors = [relative_error(own, rank) for rank in ranks]
    return SurrogateRatio(value, value * float(np.mean(errors)) * (1 + 1 / len(others)) ** 0.5, cut)


def dimensions_at_ranks(neighbors: Neighbors, ranks: Sequence[int]) -> Float64Array:
    return np.array([gride(neighbors.log_ratios(rank), rank).value for rank in ranks])


def relative_error(neighbors: Neighbors, rank: int) -> float:
    found = gride(neighbors.log_ratios(rank), rank)
    anchors = len(neighbors.distances)
    return sampling_error(found.error, rank, anchors, neighbors.n_rows) / found.value


# -- the verdict -----------------------------------------------------------------------------


def flatness_verdict(
    linear: LinearRank, seen: DimensionReport, ratios: SurrogateRatios, unit: float
) -> Verdict:
    floor = linear.floor * unit * unit  # in the units of the data, where a number can hold it
    evidence = {
        "rank": linear.rank,
        "noise_floor": floor if math.isfinite(floor) else None,
        "energy_rank": linear.energy_rank,
        "dimension": seen.estimate,
        "dimension_error": seen.error,
        "ratio": ratios.ratio.value,
        "ratio_error": ratios.ratio.error,
        "smallest_scale_ratio": ratios.smallest.value,
        "smallest_scale_error": ratios.smallest.error,
        "largest_scale_ratio": ratios.largest.value,
        "largest_scale_error": ratios.largest.error,
        "rows": len(linear.scores),
        "components_compared": ratios.components,
        "surrogates": SURROGATES,
    }
    return Verdict(ratios.grade, "surrogate", flatness_sentence(linear, seen, ratios), evidence)


def flatness_sentence(linear: LinearRank, seen: DimensionReport, ratios: SurrogateRatios) -> str:
    shown = freedom = "?" if seen.estimate is None else f"{seen.estimate:.3g}"
    grade, ratio = ratios.grade, ratios.ratio.value
    compare = f"{ratios.least:.2f} of what a flat cloud with the same spectrum shows"
    if ratios.components < linear.rank:
        shown += f" along the {ratios.components} leading components that were compared"
    teach = (
        f"rank {linear.rank} >= intrinsic dimension {shown}: equality is necessary for flat rows, "
        f"not sufficient"
    )
    if grade == "flat" and ratio > GROUPED:
        return (
            f"neighbors see {ratio:.2f} times what a flat cloud with the same spectrum shows, as "
            f"in separate groups, none of them curved: a flat subspace suits these rows ({teach})"
        )
    if grade == "flat":
        return (
            f"neighbors see as many dimensions as in a flat cloud with the same spectrum "
            f"({ratio:.2f} of them), so a flat subspace suits these rows ({teach})"
        )
    if grade == "mild":
        return (
            f"neighbors see {compare}: slightly curved, or shaped by edges; a flat subspace spends "
            f"some components on that ({teach})"
        )
    return (
        f"neighbors see {compare}: about {freedom} degrees of freedom curved within a span of "
        f"{linear.rank} ({teach}); a nonlinear method could do with fewer components: try "
        f"eigenlens.KernelPCA or an autoencoder"
    )
