"""A sparse table in which what is not stored is unknown: ratings, counts that were never taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.sources.protocol import Block, IntArray, Source
from eigenlens.sources.traits import Traits, traits_of
from eigenlens.sources.wrapping import WrappingSource

__all__ = ["UnstoredSource", "mark_unstored"]


@dataclass(frozen=True, eq=False)
class UnstoredSource(WrappingSource):
    """Dense blocks with NaN where the sparse ones store nothing; a stored zero is a zero."""

    is_sparse = False
    dtype = np.dtype(np.float64)

    @property
    def traits(self) -> Traits:
        return self.derive_traits("unstored", glance=None, find_bad_values=None)

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        """`start` is given only where the source lies in a file, which then takes it too."""
        given: tuple[int, ...] = (start,) if start else ()
        for block in self.source.blocks(rows_per_block, *given):
            yield fill_unstored(block)

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        for panel in self.source.panels(columns_per_panel):
            yield fill_unstored(panel)

    def sample(self, indices: IntArray) -> Float64Array:
        """Through blocks: a sample is dense, and has lost what was stored."""
        wanted, order = np.unique(np.asarray(indices), return_inverse=True)
        found, first = [], 0
        for block in self.blocks(max(16, (1 << 19) // self.shape[1])):
            inside = wanted[(wanted >= first) & (wanted < first + len(block))]
            found.append(np.asarray(block)[inside - first])
            first += len(block)
        rows: Float64Array = np.concatenate(found)[order]
        return rows

    def __repr__(self) -> str:
        return f"{self.source!r} without what it does not store"


def fill_unstored(block: Any) -> Float64Array:
    """NaN but for the entries stored."""
    entries = block.tocoo()
    cells = np.full(block.shape, np.nan)
    cells[entries.row, entries.col] = entries.data
    return cells


def mark_unstored(source: Source) -> Source:
    """The source whose unstored entries are holes; only a sparse one has some."""
    if isinstance(source, UnstoredSource):
        return source
    if traits_of(source).of_unit_length:
        raise OptionError.needs(
            SetOption("missing", "unstored"),
            "rows that are not divided by their length, which is unknown where cells are",
            Phrase("omit {}", Option("normalize")),
        )
    if not source.is_sparse:
        raise OptionError.needs(
            SetOption("missing", "unstored"),
            "a sparse table, which stores some of its entries only",
            "mark the missing cells of a dense table with NaN",
        )
    return UnstoredSource(source)
