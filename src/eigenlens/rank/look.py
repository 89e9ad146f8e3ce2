"""A look: the leading eigenvalues of a table, well enough to compare them with others.

Nothing is proven here. Rules that compare data with hundreds of noise tables need three digits,
and a certificate for each would cost more than the tables themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.solvers.choose import choose_solver, problem_of
from eigenlens.solvers.step import Ask, Step
from eigenlens.solvers.stopping import Passes, Tolerance
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import by_columns
from eigenlens.table.build import table_of
from eigenlens.table.preparation import Preparation
from eigenlens.table.sides import FeatureSide, RowSide
from eigenlens.table.table import Table

__all__ = ["Look", "Room", "look_at", "raw"]

MOST_PASSES = 40


@dataclass(frozen=True)
class Room:
    """How much memory there is for all, and for one block."""

    budget_bytes: int
    block_bytes: int


@dataclass(frozen=True)
class Look:
    """What was seen of a table: Ritz values, as many as asked for, and their vectors."""

    table: Table
    ritz: Ritz
    on_rows: bool

    @property
    def shares(self) -> Float64Array:
        """The eigenvalues as parts of the total variance."""
        return np.asarray(np.maximum(self.ritz.values / self.table.total_variance, 0.0))

    def directions(self, count: int) -> Float64Array:
        """Unit vectors among the columns, (d, count)."""
        vectors = self.ritz.vectors(count)
        if not self.on_rows:
            return vectors
        pulled = self.table.pull_back(vectors)
        lengths = np.linalg.norm(pulled, axis=0)
        pulled /= np.where(lengths > 0, lengths, 1.0)
        return pulled


def raw(rows: int) -> Preparation:
    """For rows that are prepared already: second moments, undivided."""
    return Preparation(False, None, None, float(rows))


def look_at(
    source: Source,
    preparation: Preparation,
    count: int,
    relative: float,
    room: Room,
    rng: np.random.Generator,
) -> Look:
    """The leading `count` eigenpairs, each about as accurate as `relative`."""
    table = table_of(source, preparation, room.block_bytes)
    count = min(count, table.most_components)
    solver, _ = choose_solver(problem_of(source, count, relative, room.budget_bytes))
    on_rows = by_columns(source) and solver.sided(table.shape)
    side = RowSide(table) if on_rows else FeatureSide(table)
    ask = Ask(count, relative)
    enough = Tolerance(relative) | Passes(MOST_PASSES)
    steps = solver.steps(side, ask, rng)
    step: Step = next(steps)
    while enough(step.leading(count)) is None:
        try:
            step = steps.send(ask)
        except StopIteration:
            break
    ritz = step.read_out()
    return Look(table, ritz.leading(min(count, ritz.size)), on_rows)
