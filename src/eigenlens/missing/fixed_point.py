"""Fixed points of the EM algorithm, reached in few passes and never downhill.

    normal  ->  expected sums (one pass)  ->  image: the next normal

The image never has a smaller likelihood than the normal it comes from. Anderson's extrapolation
from the last few pairs saves most of the passes; an extrapolated normal with a smaller likelihood
is dropped for the image it was meant to improve on.

Source   Dempster, Laird and Rubin 1977; Anderson 1965; Henderson and Varadhan 2019 (the guard).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.law import Law
from eigenlens.missing.normal import Normal
from eigenlens.missing.prior import Prior
from eigenlens.missing.sums import ExpectedSums

__all__ = ["FixedPoint", "find_fixed_point"]

DEPTH = 6  # pairs remembered

L = TypeVar("L", bound=Law, covariant=True)
Pass = Callable[[Normal], ExpectedSums]


@dataclass(frozen=True)
class FixedPoint(Generic[L]):
    """`sums` are those of `law`, `next_sums` those of the law that one more step gives.

    `trail` holds the penalized log-likelihood of every law accepted, ascending. `move` is how far
    the last step went, `rate` by how much it was shorter than the step before.
    """

    law: L
    sums: ExpectedSums
    next_sums: ExpectedSums
    trail: tuple[float, ...]
    move: float
    rate: float
    passes: int
    at_rest: bool
    passes_before: int = 0  # to learn what the prior draws to

    @property
    def defect(self) -> float:
        """By how much one more step would change the expected covariance matrix, relative to it."""
        here, there = self.sums.covariance, self.next_sums.covariance
        return float(np.linalg.norm(there - here) / np.linalg.norm(here))

    @property
    def distance(self) -> float:
        """What is left to the fixed point if steps go on shrinking at this rate: an estimate."""
        return self.move * self.rate / (1 - self.rate) if self.rate < 1 else np.inf


@dataclass
class Memory:
    """The last pairs of a normal and its image, and the step they suggest."""

    points: list[Float64Array] = field(default_factory=list)
    moves: list[Float64Array] = field(default_factory=list)

    def add(self, normal: Normal, image: Normal) -> None:
        point = vector_of(normal)
        self.points = [*self.points, point][-DEPTH:]
        self.moves = [*self.moves, vector_of(image) - point][-DEPTH:]

    def clear(self) -> None:
        self.points, self.moves = [], []

    def suggest(self, image: Normal) -> Normal:
        """Where the moves, combined so as to cancel, point to; the image itself at first."""
        if len(self.points) < 2:
            return image
        last_point, last_move = self.points[-1], self.moves[-1]
        steps = np.array([last_move - move for move in self.moves[:-1]])
        paths = np.array([last_point - point for point in self.points[:-1]])
        gram = steps @ steps.T
        gram[np.diag_indices_from(gram)] *= 1 + 1e-10
        try:
            shares = np.linalg.solve(gram, steps @ last_move)
        except np.linalg.LinAlgError:
            return image
        target = last_point + last_move - shares @ (paths + steps)
        suggested = normal_from_vector(target, len(image.mean))
        return suggested if is_definite(suggested) else image


def find_fixed_point(
    start: Normal, one_pass: Pass, prior: Prior, tolerance: float, max_passes: int
) -> FixedPoint[Normal]:
    """Iterate until one step moves no entry by more than `tolerance`, in the engine's units."""
    memory, trail = Memory(), list[float]()
    normal, image = start, start
    passes, move = 0, np.inf
    while True:
        sums = one_pass(normal)
        passes += 1
        likelihood = sums.log_likelihood(normal, prior)
        slack = 64 * EPS * sums.deviance_size
        if trail and likelihood < trail[-1] - slack:
            memory.clear()
            normal = image
            if passes < max_passes:
                continue
        trail.append(max(likelihood, trail[-1]) if trail else likelihood)
        image = definite(sums.next_normal(normal, prior))
        move = distance(image, normal)
        if move <= tolerance or passes >= max_passes - 1:
            break
        memory.add(normal, image)
        normal = memory.suggest(image)
    return finish(normal, image, sums, one_pass, prior, tolerance, tuple(trail), passes)


def finish(
    normal: Normal,
    image: Normal,
    sums: ExpectedSums,
    one_pass: Pass,
    prior: Prior,
    tolerance: float,
    trail: tuple[float, ...],
    passes: int,
) -> FixedPoint[Normal]:
    """One plain step more, to say by how much the answer would still move."""
    following = one_pass(image)
    before = distance(image, normal)
    after = distance(following.next_normal(image, prior), image)
    return FixedPoint(
        law=normal,
        sums=sums,
        next_sums=following,
        trail=(*trail, max(following.log_likelihood(image, prior), trail[-1])),
        move=before,
        rate=min(after / before, 1.0) if before > 0 else 0.0,
        passes=passes + 1,
        at_rest=before <= tolerance,
    )


def vector_of(normal: Normal) -> Float64Array:
    return np.concatenate([normal.mean, normal.covariance.ravel()])


def normal_from_vector(numbers: Float64Array, width: int) -> Normal:
    covariance = numbers[width:].reshape(width, width)
    return Normal(numbers[:width], (covariance + covariance.T) / 2)


def is_definite(normal: Normal) -> bool:
    try:
        return bool(np.isfinite(normal.log_determinant))
    except np.linalg.LinAlgError:
        return False


def definite(normal: Normal) -> Normal:
    """The law itself, or with as much more variance in every column as rounding took in some.

    Completions of columns that nearly follow from each other are rounded to a matrix that may have
    a negative eigenvalue.
    """
    lift = EPS * float(np.trace(normal.covariance))
    while not is_definite(normal) and np.isfinite(lift):
        lift *= 10
        normal = Normal(normal.mean, normal.covariance + lift * np.eye(len(normal.mean)))
    return normal


def distance(one: Normal, other: Normal) -> float:
    """The largest change of any entry, in units of the columns' spreads."""
    return float(
        max(
            np.abs(one.mean - other.mean).max(initial=0.0),
            np.abs(one.covariance - other.covariance).max(initial=0.0),
        )
    )
