"""Derived rows: the table's own rows, some of them, or twins of them, as a source of their own.

Rows arrive as rows of A, centered and scaled, so whatever is made of them needs no further
preparation but their weights. The rows themselves are kept where they are few, else read again
each time; what is made of them is kept where a quarter of the memory holds it, in single precision
where it is not little: whoever looks at it wants three digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import FloatArray, IntArray
from eigenlens.rank.quick_spectrum import raw_moments
from eigenlens.rank.repeated_rows import RepeatedRows, repeated_rows
from eigenlens.sources.array import ArraySource
from eigenlens.sources.protocol import Source
from eigenlens.sources.regroup import regroup_rows
from eigenlens.sources.traits import Traits
from eigenlens.table.build import build_table
from eigenlens.table.preparation import Preparation
from eigenlens.table.table import TableOperator
from eigenlens.table.workspace import Workspace

__all__ = [
    "Change",
    "DerivedSource",
    "PartMask",
    "TableBuffer",
    "derive_rows",
    "rows_of_prepared_table",
    "select_part",
]

KEPT_BYTES = 64 << 20
KEPT_PART = 4  # of the budget: one twin is kept at a time, and what its solver needs beside it

PartMask = npt.NDArray[np.bool_]

# From the number of its first row and a block of rows, to what is to be read instead of it.
Change: TypeAlias = Callable[[int, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class DerivedSource:
    """`change` may drop rows and columns; `shape` is what is left."""

    rows: RepeatedRows
    shape: tuple[int, int]
    change: Change

    names = None
    is_sparse = False

    @property
    def traits(self) -> Traits:
        return Traits(by_columns=False, glance=self.glance)

    @property
    def dtype(self) -> np.dtype[Any]:
        own = self.rows.table.rows.dtype
        large = self.shape[0] * self.shape[1] * own.itemsize > KEPT_BYTES
        return np.dtype(np.float32) if large else own

    @property
    def stored_bytes(self) -> int:
        return self.shape[0] * self.shape[1] * self.dtype.itemsize

    def pieces(self) -> Iterator[FloatArray]:
        start = 0
        for block in self.rows.pieces():
            here, start = start, start + len(block)
            yield self.change(here, block.astype(self.dtype, copy=False))

    def blocks(self, rows_per_block: int) -> Iterator[FloatArray]:
        yield from regroup_rows(self.pieces(), rows_per_block, self.shape[1], self.dtype)

    def panels(self, columns_per_panel: int) -> Iterator[FloatArray]:
        for first in range(0, self.shape[1], columns_per_panel):
            yield np.vstack(
                [piece[:, first : first + columns_per_panel] for piece in self.pieces()]
            )

    def sample(self, indices: IntArray) -> FloatArray:
        wanted = np.asarray(indices)
        found = np.zeros((len(wanted), self.shape[1]))
        start = 0
        for piece in self.pieces():
            here = (wanted >= start) & (wanted < start + len(piece))
            found[here] = piece[wanted[here] - start]
            start += len(piece)
        return found

    def glance(self, count: int) -> FloatArray:
        """The first rows: they tell the size of the numbers, which is all that is asked of them."""
        for piece in self.pieces():
            if len(piece):
                return piece[:count].astype(np.float64)
        return np.zeros((1, self.shape[1]))


def keep_block(start: int, block: FloatArray) -> FloatArray:
    return block


def select_part(rows: PartMask, columns: PartMask | None = None) -> Change:
    """Some rows, and some or all of their columns."""

    def change(start: int, block: FloatArray) -> FloatArray:
        some = block[rows[start : start + len(block)]]
        return some if columns is None else some[:, columns]

    return change


class TableBuffer:
    """Memory for one table at a time: to ask for it afresh costs as much as to fill it."""

    def __init__(self) -> None:
        self.numbers: FloatArray = np.empty(0)

    def cleared(self, shape: tuple[int, int], dtype: np.dtype[Any]) -> FloatArray:
        """Space for the next table, over the one before."""
        size = shape[0] * shape[1]
        if self.numbers.size < size or self.numbers.dtype != dtype:
            self.numbers = np.empty(size, dtype)
        return self.numbers[:size].reshape(shape)


def derive_rows(
    rows: RepeatedRows,
    workspace: Workspace,
    change: Change,
    shape: tuple[int, int],
    buffer: TableBuffer,
) -> Source:
    """What is made of the rows, in the buffer where that takes a small part of the workspace."""
    source = DerivedSource(rows, shape, change)
    small = source.stored_bytes <= workspace.budget_bytes // KEPT_PART
    return keep_in_buffer(source, buffer) if small else source


def keep_in_buffer(source: DerivedSource, buffer: TableBuffer) -> ArraySource:
    rows = buffer.cleared(source.shape, source.dtype)
    start = 0
    for piece in source.pieces():
        rows[start : start + len(piece)] = piece
        start += len(piece)
    return ArraySource(rows, slice(0, source.shape[1]))


def rows_of_prepared_table(
    source: Source, preparation: Preparation, workspace: Workspace
) -> TableOperator:
    """The rows of A as a table of their own, kept where they are few: then read only once."""
    table = workspace.table(source, preparation)
    size = table.shape[0] * table.shape[1] * table.rows.dtype.itemsize
    if size > min(KEPT_BYTES, workspace.budget_bytes // KEPT_PART):
        return table
    whole = DerivedSource(repeated_rows(table, None), table.shape, keep_block)
    return build_table(
        keep_in_buffer(whole, TableBuffer()), raw_moments(table.shape[0]), workspace.block_bytes
    )
