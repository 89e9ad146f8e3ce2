"""Chunks of sparse rows: dealt out to threads, and made the float64 numbers that are multiplied.

Single precision is widened once and held where that takes little memory; else a chunk at a time,
into buffers that are used again: fresh memory for every product costs more than the product.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.sources.sparse import transpose_view, wrap_values

__all__ = ["Chunk", "ChunkNumbers", "Share", "deal_chunks"]

HELD_BYTES = 64 << 20  # numbers up to this size are kept in float64, whatever they are stored in

Chunk: TypeAlias = tuple[slice, Any, Any]  # which rows, themselves, and turned
Share: TypeAlias = list[Chunk]  # what one thread does


def deal_chunks(start: int, blocks: Iterable[Any], hands: int) -> list[Share]:
    """Chunks of rows that share the memory of the blocks, dealt out evenly by their entries."""
    chunks, middles, seen = [], [], 0
    for block in blocks:
        rows = slice(start, start + block.shape[0])
        chunks.append((rows, block, transpose_view(block)))
        start, seen = rows.stop, seen + block.nnz
        middles.append(seen - block.nnz / 2)
    owner = np.minimum(np.array(middles) * hands // max(seen, 1), hands - 1)
    shares = [
        [chunk for chunk, mine in zip(chunks, owner, strict=True) if mine == hand]
        for hand in range(hands)
    ]
    return [share for share in shares if share]


class ChunkNumbers:
    """Numbers of chunks in float64, divided by 2 to the `exponents` of their columns.

    `lasting`: the chunks are the same in every pass; `entries`: of all of them.
    """

    def __init__(self, exponents: IntArray | None, lasting: bool, entries: int) -> None:
        self.exponents = exponents
        self.holds = lasting and 8 * entries <= HELD_BYTES
        self.held: dict[int, Chunk] = {}
        self.buffers: dict[int, Float64Array] = {}

    def ready(self, chunk: Chunk, hand: int) -> Chunk:
        """The chunk as it is multiplied; until the same hand asks for another one."""
        rows, block, _ = chunk
        if self.exponents is None and block.dtype == np.float64:
            return chunk
        found = self.held.get(rows.start)
        if found is not None:
            return found
        values = np.empty(block.nnz) if self.holds else self.buffer(hand, block.nnz)
        values[:] = block.data
        if self.exponents is not None:
            np.ldexp(values, -self.exponents[block.indices], out=values)
        wide = wrap_values(block, values)
        found = (rows, wide, transpose_view(wide))
        if self.holds:
            self.held[rows.start] = found
        return found

    def buffer(self, hand: int, size: int) -> Float64Array:
        if hand not in self.buffers or len(self.buffers[hand]) < size:
            self.buffers[hand] = np.empty(size)
        return self.buffers[hand][:size]
