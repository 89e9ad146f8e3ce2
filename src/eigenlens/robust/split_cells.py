"""Passes over a table of which few cells are missing: complete rows are summed once.

What a row without holes adds to the expected sums follows from the moments of all such rows; only
rows with holes are read again, and they are kept in memory where they are not too many.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import ordered_map
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellBlock, CellReader
from eigenlens.missing.sums import ExpectedSums, sum_block, sum_over

__all__ = ["SplitCells", "split_cells"]

MOST_BYTES = 256 << 20


@dataclass(frozen=True, eq=False)
class SplitCells:
    """Moments of the complete rows about 0, and the others as blocks (None: read again)."""

    reader: CellReader
    weight: float
    first: Float64Array
    second: Float64Array
    incomplete: list[CellBlock] | None

    def sum(self, law: Normal) -> ExpectedSums:
        """One pass of EM."""
        if self.incomplete is None:
            return sum_over(law, self.reader)
        whole = self.sum_complete(law)
        with one_blas_thread():
            parts = ordered_map(
                lambda block: sum_block(law, block), self.incomplete, available_processors()
            )
            for part in parts:
                whole = whole + part
        return whole

    def sum_complete(self, law: Normal) -> ExpectedSums:
        mean, count = law.mean, self.weight
        crossed = np.outer(self.first, mean)
        second = self.second - crossed - crossed.T + count * np.outer(mean, mean)
        distance = float(np.sum(law.precision * second))
        deviance = count * law.log_determinant + distance
        size = count * abs(law.log_determinant) + distance
        rest = np.zeros_like(second)
        return ExpectedSums(count, self.first - count * mean, second, rest, deviance, size)


def split_cells(reader: CellReader) -> SplitCells:
    """One pass over all rows."""
    width = reader.source.shape[1]
    first, second, weight, held = np.zeros(width), np.zeros((width, width)), 0.0, 0
    kept: list[CellBlock] | None = []
    with one_blas_thread():
        for part in ordered_map(split_block, reader.blocks(), available_processors()):
            complete, block = part
            weight += complete.weight
            first += complete.first
            second += complete.second
            held += block.values.nbytes
            if kept is not None and held <= MOST_BYTES:
                kept.append(block)
            else:
                kept = None
    return SplitCells(reader, weight, first, second, kept)


@dataclass(frozen=True)
class CompleteRows:
    weight: float
    first: Float64Array
    second: Float64Array


def split_block(block: CellBlock) -> tuple[CompleteRows, CellBlock]:
    lacking = block.holes.any(axis=1)
    whole = block.values[~lacking]
    rest = CellBlock(
        block.first_row, block.rows[lacking], block.values[lacking], block.holes[lacking], None
    )
    return CompleteRows(float(len(whole)), whole.sum(axis=0), whole.T @ whole), rest
