"""Finding NaN and infinity once a sum has come out not finite.

The fast path never looks at single numbers: one bad value spoils the total it notices anyway. Only
then is the table read once more, to say where the bad values are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.errors import DataError
from eigenlens.sources.protocol import Block, IntArray, Source
from eigenlens.sources.sparse import SparseSource
from eigenlens.sources.traits import traits_of

__all__ = ["BadValues", "bad_values", "complete_rows", "locate_not_finite"]

BLOCK_ENTRIES = 1 << 20
PLACES_SHOWN = 5


@dataclass
class BadValues:
    """What has been found so far."""

    nans: int = 0
    infinities: int = 0
    rows: int = 0
    places: list[tuple[int, int]] = field(default_factory=list)
    piece: int | None = None  # the first one they were met in, where a table lies in pieces

    def add(self, other: BadValues, first_row: int, piece: int) -> None:
        """What was found in a piece that begins with this row."""
        if other.places and self.piece is None:
            self.piece = piece
        self.nans += other.nans
        self.infinities += other.infinities
        self.rows += other.rows
        there = [(row + first_row, column) for row, column in other.places]
        self.places = (self.places + there)[:PLACES_SHOWN]


def locate_not_finite(source: Source, otherwise: DataError | None = None) -> DataError:
    """The error that names the bad values; `otherwise`, by default the one about overflow, where
    every value is finite.
    """
    find = getattr(source, "find_bad_values", None) or traits_of(source).find_bad_values
    bad: BadValues = bad_values(source) if find is None else find()
    if not bad.places:
        return DataError.overflow() if otherwise is None else otherwise
    names = source.names or range(source.shape[1])
    places = [(row, names[column]) for row, column in bad.places]
    locate = traits_of(source).locate_rows
    rows = sorted({row for row, _ in places})
    located = {} if locate is None else locate(rows)
    return DataError.not_finite(
        bad.nans, bad.infinities, places, bad.rows, source.shape, bad.piece, located,
        estimable=not traits_of(source).of_unit_length,
    )  # fmt: skip


def bad_values(source: Source) -> BadValues:
    bad = BadValues()
    for first_row, block in numbered_blocks(source):
        rows, columns, values = entries_not_finite(block)
        nans = int(np.isnan(values).sum())
        bad.nans += nans
        bad.infinities += values.size - nans
        bad.rows += np.unique(rows).size
        missing = PLACES_SHOWN - len(bad.places)
        found = zip((rows[:missing] + first_row).tolist(), columns[:missing].tolist(), strict=True)
        bad.places.extend(found)
    return bad


def complete_rows(source: Source) -> npt.NDArray[np.bool_]:
    """Which rows hold finite numbers only, in one pass."""
    complete = np.ones(source.shape[0], dtype=bool)
    for first_row, block in numbered_blocks(source):
        rows, _, _ = entries_not_finite(block)
        complete[first_row + rows] = False
    return complete


def numbered_blocks(source: Source) -> Iterator[tuple[int, Block]]:
    """Each block with the number of its first row; a sparse matrix of ours at once."""
    if isinstance(source, SparseSource):
        yield 0, source.matrix
        return
    first_row = 0
    for block in source.blocks(max(1, BLOCK_ENTRIES // source.shape[1])):
        yield first_row, block
        first_row += block.shape[0]


def entries_not_finite(block: Block) -> tuple[IntArray, IntArray, Any]:
    """Rows, columns and values of the bad entries, row by row."""
    if isinstance(block, np.ndarray):
        rows, columns = np.nonzero(~np.isfinite(block))
        return rows, columns, block[rows, columns]
    bad = np.flatnonzero(~np.isfinite(block.data))
    major = np.searchsorted(block.indptr, bad, side="right") - 1
    minor = block.indices[bad]
    rows, columns = (major, minor) if block.format == "csr" else (minor, major)
    order = np.lexsort((columns, rows))
    return rows[order], columns[order], block.data[bad][order]
