"""A source with its holes filled, block by block as it is read: what a model's verbs then see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.completer import Completer
from eigenlens.missing.observed import as_dense, rows_at_once
from eigenlens.sources.protocol import Block, IntArray
from eigenlens.sources.wrapping import WrappingSource

__all__ = ["CompletedSource"]


@dataclass(frozen=True, eq=False)
class CompletedSource(WrappingSource):
    """Rows as expected given their observed cells; a row without any cell is at the mean."""

    completer: Completer

    is_sparse = False
    dtype = np.dtype(np.float64)

    def blocks(self, rows_per_block: int) -> Iterator[Block]:
        for block in self.source.blocks(rows_per_block):
            yield self.completer.complete(as_dense(block)).rows

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        """A hole is filled from its whole row, so every panel reads all columns."""
        rows, width = self.shape
        for start in range(0, width, columns_per_panel):
            chosen = slice(start, min(start + columns_per_panel, width))
            blocks = self.blocks(rows_at_once(width))
            panel = np.empty((rows, chosen.stop - chosen.start))
            first = 0
            for block in blocks:
                panel[first : first + len(block)] = block[:, chosen]
                first += len(block)
            yield panel

    def sample(self, indices: IntArray) -> Float64Array:
        cells = np.asarray(self.source.sample(indices), dtype=np.float64)
        return self.completer.complete(cells).rows

    def __repr__(self) -> str:
        return f"{self.source!r} with its holes filled"
