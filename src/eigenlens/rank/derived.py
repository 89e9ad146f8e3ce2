"""Derived rows: the table's own rows, some of them, or twins of them, as a source of their own.

Rows arrive as rows of A, centered, scaled and weighted, so whatever is made of them needs no
further preparation. Small tables are kept, others are read again each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from eigenlens.algebra.typing import FloatArray, IntArray
from eigenlens.sources.array import ArraySource
from eigenlens.sources.protocol import Source
from eigenlens.sources.regroup import regrouped
from eigenlens.table.table import Table

__all__ = ["Change", "DerivedSource", "derived", "kept_if_small"]

KEPT_BYTES = 64 << 20

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


def derived(
    table: Table, change: Change = unchanged, shape: tuple[int, int] | None = None
) -> Source:
    return kept_if_small(DerivedSource(table, table.shape if shape is None else shape, change))


def kept_if_small(source: DerivedSource) -> Source:
    if source.stored_bytes > KEPT_BYTES:
        return source
    rows = np.vstack([np.array(piece) for piece in source.pieces()])
    return ArraySource(rows, slice(0, source.shape[1]))
