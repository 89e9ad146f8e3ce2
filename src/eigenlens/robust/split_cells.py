"""Passes over a table of which few cells are missing: complete rows are summed once.

What a row without holes adds to the expected sums follows from the moments of all such rows; only
rows with holes are read again, and they are kept in memory where they are not too many.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import ordered_map
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellBlock
from eigenlens.missing.sums import ExpectedSums, sum_block

__all__ = ["CompleteRows", "SplitCells", "separate_complete_rows"]

MOST_BYTES = 256 << 20

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class CompleteRows:
    """How many there are, and their moments about 0."""

    weight: float
    first: Float64Array
    second: Float64Array


@dataclass(frozen=True, eq=False)
class SplitCells:
    """Moments of the complete rows about 0, and the others as blocks."""

    complete: CompleteRows
    incomplete: list[CellBlock]
    held_bytes: int = 0

    @classmethod
    def none(cls, width: int) -> SplitCells:
        return cls(CompleteRows(0.0, np.zeros(width), np.zeros((width, width))), [])

    def add(self, complete: CompleteRows, rest: CellBlock) -> SplitCells | None:
        """None where the incomplete rows are too many to be held: they are read again then."""
        held = self.held_bytes + rest.values.nbytes
        if held > MOST_BYTES:
            return None
        before = self.complete
        moments = CompleteRows(
            before.weight + complete.weight,
            before.first + complete.first,
            before.second + complete.second,
        )
        return SplitCells(moments, [*self.incomplete, rest], held)

    def sum(self, law: Normal) -> ExpectedSums:
        """One pass of EM."""
        whole = self.sum_complete(law)
        with one_blas_thread():
            parts = ordered_map(
                lambda block: sum_block(law, block), self.incomplete, available_processors()
            )
            for part in parts:
                whole = whole + part
        return whole

    def sum_complete(self, law: Normal) -> ExpectedSums:
        mean, complete = law.mean, self.complete
        count = complete.weight
        crossed = np.outer(complete.first, mean)
        second = complete.second - crossed - crossed.T + count * np.outer(mean, mean)
        distance = float(np.sum(law.precision * second))
        deviance = count * law.log_determinant + distance
        size = count * abs(law.log_determinant) + distance
        rest = np.zeros_like(second)
        return ExpectedSums(count, complete.first - count * mean, second, rest, deviance, size)


def separate_complete_rows(
    first_row: int, values: Float64Array, holes: BoolArray, lacking: IntArray
) -> tuple[CompleteRows, CellBlock]:
    """`lacking` (b,): how many cells each row lacks; rows without any cell are in neither part."""
    whole = values[lacking == 0]
    rows = np.flatnonzero((lacking > 0) & (lacking < values.shape[1]))
    held, gone = values[rows], holes[rows]
    held[gone] = 0.0
    complete = CompleteRows(float(len(whole)), whole.sum(axis=0), whole.T @ whole)
    return complete, CellBlock(first_row, rows, held, gone, None)
