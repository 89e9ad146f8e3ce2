"""A quick spectrum: the leading eigenvalues of a table, well enough to compare them with others.

Nothing is proven here. Rules that compare data with hundreds of noise tables need three digits,
and a certificate for each would cost more than the tables themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.rank.spectrum import Spectrum, small_vectors, spectrum_of_values
from eigenlens.solvers.choose import choose_solver
from eigenlens.solvers.cost import problem_of
from eigenlens.solvers.step import Ask, Step, next_step
from eigenlens.solvers.stopping import Passes, Tolerance
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.build import build_table
from eigenlens.table.preparation import Preparation
from eigenlens.table.sides import FeatureSide, RowSide
from eigenlens.table.table import TableOperator
from eigenlens.table.workspace import Workspace

__all__ = [
    "QuickSpectrum",
    "raw_moments",
    "spectrum_of_source",
    "spectrum_of_table",
]

MOST_PASSES = 40


@dataclass(frozen=True)
class QuickSpectrum:
    """What was seen of a table: Ritz values, as many as asked for, and their vectors."""

    table: TableOperator
    ritz: Ritz
    on_rows: bool

    @property
    def shares(self) -> Float64Array:
        """The eigenvalues as parts of the total variance."""
        return np.asarray(np.maximum(self.ritz.values / self.table.total_variance, 0.0))

    @property
    def spectrum(self) -> Spectrum:
        """What rules may look at."""
        ritz = self.ritz
        known = {} if self.on_rows else small_vectors(self.table, ritz)
        return spectrum_of_values(self.table, ritz.values, shown="look", **known)

    def directions(self, count: int) -> Float64Array:
        """Unit vectors among the columns, (d, count)."""
        if count == 0:
            return np.zeros((self.table.shape[1], 0))
        vectors = self.ritz.vectors(count)
        if not self.on_rows:
            return vectors
        pulled = self.table.pull_back(vectors)
        lengths = np.linalg.norm(pulled, axis=0)
        pulled /= np.where(lengths > 0, lengths, 1.0)
        return pulled


def raw_moments(rows: int, weights: Float64Array | None = None) -> Preparation:
    """For rows that are prepared already: second moments, about the origin."""
    return Preparation(False, None, weights, float(rows if weights is None else weights.sum()))


def spectrum_of_source(
    source: Source,
    preparation: Preparation,
    count: int,
    relative: float,
    workspace: Workspace,
    rng: np.random.Generator,
) -> QuickSpectrum:
    """The leading eigenpairs of rows that were derived, as `spectrum_of_table` has them."""
    return spectrum_of_table(
        build_table(source, preparation, workspace.block_bytes), count, relative, workspace, rng
    )


def spectrum_of_table(
    table: TableOperator,
    count: int,
    relative: float,
    workspace: Workspace,
    rng: np.random.Generator,
) -> QuickSpectrum:
    """The leading `count` eigenpairs, each about as accurate as `relative`."""
    count = min(count, table.most_components)
    solver, _ = choose_solver(problem_of(table.source, count, relative, workspace.budget_bytes))
    on_rows = traits_of(table.source).by_columns and solver.sided(table.shape)
    side = RowSide(table) if on_rows else FeatureSide(table)
    ask = Ask(count, relative)
    enough = Tolerance(relative) | Passes(MOST_PASSES)
    steps = solver.steps(side, ask, rng)
    step: Step = next(steps)
    while enough(step.leading(count)) is None:
        after = next_step(steps, ask)
        if after is None:
            break
        step = after
    ritz = step.read_out()
    return QuickSpectrum(table, ritz.leading(min(count, ritz.size)), on_rows)
