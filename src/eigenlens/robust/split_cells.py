"""Passes over a table of which few cells are missing: complete rows are summed once.

What a row without holes adds to the expected sums follows from the moments of all such rows; only
rows with holes are read again, and they are kept in memory where they are not too many.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
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

    def __add__(self, other: CompleteRows) -> CompleteRows:
        return CompleteRows(
            self.weight + other.weight, self.first + other.first, self.second + other.second
        )

    def __sub__(self, other: CompleteRows) -> CompleteRows:
        return self + CompleteRows(-other.weight, -other.first, -other.second)


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
        return SplitCells(self.complete + complete, [*self.incomplete, rest], held)

    def exchange(
        self,
        places: npt.NDArray[np.intp],
        values: Float64Array,
        before: BoolArray,
        after: BoolArray,
    ) -> SplitCells:
        """The same with other holes in the rows at `places`; `values` are 0 in absent cells."""
        moments = self.complete - sum_rows(values[~before.any(axis=1)])
        complete, rest = separate_complete_rows(0, values, after)
        blocks = [block.without(places) for block in self.incomplete]
        blocks.append(replace(rest, rows=places[rest.rows]))
        return SplitCells(moments + complete, blocks, self.held_bytes + rest.values.nbytes)

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
    first_row: int, values: Float64Array, holes: BoolArray
) -> tuple[CompleteRows, CellBlock]:
    """Rows without any cell are in neither part."""
    width = holes.shape[1]
    lacking = np.bincount(np.flatnonzero(holes) // width, minlength=len(holes))
    rows = np.flatnonzero((lacking > 0) & (lacking < width))
    held, gone = values[rows], holes[rows]
    np.put(held, np.flatnonzero(gone), 0.0)
    return sum_rows(values[lacking == 0]), CellBlock(first_row, rows, held, gone, None)


def sum_rows(rows: Float64Array) -> CompleteRows:
    return CompleteRows(float(len(rows)), rows.sum(axis=0), rows.T @ rows)
