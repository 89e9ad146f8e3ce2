"""Points: rows as kernels see them, float64, and which rows of the data they are.

Rows are shifted where the kernel does not mind: distances of rows far from the origin, computed
from lengths and products, would otherwise be differences of large numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.machine.parallel import read_ahead
from eigenlens.sources.protocol import Block, Source
from eigenlens.sources.traits import peek_rows, traits_of

__all__ = ["Points", "origin_shift", "points_at", "points_of", "read_tiles"]

READ_BYTES = 8 << 20
SAMPLE_ROWS = 1000


@dataclass(frozen=True, eq=False)
class Points:
    """`rows` (r, d), dense or csr; `numbers` (r,) counts them from the first row of the data."""

    rows: Any
    numbers: IntArray

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def is_sparse(self) -> bool:
        return not isinstance(self.rows, np.ndarray)

    @property
    def width(self) -> int:
        return int(self.rows.shape[1])

    @cached_property
    def lengths(self) -> Float64Array:
        """|x|^2 of every row."""
        if self.is_sparse:
            return np.asarray(self.rows.multiply(self.rows).sum(axis=1)).ravel()
        found: Float64Array = np.einsum("ij,ij->i", self.rows, self.rows)
        return found

    def part(self, which: slice | IntArray) -> Points:
        return Points(self.rows[which], self.numbers[which])

    def products(self, others: Points) -> Float64Array:
        """x'z for all pairs, (r, m), the caller's to overwrite."""
        found = self.rows @ others.rows.T
        return found if isinstance(found, np.ndarray) else np.asarray(found.toarray())

    def dense(self) -> Float64Array:
        return np.asarray(self.rows.toarray() if self.is_sparse else self.rows)


def points_of(block: Block, first: int, shift: Float64Array | None) -> Points:
    """A block of a source as points: a fresh copy, never the caller's memory."""
    numbers = np.arange(first, first + block.shape[0])
    if not isinstance(block, np.ndarray):
        from scipy.sparse import csr_array

        return Points(csr_array(block, dtype=np.float64, copy=True), numbers)
    if shift is None:
        return Points(np.array(block, dtype=np.float64, order="C"), numbers)
    return Points(np.subtract(block, shift, dtype=np.float64, order="C"), numbers)


def points_at(source: Source, numbers: IntArray, shift: Float64Array | None) -> Points:
    """Some rows of a source, in the order of `numbers`; sparse ones are never filled in."""
    if not source.is_sparse:
        rows = source.sample(numbers)
        return Points(points_of(rows, 0, shift).rows, numbers)
    from scipy.sparse import vstack

    order = np.argsort(numbers)
    ascending, picked = numbers[order], []
    for first, block in number_blocks(source, rows_in(READ_BYTES, source)):
        low, high = np.searchsorted(ascending, [first, first + block.shape[0]])
        picked.append(block.tocsr()[ascending[low:high] - first])
    rows = vstack(picked, format="csr")[np.argsort(order)]
    return Points(points_of(rows, 0, None).rows, numbers)


def read_tiles(source: Source, rows_per_tile: int, shift: Float64Array | None) -> Iterator[Points]:
    """All rows in order, a few at a time; a file is read ahead, in larger blocks."""
    at_once = rows_per_tile
    if traits_of(source).is_stored:
        at_once = max(1, rows_in(READ_BYTES, source) // rows_per_tile) * rows_per_tile
    for first, block in number_blocks(source, at_once):
        for start in range(0, block.shape[0], rows_per_tile):
            yield points_of(block[start : start + rows_per_tile], first + start, shift)


def number_blocks(source: Source, rows_per_block: int) -> Iterator[tuple[int, Block]]:
    blocks = source.blocks(rows_per_block)
    first = 0
    for block in read_ahead(blocks) if traits_of(source).is_stored else blocks:
        yield first, block
        first += block.shape[0]


def rows_in(size: int, source: Source) -> int:
    return max(1, size // (8 * source.shape[1]))


def origin_shift(source: Source, moves: bool) -> Float64Array | None:
    """Where to put the origin for kernels that do not mind; sparse rows stay where they are."""
    if not moves or source.is_sparse:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        middle: Float64Array = peek_rows(source, SAMPLE_ROWS).mean(axis=0)
    return np.where(np.isfinite(middle), middle, 0.0)
