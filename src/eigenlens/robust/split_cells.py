"""Passes over a table of which few cells are missing: complete rows are summed once.

What a row without holes adds to the expected sums follows from the moments of all such rows, and so
does what rows with one hole add (`one_hole.py`); only rows with more are read again, and they are
kept in memory where they are not too many.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import ordered_map
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellBlock
from eigenlens.missing.sums import ExpectedSums, sum_block
from eigenlens.robust.one_hole import OneHoleRows

__all__ = ["SplitCells"]

MOST_BYTES = 256 << 20
MOST_SUMMED, FEWEST_PER_COLUMN = 128, 40  # columns, and rows per column, of rows with one hole
FEWEST_IN_THREADS = 1 << 19

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
    """Moments of the rows with no hole and with one, and the others as blocks.

    `single` is None where such rows are too few by column to be summed up: they are in blocks then.
    """

    complete: CompleteRows
    single: OneHoleRows | None
    incomplete: list[CellBlock]
    held_bytes: int = 0

    @classmethod
    def none(cls, rows: int, width: int) -> SplitCells:
        sums_pay = 1 < width <= MOST_SUMMED and rows >= FEWEST_PER_COLUMN * width
        single = OneHoleRows.none(width) if sums_pay else None
        return cls(CompleteRows(0.0, np.zeros(width), np.zeros((width, width))), single, [])

    def separate(self, first_row: int, values: Float64Array, holes: BoolArray) -> SplitCells:
        """Rows of a block, split alike; rows without any cell are in no part."""
        width = holes.shape[1]
        lacking = np.bincount(np.flatnonzero(holes) // width, minlength=len(holes))
        single, least = None, 0
        if self.single is not None:
            rows, least = np.flatnonzero(lacking == 1), 1
            gone = np.flatnonzero(holes[rows]) % width
            held = values[rows]
            held[np.arange(len(rows)), gone] = 0.0
            single = OneHoleRows.of_rows(held, gone)
        rows = np.flatnonzero((lacking > least) & (lacking < width))
        held, absent = values[rows], holes[rows]
        np.put(held, np.flatnonzero(absent), 0.0)
        block = CellBlock(first_row, rows, held, absent, None)
        return SplitCells(sum_rows(values[lacking == 0]), single, [block], held.nbytes)

    def add(self, other: SplitCells) -> SplitCells | None:
        """None where the incomplete rows are too many to be held: they are read again then."""
        held = self.held_bytes + other.held_bytes
        if held > MOST_BYTES:
            return None
        return SplitCells(
            self.complete + other.complete,
            other.single
            if self.single is None or other.single is None
            else self.single + other.single,
            [*self.incomplete, *other.incomplete],
            held,
        )

    def exchange(
        self,
        places: npt.NDArray[np.intp],
        values: Float64Array,
        before: BoolArray,
        after: BoolArray,
    ) -> SplitCells:
        """The same with other holes in the rows at `places`."""
        old, new = self.separate(0, values, before), self.separate(0, values, after)
        blocks = [block.without(places) for block in self.incomplete]
        moved = [replace(block, rows=places[block.rows]) for block in new.incomplete]
        single = self.single
        if single is not None and old.single is not None and new.single is not None:
            single = single - old.single + new.single
        return SplitCells(
            self.complete - old.complete + new.complete,
            single,
            [*blocks, *moved],
            self.held_bytes + new.held_bytes,
        )

    def join(self, entries: int) -> SplitCells:
        """The same with small blocks put together, up to so many cells."""
        joined, waiting, size = [], list[CellBlock](), 0
        for block in self.incomplete:
            if waiting and size + block.values.size > entries:
                joined.append(join_blocks(waiting))
                waiting, size = [], 0
            waiting.append(block)
            size += block.values.size
        return replace(self, incomplete=[*joined, *([join_blocks(waiting)] if waiting else [])])

    def sum(self, law: Normal) -> ExpectedSums:
        """One pass of EM."""
        whole = self.sum_complete(law)
        if self.single is not None:
            whole = whole + self.single.sum(law)
        entries = sum(block.values.size for block in self.incomplete)
        threads = available_processors() if entries > FEWEST_IN_THREADS else 1
        with one_blas_thread():
            for part in ordered_map(partial(sum_block, law), self.incomplete, threads):
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


def sum_rows(rows: Float64Array) -> CompleteRows:
    return CompleteRows(float(len(rows)), rows.sum(axis=0), rows.T @ rows)


def join_blocks(blocks: list[CellBlock]) -> CellBlock:
    if len(blocks) == 1:
        return blocks[0]
    return CellBlock(
        0,
        np.concatenate([block.first_row + block.rows for block in blocks]),
        np.concatenate([block.values for block in blocks]),
        np.concatenate([block.holes for block in blocks]),
        None,
    )
