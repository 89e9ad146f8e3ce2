"""Expected moments of a table whose cells are known with different precision.

    observed cell = x + error,    x = m + W z + e,  e ~ N(0, s2),   Var(error) = s2 (1 / c - 1)

c is the precision of a cell relative to well-known ones (0: missing, 1 and more: taken as it is).
Given the observed cells of a row, with S = (I + W' diag(c) W / s2)^-1 and z = S W' (c r) / s2:

    E[x - m]    = c r + (1 - c) W z
    Cov(x)      = D W S W' D + s2 D,                  D = diag(1 - c)

so a cell of small weight is mostly what the others suggest, and the moments say how uncertain that
is. Precisions are relative to their 95 % quantile: a few very precise cells do not make all others
missing.

Source   Tipping and Bishop 1999; Bailey 2012 (weights per cell, without the law).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.missing.cell_weights import CellWeights
from eigenlens.missing.engine_passes import EnginePasses
from eigenlens.missing.expectation import Expectation
from eigenlens.missing.factor_law import FactorLaw
from eigenlens.missing.fixed_point import FixedPoint
from eigenlens.missing.flagged import CellFlags, leave_out_flagged
from eigenlens.missing.hidden import HiddenCells
from eigenlens.missing.lowrank import LowRank
from eigenlens.missing.observed import (
    CellBlock,
    CellReader,
    ObservedCells,
    cell_blocks,
    observe_cells,
)
from eigenlens.missing.sums import ExpectedSums
from eigenlens.missing.symmetric import invert, symmetric_from, triangle_indices
from eigenlens.missing.variational import cell_precisions, improve_loadings
from eigenlens.sources.changed_cells import ChangedCells
from eigenlens.sources.protocol import Source

__all__ = ["expect_graded", "is_graded", "leave_out_weightless"]

WELL_KNOWN = 0.95  # quantile of the precisions that counts as known


def is_graded(cells: Float64Array) -> bool:
    """Whether there are weights besides 0 and one other number."""
    some = cells[cells > 0]
    return bool(some.max() > some.min() * (1 + 1e-12))


def leave_out_weightless(source: Source, cells: Float64Array) -> ChangedCells:
    """The table with missing cells where weights are 0."""
    flags = CellFlags.none(*source.shape)
    flags.write(slice(None), cells == 0)
    return leave_out_flagged(source, flags)


def expect_graded(
    source: Source, weights: CellWeights, passes: EnginePasses | None = None
) -> tuple[Expectation, CellReader]:
    """What is expected of the rows, by the low-rank engine."""
    cells = weights.cells
    if cells is None:
        raise RuntimeError("weights that reduce to rows and columns are fitted without an engine")
    masked = leave_out_weightless(source, cells)
    observed = weigh_columns(masked, cells)
    precisions = cells * np.square(observed.spread) if weights.from_errors else cells
    precisions = precisions / np.quantile(precisions[precisions > 0], WELL_KNOWN)
    reader = CellReader(masked, observed, None, precisions, passes)
    engine = LowRank()
    with one_blas_thread():
        found = engine.learn(reader, engine.tolerance, engine.max_passes)
        following, bound = improve_loadings(found.loadings, reader)
        fixed = FixedPoint(
            law=found.law,
            sums=sum_graded(found.law, reader),
            next_sums=sum_graded(following.law, reader),
            trail=(*found.trail, max(bound, found.trail[-1])),
            move=found.move,
            rate=found.rate,
            passes=found.passes + 3,
            at_rest=found.move <= engine.tolerance,
        )
    width = source.shape[1]
    hidden = HiddenCells(0, np.nan, np.ones(width), np.ones(width))
    choice = Verdict(
        "lowrank",
        "cell weights",
        f"cells have weights of their own; a law of {found.loadings.rank} factors says what cells "
        f"of small weight are expected to be",
        {"factors": found.loadings.rank, "weightless_cells": int((cells == 0).sum())},
    )
    uncertain = int(((precisions < 1) & (precisions > 0)).sum())
    return Expectation(choice, engine, observed, fixed, hidden, uncertain=uncertain), reader


def weigh_columns(source: Source, cells: Float64Array) -> ObservedCells:
    """Centers and spreads of the columns, cells counted by their weights."""
    observed = observe_cells(source)
    sums, squares = np.zeros((2, source.shape[1]))
    first = 0
    for block in cell_blocks(source):
        heavy = cells[first : first + len(block)]
        apart = np.where(heavy > 0, block - observed.center, 0.0)
        sums += (heavy * apart).sum(axis=0)
        squares += (heavy * np.square(apart)).sum(axis=0)
        first += len(block)
    total = cells.sum(axis=0)
    shift = sums / total
    variances = squares / total - np.square(shift)
    spread = np.where(variances > 0, np.sqrt(np.maximum(variances, 0.0)), observed.spread)
    return replace(observed, center=observed.center + shift, spread=spread)


def sum_graded(law: FactorLaw, reader: CellReader) -> ExpectedSums:
    """One pass over all rows."""
    return reader.sum_blocks(ExpectedSums, graded_block(law))


def graded_block(law: FactorLaw) -> Callable[[CellBlock], ExpectedSums]:
    loadings, noise, rank = law.loadings, law.noise, law.loadings.shape[1]
    rows, columns = triangle_indices(rank)
    products = loadings[:, rows] * loadings[:, columns]

    def work(block: CellBlock) -> ExpectedSums:
        known = cell_precisions(block)
        deviations = np.where(known > 0, block.values - law.mean, 0.0)
        inverse = symmetric_from(known @ products, rank) / noise
        inverse[:, np.arange(rank), np.arange(rank)] += 1.0
        covariance = invert(inverse)
        scores = np.einsum("bij,bj->bi", covariance, (known * deviations) @ loadings) / noise
        unknown = 1.0 - np.minimum(known, 1.0)
        completed = deviations + unknown * (scores @ loadings.T - deviations)
        roots = np.linalg.cholesky(covariance)
        spread_roots = unknown[:, :, None] * (loadings @ roots)
        flat = spread_roots.transpose(0, 2, 1).reshape(-1, len(loadings))
        spread = flat.T @ flat
        spread[np.diag_indices_from(spread)] += noise * unknown.sum(axis=0)
        return ExpectedSums(
            weight=float(len(deviations)),
            first=completed.sum(axis=0),
            completed=completed.T @ completed,
            spread=spread,
            deviance=0.0,
            deviance_size=0.0,
        )

    return work
