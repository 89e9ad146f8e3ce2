"""Derived rows: the table's own rows, some of them, or twins of them, as a source of their own.

Rows arrive as rows of A, centered, scaled and weighted, so whatever is made of them needs no
further preparation. Small tables are kept, others are read again each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import FloatArray, IntArray
from eigenlens.rank.look import Room, raw
from eigenlens.sources.array import ArraySource
from eigenlens.sources.protocol import Source
from eigenlens.sources.regroup import regrouped
from eigenlens.table.build import table_of
from eigenlens.table.preparation import Preparation
from eigenlens.table.table import Table

__all__ = ["Change", "DerivedSource", "Mask", "derived", "only", "prepared"]

KEPT_BYTES = 64 << 20
KEPT_PART = 4  # of the budget: the rows and one twin of them are kept at a time

Mask = npt.NDArray[np.bool_]

# From the number of its first row and a block of A, to what is to be read instead of it.
Change: TypeAlias = Callable[[int, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class DerivedSource:
    """`change` may drop rows and columns; `shape` is what is left."""

    table: Table
    shape: tuple[int, int]
    change: Change

    names = None
    is_sparse = False
    by_columns = False

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.table.rows.dtype

    @property
    def stored_bytes(self) -> int:
        return self.shape[0] * self.shape[1] * self.dtype.itemsize

    def pieces(self) -> Iterator[FloatArray]:
        start = 0
        for block in self.table.prepared_rows():
            yield self.change(start, block)
            start += len(block)

    def blocks(self, rows_per_block: int) -> Iterator[FloatArray]:
        yield from regrouped(self.pieces(), rows_per_block, self.shape[1], self.dtype)

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


def unchanged(start: int, block: FloatArray) -> FloatArray:
    return block


def only(rows: Mask, columns: Mask | None = None) -> Change:
    """Some rows, and some or all of their columns."""

    def change(start: int, block: FloatArray) -> FloatArray:
        some = block[rows[start : start + len(block)]]
        return some if columns is None else some[:, columns]

    return change


def derived(
    table: Table, room: Room, change: Change = unchanged, shape: tuple[int, int] | None = None
) -> Source:
    """What is made of the table's rows: kept in memory where it takes a small part of the room."""
    source = DerivedSource(table, table.shape if shape is None else shape, change)
    if source.stored_bytes > min(KEPT_BYTES, room.budget_bytes // KEPT_PART):
        return source
    rows = np.empty(source.shape, source.dtype)
    start = 0
    for piece in source.pieces():
        rows[start : start + len(piece)] = piece
        start += len(piece)
    return ArraySource(rows, slice(0, source.shape[1]))


def prepared(source: Source, preparation: Preparation, room: Room) -> Table:
    """The rows of A as a table of their own, kept where they are few: then read only once."""
    table = table_of(source, preparation, room.block_bytes)
    kept = derived(table, room)
    if not isinstance(kept, ArraySource):
        return table
    return table_of(kept, raw(table.shape[0]), room.block_bytes)
