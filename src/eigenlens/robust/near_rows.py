"""Rows that may change sides while a plane moves a little: only these are measured again.

With distances of all rows from one plane, w within it and o from it, those from another one obey

    |o' - o| <= turn o + lift w + shift        |w' - w| <= stretch w + tilt o + slide

by the triangle inequality. Rows whose distances stay on one side of the median, of the median
deviation and of both limits, by however much these may move too, need not be measured: what the
limits are and which rows are within them follows from the others, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.robust.plane import (
    Plane,
    limit_from_median,
    limit_of_scores,
    rounding_limit,
)
from eigenlens.sources.protocol import Source

__all__ = ["MeasuredRows"]

FEW = 0.3  # share of rows, up to which only these are measured again
MOST_BYTES = 256 << 20  # of the rows that are kept from plane to plane
SOME = 4096  # rows that soon say whether they are many
SLACK = 1.1
FURTHER = 1.5  # than the first change: how far later ones may go
ROUNDED = 1e-9  # of the distances of typical rows
ABOVE_ROUNDING = 10.0

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PlaneChange:
    """By how much distances of rows differ at most: factors of o, of w, and of one."""

    turn: float
    lift: float
    shift: float
    stretch: float
    tilt: float
    slide: float

    @classmethod
    def between(cls, old: Plane, new: Plane) -> PlaneChange:
        across = new.basis.T @ old.basis
        step = new.center - old.center
        deviations, scaled = np.sqrt(old.floored_variances), 1.0 / np.sqrt(new.floored_variances)
        away = new.basis - old.basis @ across.T
        sizes = np.linalg.svd(scaled[:, None] * across * deviations, compute_uv=False)
        within = new.basis.T @ step
        return cls(
            turn=float(np.linalg.norm(away, 2)) ** 2,
            lift=float(np.linalg.norm((old.basis - new.basis @ across) * deviations, 2)),
            shift=float(np.linalg.norm(step - new.basis @ within)) + ROUNDED * old.size,
            stretch=float(np.abs(sizes - 1.0).max()),
            tilt=float(np.linalg.norm(away * scaled, 2)),
            slide=float(np.linalg.norm(scaled * within)) + ROUNDED,
        )

    def allow_further(self) -> PlaneChange:
        return PlaneChange(*(FURTHER * number for number in vars(self).values()))

    def is_within(self, other: PlaneChange) -> bool:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return all(one <= most for one, most in pairs)


@dataclass(frozen=True, eq=False)
class NearRows:
    """Rows at `places`, that may change sides; the others are `kept` or not as they are.

    Of the others, so many lie below the median, and below the median deviation from it.
    """

    reach: PlaneChange
    places: npt.NDArray[np.intp]
    rows: Float64Array
    kept: BoolArray
    below_median: int
    below_spread: int

    def judge(self, plane: Plane) -> tuple[BoolArray, float]:
        within, off = plane.distances(self.rows)
        powers = np.cbrt(np.square(off))
        middle = self.median_of(powers, self.below_median)
        spread = self.median_of(np.abs(powers - middle), self.below_spread)
        limit = limit_from_median(middle, spread, plane)
        kept = self.kept.copy()
        kept[self.places] = (within <= limit_of_scores(plane.rank)) & (off <= limit)
        return kept, limit

    def median_of(self, numbers: Float64Array, below: int) -> float:
        """Of all rows, so many of which lie below these."""
        places = [place - below for place in middle_places(len(self.kept))]
        ordered = np.partition(numbers, places)
        return float(ordered[places].mean())


@dataclass(eq=False)
class MeasuredRows:
    """Distances of all rows from one plane; `spread`: median and deviation of their power 2/3."""

    source: Source
    plane: Plane
    within: Float64Array
    off: Float64Array
    spread: tuple[float, float]
    near: NearRows | None = None

    def judge(self, plane: Plane) -> tuple[BoolArray, float] | None:
        """Rows within the limits of another plane, and its distance limit; None where it is far."""
        if plane.units is not self.plane.units:
            return None
        change = PlaneChange.between(self.plane, plane)
        if self.near is None or not change.is_within(self.near.reach):
            self.near = self.find_near(change.allow_further())
        return None if self.near is None else self.near.judge(plane)

    def find_near(self, reach: PlaneChange) -> NearRows | None:
        """Rows that may change sides while planes differ by no more; None where many may."""
        count, score_limit = len(self.off), limit_of_scores(self.plane.rank)
        middle, deviation = self.spread
        usual = middle**1.5
        # Of a usual row, and what that is in the power 2/3; the median may move as far itself.
        margin = reach.turn * usual + reach.lift * np.sqrt(self.plane.rank) + reach.shift
        some = self.off[:: max(1, count // SOME)]
        if np.count_nonzero(np.abs(some - usual) <= 2 * margin) > FEW * len(some):
            return None
        margins = reach.turn * self.off + reach.lift * self.within + reach.shift
        low, high = np.maximum(self.off - margins, 0.0), self.off + margins
        median = bound_median(low, high, usual, margin)
        near = (high >= median[0]) & (low <= median[1])
        low_power, high_power = np.cbrt(np.square(low)), np.cbrt(np.square(high))
        first, last = np.cbrt(np.square(np.maximum(median, 0.0)))
        least = np.maximum(np.maximum(low_power - last, first - high_power), 0.0)
        most = np.maximum(high_power - first, last - low_power)
        spread = bound_median(least, most, deviation, float(last - first))
        limits = [
            limit_from_median(*pair, self.plane) for pair in zip((first, last), spread, strict=True)
        ]
        if limits[0] <= ABOVE_ROUNDING * rounding_limit(self.plane):
            return None
        below_spread = most < spread[0]
        near |= ~below_spread & (least <= spread[1])
        near |= (high >= limits[0]) & (low <= limits[1])
        margins = reach.stretch * self.within + reach.tilt * self.off + reach.slide
        near |= np.abs(self.within - score_limit) <= margins
        places = np.flatnonzero(near)
        if len(places) > FEW * count or 8 * len(places) * self.source.shape[1] > MOST_BYTES:
            return None
        return NearRows(
            reach,
            places,
            np.asarray(self.source.sample(places), dtype=np.float64),
            (self.within <= score_limit) & (self.off <= limits[1]),
            int(np.count_nonzero((high < median[0]) & ~near)),
            int(np.count_nonzero(below_spread & ~near)),
        )


def middle_places(count: int) -> tuple[int, int]:
    return (count - 1) // 2, count // 2


def bound_median(
    low: Float64Array, high: Float64Array, middle: float, margin: float
) -> tuple[float, float]:
    """Between what the median of numbers lies that lie between these; about `middle`, mostly."""
    first, last = middle_places(len(low))
    bounds = middle - SLACK * margin, middle + SLACK * margin
    above = np.count_nonzero(low < bounds[0]) <= first
    if above and np.count_nonzero(high <= bounds[1]) > last:
        return bounds
    return float(np.partition(low, first)[first]), float(np.partition(high, last)[last])
