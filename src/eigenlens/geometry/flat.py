"""Flatness: do the rows fill the subspace they span, or are they a curved sheet in it?

    surrogate   a cloud with the spectrum and the number of the rows that is flat (`surrogate.py`):
                a mixture of independent numbers; the rows themselves with some noise; shares of a
                total whose parts are independent, where the rows are shares
    ratio       geometric mean over ranks 8 to 64 of dimension(rows) / dimension(surrogates)
    smallest    the same over ranks 1 to 4: some sheets are so wound that only they show it
    largest     the same between an eighth and a quarter of the rows: in much noise only they do

Neighbors see too few dimensions in any cloud of many; they see as few in the surrogate, so the
ratio is free of that. Each ratio is the largest of those to these kinds of surrogate: rows are
called curved only where none explains them. Mixtures have edges and corners of their own; noise
keeps those of the rows (simplices, skewed laws) but blurs a density that has poles.

rank and dimension   rank >= dimension always. Rows of one dimension throughout that fill as many as
                     they span are a piece of their span: flat. But noise lifts the rank, and the
                     estimate is low for many dimensions, so equality is rarely seen where it holds.
Not claimed          rows that crowd onto the faces of a flat set are a folded sheet to their
                     neighbors and may be called curved, unless they are shares of a total.

Cost     at most 2000 rows, sampled; their neighbors and those of five surrogates, and of at most 14
         more where these do not make the rows flat: some seconds.
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
from eigenlens.geometry.surrogate import (
    add_local_noise,
    add_noise,
    are_shares,
    make_surrogates,
    permute_parts,
)

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
# Noise added to the rows, in their deviations; the smallest scales see noise of this share of the
# distance to this neighbor. Set on benchmarks/flatness.py and on simplices.
NOISE, FAR_NOISE, LOCAL_NOISE, NOISE_NEIGHBOR = 0.3, 0.3, 0.4, 8
NOISY = 3
ALMOST_EQUAL = 0.05  # of the rank
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
    numbers = choose_anchors(view.distinct, most, rng)
    rows = view.sample(numbers).rows
    linear = measure_linear_rank(rows, view.source.dtype)
    scores = linear.scores[:, : max(LEAST_COMPARED, len(rows) // ROWS_PER_COMPONENT)]
    own = neighbors_within(scores)
    surrogates = make_surrogates(scores)
    drawn = [surrogates.draw(rng) for _ in range(SURROGATES)]
    ratios = surrogate_ratios(scores, own, drawn)
    if ratios.grade != "flat":
        ratios = larger_ratios(ratios, noise_ratios(scores, own, rng))
    if ratios.grade != "flat":
        shares = np.asarray(view.source.sample(numbers), dtype=np.float64)
        if are_shares(shares):
            parts = [view.ready(permute_parts(shares, rng)) for _ in range(SURROGATES)]
            others = [scores_along(rows, scores, one) for one in parts]
            ratios = larger_ratios(ratios, surrogate_ratios(scores, own, others))
    seen = report_of_neighbors(own, (view.source.shape[0], linear.rank), view.reach)
    return flatness_verdict(linear, seen, ratios, view.reach)


def surrogate_ratios(
    scores: Float64Array, own: Neighbors, drawn: Sequence[Float64Array]
) -> SurrogateRatios:
    """Against the same surrogates at every scale."""
    return ratios_at_scales(scores, own, drawn, drawn, drawn)


def noise_ratios(scores: Float64Array, own: Neighbors, rng: np.random.Generator) -> SurrogateRatios:
    """Against the rows with noise; its size goes with the scale that is looked at."""
    near = min(NOISE_NEIGHBOR, len(scores) - 1)
    return ratios_at_scales(
        scores,
        own,
        [add_noise(scores, NOISE, rng) for _ in range(NOISY)],
        [add_local_noise(scores, LOCAL_NOISE, near, rng) for _ in range(NOISY)],
        [add_noise(scores, FAR_NOISE, rng) for _ in range(NOISY)],
    )


def ratios_at_scales(
    scores: Float64Array,
    own: Neighbors,
    for_large: Sequence[Float64Array],
    for_small: Sequence[Float64Array],
    for_far: Sequence[Float64Array],
) -> SurrogateRatios:
    there = ranks_for(own.n_rows)
    # Where rows are few, the largest scale there is stands for the larger ones.
    large = [rank for rank in LARGE_RANKS if rank in there] or list(there[-1:])
    small = [rank for rank in SMALL_RANKS if rank in there]
    far = max(1, own.n_rows // FAR)
    at_large = [neighbors_within(one) for one in for_large]
    at_small = at_large if for_small is for_large else [neighbors_within(one) for one in for_small]
    return SurrogateRatios(
        compare_dimensions(own, at_large, large, CUT),
        compare_dimensions(own, at_small, small, SMALL_CUT),
        compare_dimensions(
            far_neighbors(scores, far), [far_neighbors(one, far) for one in for_far], [far], CUT
        ),
        scores.shape[1],
    )


def scores_along(rows: Float64Array, scores: Float64Array, others: Float64Array) -> Float64Array:
    """Scores of other rows along the components that gave `rows` their `scores`."""
    mean = rows.mean(axis=0)
    components = (rows - mean).T @ scores / np.square(scores).sum(axis=0)
    found: Float64Array = (others - mean) @ components
    return found


def larger_ratios(one: SurrogateRatios, two: SurrogateRatios) -> SurrogateRatios:
    """The better flat explanation at each scale."""

    def larger(first: SurrogateRatio, second: SurrogateRatio) -> SurrogateRatio:
        return first if first.value >= second.value else second

    return SurrogateRatios(
        larger(one.ratio, two.ratio),
        larger(one.smallest, two.smallest),
        larger(one.largest, two.largest),
        one.components,
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
    freedom = "?" if seen.estimate is None else f"{seen.estimate:.3g}"
    grade, ratio = ratios.grade, ratios.ratio.value
    compare = f"{ratios.least:.2f} of what a flat cloud with the same spectrum shows"
    ranks = rank_sentence(linear, seen, ratios)
    if grade == "flat" and ratio > GROUPED:
        return (
            f"neighbors see {ratio:.2f} times what a flat cloud with the same spectrum shows, as "
            f"in separate groups, none of them curved: a flat subspace suits these rows ({ranks})"
        )
    if grade == "flat":
        return (
            f"neighbors see as many dimensions as in a flat cloud with the same spectrum "
            f"({ratio:.2f} of them), so a flat subspace suits these rows ({ranks})"
        )
    if grade == "mild":
        return (
            f"neighbors see {compare}: slightly curved, or shaped by edges; a flat subspace spends "
            f"some components on that ({ranks})"
        )
    return (
        f"neighbors see {compare}: about {freedom} degrees of freedom curved within a span of "
        f"{linear.rank} ({ranks}); a nonlinear method could do with fewer components: try "
        f"eigenlens.KernelPCA or an autoencoder"
    )


def rank_sentence(linear: LinearRank, seen: DimensionReport, ratios: SurrogateRatios) -> str:
    """What the comparison of rank and intrinsic dimension says, if it says anything."""
    shown = "?" if seen.estimate is None else f"{seen.estimate:.3g}"
    part = ratios.components < linear.rank
    if part:
        shown += f" along the {ratios.components} leading components that were compared"
    missing = np.inf if seen.estimate is None else linear.rank - seen.estimate
    doubt = max(2 * (seen.error or 0.0), ALMOST_EQUAL * linear.rank)
    if missing <= doubt and not part:
        return (
            f"rank {linear.rank} = intrinsic dimension {shown} within its error: rows that fill as "
            f"many dimensions as they span are a flat piece of that span"
        )
    if ratios.grade == "curved":
        return f"rank {linear.rank} > intrinsic dimension {shown}: the rows do not fill their span"
    return (
        f"rank {linear.rank} > intrinsic dimension {shown}: noise raises the rank and many "
        f"dimensions read low, so comparing the two decides nothing here"
    )
