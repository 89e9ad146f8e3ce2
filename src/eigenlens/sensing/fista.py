"""FISTA: least squares with a price on every coefficient, and a proof of how good the answer is.

    minimize  P(c) = |B c - y|^2 / 2 + penalty |c|_1

Steps are gradient steps followed by shrinking, with momentum that is dropped whenever it points
uphill. The step length comes from a power iteration and is shortened where a step shows it too
long, so an underestimate of |B| does no harm. The penalty comes down from the largest that leaves
anything, each stage starting where the last one ended.

Certificate   for every u with |B'u|_inf <= penalty,  P(c) >= |y|^2 / 2 - |y - u|^2 / 2  for all c.
              The residual, scaled until it is allowed, is such a u: P less that bound is the gap,
              which the true shortfall never exceeds. What rounding may have moved is added.
Cost          one product with B and one with its transpose per step.
Choose        for signals of any size, with or without noise.
Source        Beck and Teboulle 2009; O'Donoghue and Candes 2015 for the restart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import NotCertified
from eigenlens.sensing.problem import Solution, SparseProblem
from eigenlens.solvers.options import check_options

__all__ = ["FISTA", "duality_gap", "soft_threshold"]

WEAKEST = 1e-3  # of the largest penalty that leaves anything: the default
STAGE = 0.3  # from one penalty to the next
STAGE_TOLERANCE = 1e-2
STEPS_PER_CHECK = 10  # steps between two looks at the gap, which cost a product
POWERS = 20
ROUNDED = (64 * EPS) ** 2


@dataclass(frozen=True)
class FISTA:
    """`penalty`: in the units of B'y; None is a thousandth of its largest entry.
    `tolerance`: the gap at which to stop, relative to the objective.
    """

    penalty: float | None = None
    tolerance: float = 1e-6
    max_iterations: int = 20_000

    def __post_init__(self) -> None:
        check_options(self, {"max_iterations": 1}, ("penalty", "tolerance"))

    def solve(self, problem: SparseProblem) -> Solution:
        largest = float(np.abs(problem.adjoint(problem.numbers)).max(initial=0.0))
        square, slope = problem.unit**2, problem.unit * problem.size
        if largest == 0:
            energy = 0.5 * square * float(problem.numbers @ problem.numbers)
            return Solution(np.zeros(problem.shape[1]), 0, energy, 0.0, self.penalty or 0.0)
        penalty = WEAKEST * largest if self.penalty is None else self.penalty / slope
        current, steepness, used = np.zeros(problem.shape[1]), estimate_squared_norm(problem), 0
        found = None
        for stage in penalty_stages(largest, penalty):
            tolerance = self.tolerance if stage == penalty else STAGE_TOLERANCE
            left = self.max_iterations - used
            for found in fista_steps(problem, stage, current, steepness, left):
                if found.gap <= tolerance * found.objective or found.iterations >= left:
                    break
            assert found is not None, "steps() never ends"
            current, steepness, used = found.current, found.steepness, used + found.iterations
            if used >= self.max_iterations:
                break
        objective, gap = duality_gap(problem, current, penalty)
        if gap > self.tolerance * objective:
            NotCertified.gap(self.tolerance, gap / objective, used).warn()
        return Solution(current, used, square * objective, square * gap, slope * penalty)


@dataclass(frozen=True, eq=False)
class FistaState:
    """Where the iteration stands."""

    current: Float64Array
    steepness: float
    iterations: int
    objective: float
    gap: float


def penalty_stages(largest: float, penalty: float) -> Iterator[float]:
    """Penalties from above down to the one asked for."""
    one = STAGE * largest
    while one > penalty / STAGE**0.5:
        yield one
        one *= STAGE
    yield penalty


def fista_steps(
    problem: SparseProblem, penalty: float, start: Float64Array, steepness: float, last: int
) -> Iterator[FistaState]:
    """Looks at the iteration, every few steps and at the last; it never ends by itself."""
    current, image = start, problem.forward(start)
    ahead, ahead_image = current, image
    momentum, count = 1.0, 0
    while True:
        if count % STEPS_PER_CHECK == 0 or count == last:
            objective, gap = duality_gap(problem, current, penalty, image)
            yield FistaState(current, steepness, count, objective, gap)
        gradient = problem.adjoint(ahead_image - problem.numbers)
        while True:
            moved = soft_threshold(ahead - gradient / steepness, penalty / steepness)
            moved_image = problem.forward(moved)
            length = float(np.square(moved - ahead).sum())
            stretch = float(np.square(moved_image - ahead_image).sum())
            # Images of steps near the rounding of the images themselves say nothing of |B|.
            rounding = ROUNDED * float(np.square(moved_image).sum())
            if stretch <= steepness * length * (1 + 1e-9) + rounding:
                break
            steepness = 1.1 * stretch / length
        if float((ahead - moved) @ (moved - current)) > 0:
            momentum = 1.0
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        push = (momentum - 1) / following
        ahead = moved + push * (moved - current)
        ahead_image = moved_image + push * (moved_image - image)
        current, image, momentum, count = moved, moved_image, following, count + 1


def soft_threshold(values: Float64Array, by: float) -> Float64Array:
    found: Float64Array = np.sign(values) * np.maximum(np.abs(values) - by, 0.0)
    return found


def duality_gap(
    problem: SparseProblem,
    coefficients: Float64Array,
    penalty: float,
    image: Float64Array | None = None,
) -> tuple[float, float]:
    """(objective, gap): no coefficients have an objective below their difference."""
    y = problem.numbers
    there = problem.forward(coefficients) if image is None else image
    residual = y - there
    energy, price = float(residual @ residual), float(np.abs(coefficients).sum())
    objective = 0.5 * energy + penalty * price
    steepest = float(np.abs(problem.adjoint(residual)).max(initial=0.0))
    rounding = 4 * np.sqrt(max(problem.shape)) * EPS
    # The products behind `steepest` are rounded too: stay that much inside what is allowed.
    most = penalty / (steepest * (1 + rounding) + rounding * penalty)
    best = float(residual @ y) / energy if energy > 0 else 0.0
    allowed = float(np.clip(best, -most, most)) * residual
    bound = 0.5 * float(y @ y) - 0.5 * float(np.square(y - allowed).sum())
    slack = rounding * (float(y @ y) + objective)
    return objective, float(max(objective - bound, 0.0) + slack)


def estimate_squared_norm(problem: SparseProblem) -> float:
    """|B|^2 from below, by a power iteration from B'y."""
    vector = problem.adjoint(problem.numbers)
    value = 0.0
    for _ in range(POWERS):
        vector = vector / np.linalg.norm(vector)
        vector = problem.adjoint(problem.forward(vector))
        value = float(np.linalg.norm(vector))
    return value
