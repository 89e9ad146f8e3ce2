"""Landmark mode: the table of what landmarks see of every row, and exactly what they do not.

    pass 1   a sample of rows, all of them where they are few: landmarks are chosen among them
    pass 2   features phi(x) of every row: mean, scatter, and the sum of k(x, x) - |phi(x)|^2

The scatter matrix of features, (m, m), is solved like that of any other table. Nothing of size n is
kept: memory is O(m^2), beside the sample and a few tiles of rows.

Cost     n m kernel values and 2 n m^2 flops in pass 2, a sixth of it or less in pass 1.
Source   Williams and Seeger 2001; centered in the space of features, as new points are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.running import RunningMoments
from eigenlens.algebra.scatter import WholeScatter
from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.document.verdict import Verdict
from eigenlens.errors import KernelError, MemoryBudgetError
from eigenlens.kernel.features import Landmarks, landmarks_of
from eigenlens.kernel.pivots import NEGATIVE, GrowingFactor, Pivots, take_landmarks
from eigenlens.kernel.points import Points, points_at, read_tiles
from eigenlens.kernel.protocol import Kernel, KernelValues
from eigenlens.machine.tile_threads import map_in_threads
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Source

__all__ = [
    "ChosenLandmarks",
    "FeatureMoments",
    "LandmarkPlan",
    "choose_landmarks",
    "max_landmarks",
    "measure_features",
    "plan_landmarks",
]

SAMPLE = 20_000  # rows to choose landmarks among
PER_LANDMARK = 10  # of them for every landmark, at least
TILE_BYTES = 8 << 20
FEWEST, MOST = 64, 4096  # rows of a tile
CHECKED_ROWS = 1000
SPARE = 32 << 20  # what reading, and arithmetic on small things, takes


@dataclass(frozen=True)
class LandmarkPlan:
    """How many landmarks at least and at most, among how many rows, and in how many threads."""

    least: int
    most: int
    sample: int
    rows_per_tile: int
    hands: int


def plan_landmarks(
    asked: tuple[int, int], shape: tuple[int, int], budget: int, hands: int
) -> LandmarkPlan:
    """What fits the budget: fewer threads first, then a smaller sample; else an error.

    `shape`: how many rows, and how many numbers one of them holds.
    """
    n, d = shape
    fewest, most = asked[0], min(asked[1], n)
    sample = min(n, max(SAMPLE, PER_LANDMARK * most))
    rows = rows_per_tile(most, shape)
    while hands > 1 and bytes_for_landmarks(most, d, sample, rows, hands) > budget:
        hands -= 1
    least = min(n, 2 * most)
    while sample > least and bytes_for_landmarks(most, d, sample, rows, hands) > budget:
        sample = max(sample // 2, least)
    if bytes_for_landmarks(most, d, sample, rows, hands) > budget:
        least_bytes = bytes_for_landmarks(most, d, sample, rows, hands)
        raise MemoryBudgetError.landmarks(most, least_bytes, budget, max_landmarks(budget, shape))
    return LandmarkPlan(fewest, most, sample, rows, hands)


def rows_per_tile(m: int, shape: tuple[int, int]) -> int:
    """So many that neither they nor what landmarks see of them leaves the cache."""
    n, d = shape
    return min(max(TILE_BYTES // (8 * max(m, d, 1)), FEWEST), MOST, n)


def bytes_for_landmarks(m: int, d: int, sample: int, rows: int, hands: int) -> int:
    """Bytes: first a sample and its factor, later tiles and scatter matrices."""
    growing = sample * (m + 2 * d + 2 * 128)
    passing = hands * (4 * rows * (m + d) + 2 * m * m) + 6 * m * m
    return 8 * max(growing, passing) + SPARE


def max_landmarks(budget: int, shape: tuple[int, int]) -> int:
    """The most landmarks that fit; 0 where not even one does."""
    n, d = shape
    low, high = 0, n
    while low < high:
        middle = (low + high + 1) // 2
        fits = (
            bytes_for_landmarks(middle, d, min(n, 2 * middle), rows_per_tile(middle, shape), 1)
            <= budget
        )
        low, high = (middle, high) if fits else (low, middle - 1)
    return low


@dataclass(frozen=True)
class ChosenLandmarks:
    """What pass 1 has found: landmarks, their rows as they lie in the data, and why so many."""

    landmarks: Landmarks
    rows: Any
    verdict: Verdict
    exhausted: bool  # they see everything there is, to rounding
    some: Points  # some rows from all over, unshifted, for whoever wants to learn from them


def choose_landmarks(
    kernel: Kernel,
    source: Source,
    shift: Float64Array | None,
    plan: LandmarkPlan,
    rule: Pivots,
    tolerance: float,
    rng: np.random.Generator,
) -> ChosenLandmarks:
    """Pass 1."""
    n = source.shape[0]
    numbers: IntArray = np.arange(n)
    if plan.sample < n:
        numbers = np.sort(rng.choice(n, plan.sample, replace=False))
    raw = points_at(source, numbers, None)
    sample = raw if shift is None else Points(raw.rows - shift, numbers)
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isfinite(raw.rows.data if raw.is_sparse else raw.rows).all():
            raise locate_not_finite(source, KernelError.values_not_finite(kernel.name))
        growing = GrowingFactor(kernel, sample, plan.most, plan.hands)
    if not np.isfinite(growing.trace):
        raise locate_not_finite(source, KernelError.values_not_finite(kernel.name))
    take_landmarks(growing, rule, tolerance, rng, plan.least)
    landmarks = landmarks_of(kernel, sample.part(np.array(growing.taken, dtype=np.intp)))
    places = np.searchsorted(numbers, landmarks.points.numbers)
    verdict = landmark_verdict(growing, rule, len(landmarks), tolerance, n)
    few = np.unique(np.linspace(0, len(raw) - 1, min(len(raw), CHECKED_ROWS)).astype(np.intp))
    return ChosenLandmarks(landmarks, raw.rows[places], verdict, growing.exhausted, raw.part(few))


def landmark_verdict(
    growing: GrowingFactor, rule: Pivots, count: int, tolerance: float, n: int
) -> Verdict:
    among = f"of {len(growing.points)} rows" + (
        f" drawn from {n}" if len(growing.points) < n else ""
    )
    unseen = growing.unseen
    share = f"{unseen:.2%}" if unseen >= 1e-4 else f"{unseen:.1e}"
    if growing.exhausted:
        why = f"they see everything there is {among}, to rounding"
    elif growing.count < growing.most:
        why = f"they leave {share} of the variance {among} unseen, of {tolerance:g} allowed"
    else:
        why = f"as many as were allowed; {share} of the variance {among} is unseen"
    return Verdict(count, rule.name, why, {"unseen": unseen, "rows": len(growing.points)})


@dataclass(frozen=True)
class FeatureMoments:
    """What pass 2 has found: moments of features, and traces of the kernel matrix."""

    features: RunningMoments[WholeScatter]
    trace: float
    unseen: float  # the trace of what the landmarks leave, as it was summed
    size: float  # k(x, x), at most
    longest: float  # |x|^2, at most

    def rounding(self, landmarks: Landmarks) -> float:
        """By how much floating point may have moved a trace, in the units of the kernel matrix.

        What is seen of x is k(x, S) c, where c combines landmarks: a rounding of k(S, x) enters
        with c, one of k(S, S) and of its factor with c twice. Where x lies among the landmarks c
        is about 1 long; where they must be combined to reach far, it is longer.
        """
        reach = max(landmarks.reach(self.features.moments.second_moment(centered=False)), 0.0)
        own = float(np.square(landmarks.lower).sum(axis=1).max(initial=0.0))
        across = 2 * np.sqrt(own) * np.sqrt(self.trace) * np.sqrt(reach)  # 1e150 is no limit
        within = (1 + np.sqrt(len(landmarks))) * own * reach
        relative = EPS * landmarks.kernel.roundings(self.longest, landmarks.points.width)
        return float(relative * (across + within + self.trace))


def measure_features(
    landmarks: Landmarks, source: Source, shift: Float64Array | None, plan: LandmarkPlan
) -> FeatureMoments:
    """Pass 2."""
    total = RunningMoments(WholeScatter(len(landmarks)))
    trace = unseen = size = longest = 0.0
    look = TileFeatures(landmarks, landmarks.see, landmarks.inverses)
    for seen in map_in_threads(look, read_tiles(source, plan.rows_per_tile, shift), plan.hands):
        total.merge(seen.features)
        trace, unseen = trace + seen.trace, unseen + seen.unseen
        size, longest = max(size, seen.size), max(longest, seen.longest)
    if not np.isfinite(trace + float(total.kept.squares.sum())):
        raise locate_not_finite(source, KernelError.values_not_finite(landmarks.kernel.name))
    return FeatureMoments(total, trace, max(unseen, 0.0), size, longest)


@dataclass(frozen=True)
class TileFeatures:
    """What landmarks see of a tile of rows."""

    landmarks: Landmarks
    # Worked out once, before threads would do it all at the same time.
    see: KernelValues
    inverses: list[Float64Array]

    def __call__(self, points: Points) -> FeatureMoments:
        features = self.landmarks.features(points)
        own = self.landmarks.kernel.diagonal(points)
        left = own - np.einsum("ij,ij->i", features, features)
        seen = RunningMoments(WholeScatter(len(self.landmarks)))
        seen.add(features)
        size = float(own.max())
        worst = int(np.argmin(left))
        if left[worst] < -NEGATIVE * size:
            row, missing = int(points.numbers[worst]), float(left[worst])
            raise KernelError.not_semidefinite(self.landmarks.kernel.name, row, missing, size)
        return FeatureMoments(
            seen, float(own.sum()), float(left.sum()), size, float(points.lengths.max(initial=0.0))
        )
