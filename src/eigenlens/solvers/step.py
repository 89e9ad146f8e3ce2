"""Step: what a solver shows after a pass, and Ask: what it is asked for next."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.table.sides import Side

__all__ = [
    "Ask",
    "Solver",
    "SolverLike",
    "Step",
    "Steps",
    "block_columns",
    "make_step",
    "next_step",
]


@dataclass(frozen=True)
class Ask:
    """How many components, and how small a relative error of their eigenvalues.

    `angle`: how small residuals should be beside the last eigenvalue, unless the one beyond is
    closer than `gap`, both relative; 0: whatever. A hint when to look, which the proof decides.
    `refuted`: how many proofs have failed: something large may lie outside of all that was found.
    """

    rank: int
    accuracy: float
    angle: float = 0.0
    gap: float = 0.0
    refuted: int = 0


@dataclass(frozen=True)
class Step:
    """The state after some passes.

    `values` are Ritz values, `errors` the solver's own guess at how far below the truth they lie:
    a reason to look closer, never a promise. There may be more of them than were asked for.
    `read_out` gives the subspace; it may cost a pass. `outside` bounds the variance of every
    direction outside of it, where that is proven already.
    """

    passes: int
    values: Float64Array
    errors: Float64Array
    read_out: Callable[[], Ritz]
    matrix: Float64Array | None = None
    outside: float | None = None

    def leading(self, rank: int) -> Step:
        """The same step, seen for its leading values only."""
        if rank >= len(self.values):
            return self
        return replace(self, values=self.values[:rank], errors=self.errors[:rank])


Steps: TypeAlias = Generator[Step, Ask, None]


class Solver(Protocol):
    """Options are fields; `name` is what users type."""

    @property
    def name(self) -> str: ...

    @property
    def forms_matrix(self) -> bool:
        """True: one pass forms a matrix, all else is dense algebra. False: passes all the way."""

    def sided(self, shape: tuple[int, int]) -> bool:
        """True to work on the inner products of rows, False on the covariance of features."""

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        """After each `yield` the generator is sent the current `Ask`; it ends when it is done."""


SolverLike: TypeAlias = str | Solver  # "auto", a name of the catalogue, or a solver object


def next_step(steps: Steps, ask: Ask) -> Step | None:
    """The next step, or None where the solver has nothing more to add."""
    try:
        return steps.send(ask)
    except StopIteration:
        return None


def make_step(ritz: Ritz, ask: Ask, passes: int, matrix: Float64Array | None = None) -> Step:
    """A step of a solver that holds its Ritz pairs already.

    The guess at the error is residual^2 / gap, with the gap to a value well past those asked for.
    """
    values, residuals = ritz.values, ritz.residuals
    if not residuals.any():  # of a whole decomposition
        return Step(passes, values, residuals, lambda: ritz, matrix)
    beyond = values[min(ask.rank + max(ask.rank // 2, 5), ritz.size - 1)]
    gaps = np.maximum(values - beyond, residuals)
    errors = residuals * np.divide(residuals, gaps, out=np.zeros_like(gaps), where=gaps > 0)
    return Step(passes, values, errors, lambda: ritz, matrix)


def block_columns(rank: int, size: int) -> int:
    """Columns of a block: some to spare, since convergence depends on what lies beyond them.

    Half the rank to spare, at least ten, needs the fewest products on spectra like 1/i, 1/sqrt(i)
    and white noise; multiples of eight are what the processor multiplies fastest.
    """
    return min(size, -(-(rank + min(max(rank // 2, 10), 40)) // 8) * 8)
