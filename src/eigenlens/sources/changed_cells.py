"""ChangedCells: a source whose cells are changed as they are read, each by itself.

A `CellChange` says what becomes of rows and of columns; reading, names, budget and fingerprint are
those of the source. Rows that depend on all of their cells, or on more of the table, are sources of
their own (`normalized.py`, `missing/completed.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np

from eigenlens.sources.protocol import Block, FloatArray, IntArray
from eigenlens.sources.traits import Traits, blocks_from, peek_rows, traits_of
from eigenlens.sources.wrapping import WrappingSource

__all__ = ["CellChange", "ChangedCells"]

RowPlaces: TypeAlias = slice | IntArray


class CellChange(Protocol):
    """What becomes of the cells of a source."""

    @property
    def mark(self) -> str | None:
        """What tells the changed table from the source; None: it is not known again later."""

    @property
    def words(self) -> str:
        """The same for people, after the source."""

    @property
    def is_by_column(self) -> bool:
        """Whether a cell changes alike in every row."""

    def in_double(self) -> CellChange | None:
        """The same in float64, where changed cells are rounded to less; else None."""

    def in_dtype(self, stored: np.dtype[Any]) -> np.dtype[Any]:
        """What changed cells arrive in."""

    def change_rows(self, rows: FloatArray, places: RowPlaces) -> FloatArray:
        """Whole rows, with where they stand in the table."""

    def change_columns(self, panel: FloatArray, columns: slice) -> FloatArray:
        """Some columns of all rows."""


@dataclass(frozen=True, eq=False)
class ChangedCells(WrappingSource):
    change: CellChange

    is_sparse = False

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.change.in_dtype(self.source.dtype)

    @cached_property
    def traits(self) -> Traits:
        look, mark = traits_of(self.source).glance, self.change.mark
        derived = self.derive_traits(
            str(mark),
            changed=True,
            glance=self.glance if look is not None and self.change.is_by_column else None,
            in_double=None if self.change.in_double() is None else self.in_double,
        )
        return derived if mark is not None else replace(derived, fingerprint=None)

    def in_double(self) -> ChangedCells:
        return replace(self, change=self.change.in_double() or self.change)

    def glance(self, count: int) -> FloatArray:
        return self.change.change_rows(peek_rows(self.source, count), slice(None))

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        first = start
        for block in blocks_from(self.source, rows_per_block, start):
            yield self.change.change_rows(block, slice(first, first + len(block)))
            first += len(block)

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        first = 0
        for panel in self.source.panels(columns_per_panel):
            columns = slice(first, first + panel.shape[1])
            yield self.change.change_columns(panel, columns)
            first = columns.stop

    def sample(self, indices: IntArray) -> FloatArray:
        # Rounded as the blocks are: float32 rows are changed in float32.
        rows = np.asarray(self.source.sample(indices)).astype(self.source.dtype)
        return self.change.change_rows(rows, np.asarray(indices)).astype(np.float64)

    def __repr__(self) -> str:
        return f"{self.source!r}{self.change.words}"
