"""Pivots: which rows to take as landmarks, by a Cholesky factor that grows column by column.

    K  ~  F F',   F[:, new] = (K[:, S] - F F[S]') L^-T,   LL' = (K - F F')[S, S]

    rpcholesky  rows drawn with probability proportional to what is left of k(x, x): near the best
                of that rank, and not misled by single rows
    greedy      the row with most left: good on smooth sheets, spent on outliers
    uniform     any row: no better than the data are evenly spread

Cost     m n kernel values and m^2 n flops in blocks; 8 m n bytes, for a sample of n rows.
Source   Chen, Epperly, Tropp and Webber 2025; drawing many at a time without changing the law:
         Epperly, Tropp and Webber 2024 (propose by what is left, accept by what is left now).
Differs  a larger number of landmarks begins with a smaller one: the same rows, in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.errors import KernelError, OptionError
from eigenlens.kernel.points import Points
from eigenlens.kernel.protocol import Kernel
from eigenlens.machine.tile_threads import map_in_threads

__all__ = [
    "NEGATIVE",
    "PIVOT_FLOOR",
    "PIVOT_RULES",
    "GrowingFactor",
    "Pivots",
    "pivot_rule",
    "take_landmarks",
]

PIVOT_FLOOR = 1e-12  # of k(x, x): below, what is left is rounding
FEWEST, MOST = 16, 128  # proposals at a time
CHUNK = 2048  # rows that are worked on together, while they are in cache
NEGATIVE = 1e-6  # of k(x, x): rounding explains no more


class Pivots(Protocol):
    """A rule for landmarks: whom to propose, and whom to take."""

    @property
    def name(self) -> str: ...

    def propose(self, left: Float64Array, count: int, rng: np.random.Generator) -> IntArray:
        """Rows to look at, given what is left of them and how many were taken."""

    def takes(self, now: float, proposed: float, rng: np.random.Generator) -> bool:
        """Whether a row is taken that had `proposed` left when it was, and has `now`."""


@dataclass(frozen=True)
class RandomPivots:
    name = "rpcholesky"

    def propose(self, left: Float64Array, count: int, rng: np.random.Generator) -> IntArray:
        some = min(max(count // 2, FEWEST), MOST)
        return rng.choice(len(left), some, p=left / left.sum())

    def takes(self, now: float, proposed: float, rng: np.random.Generator) -> bool:
        return bool(rng.random() * proposed < now)


@dataclass(frozen=True)
class GreedyPivots:
    name = "greedy"

    def propose(self, left: Float64Array, count: int, rng: np.random.Generator) -> IntArray:
        return np.array([np.argmax(left)])

    def takes(self, now: float, proposed: float, rng: np.random.Generator) -> bool:
        return True


@dataclass(frozen=True)
class UniformPivots:
    name = "uniform"

    def propose(self, left: Float64Array, count: int, rng: np.random.Generator) -> IntArray:
        there = np.flatnonzero(left > 0)
        return rng.choice(there, min(len(there), FEWEST), replace=False)

    def takes(self, now: float, proposed: float, rng: np.random.Generator) -> bool:
        return True


PIVOT_RULES: Mapping[str, Pivots] = {
    rule.name: rule for rule in (RandomPivots(), UniformPivots(), GreedyPivots())
}


def pivot_rule(name: object) -> Pivots:
    if not isinstance(name, str) or name not in PIVOT_RULES:
        raise OptionError.unknown("landmarks", name, PIVOT_RULES)
    return PIVOT_RULES[name]


@dataclass(eq=False)
class GrowingFactor:
    """A partial Cholesky factor of the kernel matrix of `points`; mutable, it grows."""

    kernel: Kernel
    points: Points
    most: int
    hands: int = 1
    taken: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        spans = (slice(start, start + CHUNK) for start in range(0, len(self.points), CHUNK))
        self.parts = [(span, self.points.part(span)) for span in spans]
        self.factor = np.empty((len(self.points), self.most))
        self.left = self.kernel.diagonal(self.points)
        self.size = float(np.abs(self.left).max())
        self.trace = float(self.left.sum())
        self.sums = np.zeros(self.most)
        if np.isfinite(self.trace):
            self.refuse_negative()
            if self.size == 0 and self.kernel.is_psd:  # one point, shifted to the origin
                raise KernelError.nothing_varies(self.kernel.name, len(self.points))
            if self.size == 0:
                raise KernelError.no_lengths(self.kernel.name)

    @property
    def count(self) -> int:
        return len(self.taken)

    @property
    def exhausted(self) -> bool:
        return bool(self.left.max() <= PIVOT_FLOOR * self.size)

    @property
    def unseen(self) -> float:
        """What is left, over all that varies, as far as it is seen."""
        left = float(self.left.sum())
        varying = self.trace - left - float(np.square(self.sums).sum()) / len(self.points)
        return left / (varying + left) if left > 0 else 0.0

    def among(self, rows: IntArray) -> Float64Array:
        """What is left of the kernel between these rows."""
        some = self.points.part(rows)
        known = self.factor[rows, : self.count]
        values = self.kernel.against(some)(some) - known @ known.T
        np.fill_diagonal(values, self.left[rows])
        return values

    def take(self, rows: IntArray, lower: Float64Array) -> None:
        """Make these rows pivots, in their order; `lower` factors what is left between them."""
        known, new = self.count, self.count + len(rows)
        see = self.kernel.against(self.points.part(rows))
        before = self.factor[rows, :known].T
        inverse = np.linalg.inv(lower).T

        def extend(part: tuple[slice, Points]) -> Float64Array:
            span, points = part
            columns = see(points)
            columns -= self.factor[span, :known] @ before
            fresh = columns @ inverse
            self.factor[span, known:new] = fresh
            self.left[span] -= np.einsum("ij,ij->i", fresh, fresh)
            return np.asarray(fresh.sum(axis=0))

        for sums in map_in_threads(extend, self.parts, self.hands):
            self.sums[known:new] += sums
        self.left[rows] = 0.0
        self.taken.extend(rows.tolist())
        self.refuse_negative()
        self.left[self.left <= PIVOT_FLOOR * self.size] = 0.0

    def refuse_negative(self) -> None:
        """Squared distances below zero, beyond rounding: the kernel is no inner product."""
        worst = int(np.argmin(self.left))
        if np.isnan(self.left[worst]):
            raise KernelError.values_not_finite(self.kernel.name)
        if not self.left[worst] >= -NEGATIVE * self.size:
            number, left = int(self.points.numbers[worst]), float(self.left[worst])
            raise KernelError.not_semidefinite(self.kernel.name, number, left, self.size)


def take_landmarks(
    growing: GrowingFactor, rule: Pivots, tolerance: float, rng: np.random.Generator, least: int = 1
) -> None:
    """Take landmarks until so many are there, or no more than `tolerance` is left unseen.

    At least `least`, unless there are no more to take.
    """
    while growing.count < growing.most and not growing.exhausted:
        if growing.count >= least and growing.unseen <= tolerance:
            return
        proposed = rule.propose(growing.left, growing.count, rng)
        places, lower = sift_proposals(
            growing.among(proposed), rule, PIVOT_FLOOR * growing.size, rng
        )
        fit = min(len(places), growing.most - growing.count)
        growing.take(proposed[places[:fit]], lower[:fit, :fit])


def sift_proposals(
    left: Float64Array, rule: Pivots, floor: float, rng: np.random.Generator
) -> tuple[IntArray, Float64Array]:
    """Who of the proposed is taken, one after the other, each seen beside those before it.

    Their places, and the factor of what is left between them; `left` is overwritten.
    """
    before = np.diag(left).copy()
    places: list[int] = []
    columns = np.zeros_like(left)
    for place, proposed in enumerate(before.tolist()):
        now = float(left[place, place])
        if now <= floor or not rule.takes(now, proposed, rng):
            continue
        column = left[:, place] / np.sqrt(now)
        columns[:, len(places)] = column
        left -= np.outer(column, column)
        places.append(place)
    taken = np.array(places, dtype=np.intp)
    return taken, np.tril(columns[taken, : len(taken)])
