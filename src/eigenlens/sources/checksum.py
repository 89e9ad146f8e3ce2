"""Checksum: whether numbers read again are those of the first time, whatever blocks they come in.

    (rows, sum w, sum i w, sum j w)   over the bits w of the entry in row i, column j, wrapped

Cost     reading the block once more while it is in cache: 1 to 5 GB/s, narrow rows being slow.
Sees     any one number that changed, and rows or columns that changed places. Not meant against
         those who want to deceive it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.sources.protocol import Block

__all__ = ["Checksum"]

WORDS: dict[int, Any] = {4: np.uint32, 8: np.uint64}  # sums in the words' own size need no cast

Words = npt.NDArray[Any]


@dataclass
class Checksum:
    rows: int = 0
    # The three sums, by the bytes of a word: each is known modulo what such a word holds.
    sums: dict[int, list[int]] = field(default_factory=lambda: {size: [0, 0, 0] for size in WORDS})

    def add(self, block: Block) -> None:
        """The next rows, dense or sparse, in floats of 4 or 8 bytes."""
        word = WORDS[block.dtype.itemsize]
        if isinstance(block, np.ndarray):
            bits = block.view(word)
            rows = np.add.reduce(bits, axis=1, dtype=word)
            columns = np.add.reduce(bits, axis=0, dtype=word)
            self.add_up(rows, np.arange(len(rows)), columns, np.arange(len(columns)))
        else:
            entries = block.tocoo()
            bits = np.ascontiguousarray(entries.data).view(word)
            self.add_up(bits, entries.row, bits, entries.col)
        self.rows += block.shape[0]

    def add_up(self, rows: Words, row: Words, columns: Words, column: Words) -> None:
        """Bits of rows, or entries, with their row in the block; and the same for columns."""
        sums, size = self.sums[rows.itemsize], rows.itemsize
        found = (
            weighted_sum(rows, np.ones(len(rows))),
            weighted_sum(rows, row.astype(np.int64) + (self.rows + 1)),
            weighted_sum(columns, column.astype(np.int64) + 1),
        )
        sums[:] = [(old + new) % (1 << 8 * size) for old, new in zip(sums, found, strict=True)]

    def __str__(self) -> str:
        every = (f"{one:x}" for sums in self.sums.values() for one in sums)
        return f"{self.rows} rows {' '.join(every)}"


def weighted_sum(bits: Words, weights: Words) -> int:
    """Their sum, each so many times; what goes beyond 64 bits is of no account."""
    return int(np.add.reduce(bits.astype(np.uint64) * weights.astype(np.uint64), dtype=np.uint64))
