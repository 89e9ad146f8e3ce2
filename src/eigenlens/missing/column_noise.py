"""Factors, and noise of its own size in every column: what a prior draws a normal law to.

    T = W W' + diag(p)        p_j = mean of E e_ij^2 over the observed cells of column j

Noise and loadings are learned in turn. Given p, the cells of column j have the precision s / p_j in
the low-rank engine, s the geometric mean of all p. Two rows of noise s keep every p_j above 0, and
diag(p) no less than a millionth of a column's variance.

Cost     some twenty passes of the low-rank engine.
Source   Rubin and Thayer 1982 (factor analysis by EM).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.hidden import HiddenTest
from eigenlens.missing.lowrank import LowRank
from eigenlens.missing.observed import CellReader
from eigenlens.missing.symmetric import symmetric_from
from eigenlens.missing.variational import Loadings, column_errors, sum_cells

__all__ = ["ColumnFactors", "learn_column_factors", "learn_in_rounds"]

ROUGH, ROUGH_STEPS = 1e-3, 60
TURNS, STEPS = 3, 6  # of noise and loadings; of the loadings in each
NOISE_ROWS = 2.0
LEAST_NOISE = 0.02  # of the geometric mean
# In T, of a column's variance: where columns nearly repeat each other, a law drawn to less is so
# ill conditioned that rounding makes the covariance of its next step indefinite.
LEAST_VARIANCE = 1e-6


@dataclass(frozen=True)
class ColumnFactors:
    """`precisions` (d,) of the columns, relative to the noise of the loadings."""

    loadings: Loadings
    precisions: Float64Array
    passes: int = 0

    @cached_property
    def covariance(self) -> Float64Array:
        weights = self.loadings.weights
        whole: Float64Array = weights @ weights.T
        noise = self.loadings.noise / self.precisions
        whole[np.diag_indices_from(whole)] += np.maximum(noise, LEAST_VARIANCE)
        return whole


def learn_column_factors(
    reader: CellReader, most_passes: int = ROUGH_STEPS, turns: int = TURNS
) -> ColumnFactors:
    learned = LowRank().learn(reader, ROUGH, most_passes)
    found = ColumnFactors(learned.loadings, np.ones(reader.source.shape[1]), 1 + learned.passes)
    for _ in range(turns):
        found = improve_factors(found, reader)
    return found


def learn_in_rounds(test: HiddenTest) -> Sequence[ColumnFactors]:
    """In each round of hidden cells; each begins where the one before has ended."""
    found = [learn_column_factors(test.rounds[0].masked)]
    for one in test.rounds[1:]:
        found.append(improve_factors(found[-1], one.masked))
    return found


def improve_factors(factors: ColumnFactors, reader: CellReader) -> ColumnFactors:
    """The noise that the loadings leave to each column, then the loadings given it."""
    loadings, precisions = factors.loadings, factors.precisions
    sums = sum_cells(loadings, with_precisions(reader, precisions))
    squares = column_errors(loadings.joined, loadings.spread, sums) / precisions
    cells = symmetric_from(sums.products, loadings.rank + 1)[:, -1, -1] / precisions
    usual = float(np.exp(np.log(loadings.noise / precisions).mean()))
    noise = (np.maximum(squares, 0.0) + NOISE_ROWS * usual) / (cells + NOISE_ROWS)
    noise = np.maximum(noise, LEAST_NOISE * usual)
    usual = float(np.exp(np.log(noise).mean()))
    precisions = usual / noise
    start = replace(loadings, noise=usual)
    learned = LowRank().learn(with_precisions(reader, precisions), ROUGH, STEPS, start)
    return ColumnFactors(learned.loadings, precisions, factors.passes + 1 + learned.passes)


def with_precisions(reader: CellReader, precisions: Float64Array) -> CellReader:
    return replace(reader, precisions=np.broadcast_to(precisions, reader.source.shape))
