"""A table turned: its columns are the rows, its rows the columns.

Cost     in memory nothing. A file is read once per block of rows, unless it is stored by columns:
         write large tables the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenlens.sources.protocol import Block, FloatArray, IntArray
from eigenlens.sources.traits import Traits
from eigenlens.sources.wrapping import WrappingSource

__all__ = ["TransposedSource"]

PANEL_BYTES = 32 << 20


@dataclass(frozen=True, eq=False)
class TransposedSource(WrappingSource):
    names = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape[1], self.source.shape[0]

    @cached_property
    def traits(self) -> Traits:
        """Places, pictures and searches of the source are about rows that are columns here."""
        return self.derive_traits(
            "transposed",
            glance=None,
            by_columns=True,
            column_shape=None,
            locate_rows=None,
            find_bad_values=None,
        )

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        seen = 0
        for panel in self.source.panels(rows_per_block):
            first, seen = seen, seen + panel.shape[1]
            if seen > start:
                yield self.turn(panel[:, max(start - first, 0) :])

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        for block in self.source.blocks(columns_per_panel):
            yield self.turn(block)

    def sample(self, indices: IntArray) -> FloatArray:
        wanted = np.asarray(indices)
        rows = np.empty((len(wanted), self.shape[1]))
        size = max(1, PANEL_BYTES // (8 * max(1, self.shape[1])))
        first = 0
        for block in self.blocks(size):
            here = (wanted >= first) & (wanted < first + block.shape[0])
            if here.any():
                part = block[wanted[here] - first]
                rows[here] = part.toarray() if self.is_sparse else part
            first += block.shape[0]
        return rows

    def turn(self, part: Block) -> Block:
        return part.T.tocsr() if self.is_sparse else part.T

    def __repr__(self) -> str:
        return f"TransposedSource({self.shape[0]} x {self.shape[1]}, of {self.source!r})"
