"""Dense rows: BLAS on blocks that stay in cache, float32 products summed in float64.

    pass over blocks   Z += B_b' (B_b V)   while B_b is warm: one read does the work of two.

Shift    none where every column's mean is small beside its spread (BLAS then works on the user's
         own memory); otherwise the sample's mean is subtracted from the block in cache.
Cost     4 n d l flops for l vectors; n d^2 for the Gram matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.sources.protocol import Source
from eigenlens.table.rows import Frame
from eigenlens.table.tally import Tally

__all__ = ["CACHE_BYTES", "DenseRows"]

CACHE_BYTES = 16 << 20  # a block of this size is still warm when it is multiplied a second time
MOST_ROWS = 4096
# A float32 sum of m equal numbers drifts by m/4 roundings. OpenBLAS breaks long sums up, but not in
# products of fewer than about a million operations: narrow tables are read in shorter blocks.
MOST_ROWS_IF_NARROW = 512
NARROW = 256
DRIFT = {4: 72.0, 8: 1024.0}  # roundings, by bytes per number: half of the most ever measured
FEWEST = 64  # below this many rows or columns a product no longer fills the machine


@dataclass(frozen=True)
class DenseRows:
    source: Source
    shift: Float64Array | None
    precise: bool = False
    block_bytes: int = CACHE_BYTES

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(np.float64) if self.precise else self.source.dtype

    @property
    def drift(self) -> float:
        return DRIFT[self.dtype.itemsize]

    @property
    def most_rows(self) -> int:
        narrow = self.dtype.itemsize == 4 and min(self.shape) < NARROW
        return MOST_ROWS_IF_NARROW if narrow else MOST_ROWS

    def in_double(self) -> DenseRows:
        return replace(self, precise=True)

    def undisturbed(self) -> AbstractContextManager[None]:
        return nullcontext()

    # -- reading ---------------------------------------------------------------------------

    def blocks(self, times: int = 1) -> Iterator[tuple[slice, FloatArray]]:
        rows = times * self.block_bytes // (self.shape[1] * self.dtype.itemsize)
        start = 0
        for block in self.source.blocks(min(max(rows, FEWEST), self.most_rows)):
            where = slice(start, start + len(block))
            yield where, self.shifted(block, self.shift)
            start = where.stop

    def panels(self) -> Iterator[tuple[slice, FloatArray]]:
        columns = self.block_bytes // (self.shape[0] * self.dtype.itemsize)
        start = 0
        for panel in self.source.panels(min(max(columns, FEWEST), self.most_rows)):
            where = slice(start, start + panel.shape[1])
            yield where, self.shifted(panel, None if self.shift is None else self.shift[where])
            start = where.stop

    def shifted(self, block: FloatArray, shift: Float64Array | None) -> FloatArray:
        # Subtract before multiplying rather than correct the product: with a mean of 1e4 in
        # float32 the correction cancels every digit (test_far_from_origin).
        if shift is None:
            return block.astype(self.dtype, copy=False)
        out = block if block.flags.writeable and block.dtype == self.dtype else None
        difference: FloatArray = np.subtract(
            block, shift.astype(self.dtype), out=out, dtype=self.dtype
        )
        return difference

    # -- row blocks ------------------------------------------------------------------------

    def measure(self, frame: Frame, tally: Tally) -> None:
        for rows, block in self.blocks():
            tally.add(block, frame.part(rows), slice(None))

    def gram_times(self, vectors: Float64Array, frame: Frame, tally: Tally | None) -> Float64Array:
        low = vectors.astype(self.dtype)
        total = np.zeros(vectors.shape[::-1])
        for rows, block in self.tallied(frame, tally):
            scores = block @ low
            heavy = frame.part(rows)
            if heavy is not None:
                scores *= heavy[:, None]
            # scores.T @ block, not block.T @ scores: a third faster in OpenBLAS for thin blocks.
            total += scores.T @ block
        return total.T

    def gram(self, frame: Frame, tally: Tally | None) -> Float64Array:
        total = np.zeros((self.shape[1], self.shape[1]))
        for rows, block in self.blocks(times=2):
            heavy = frame.part(rows)
            weighted = block
            if heavy is not None:
                weighted = block * np.sqrt(heavy).astype(self.dtype)[:, None]
            total += weighted.T @ weighted
            if tally is not None:  # after the product, which has brought the block into cache
                tally.add_sums(block, heavy)
        if tally is not None:
            tally.squares += np.diag(total)
        return total

    def times(self, vectors: Float64Array, frame: Frame, tally: Tally | None) -> Float64Array:
        low = vectors.astype(self.dtype)
        result = np.empty((self.shape[0], vectors.shape[1]))
        for rows, block in self.tallied(frame, tally):
            if tally is not None:
                tally.add_lengths(block, rows, frame.diagonal)
            result[rows] = block @ low
        return result

    def transposed_times(
        self, vectors: Float64Array, frame: Frame, tally: Tally | None
    ) -> Float64Array:
        total = np.zeros((vectors.shape[1], self.shape[1]))
        for rows, block in self.tallied(frame, tally):
            total += vectors[rows].T.astype(self.dtype) @ block
        return total.T

    def rows_of_table(self, offset: Float64Array, frame: Frame) -> Iterator[FloatArray]:
        scale = np.sqrt(frame.diagonal).astype(self.dtype)
        for rows, block in self.blocks():
            block = (block - offset.astype(self.dtype)) * scale
            heavy = frame.part(rows)
            yield block if heavy is None else block * np.sqrt(heavy).astype(self.dtype)[:, None]

    # -- column panels ---------------------------------------------------------------------

    def dual_times(self, vectors: Float64Array, frame: Frame, tally: Tally | None) -> Float64Array:
        heavy = vectors if frame.heights is None else vectors * frame.heights[:, None]
        low, sums = heavy.astype(self.dtype), heavy.sum(axis=0)
        total = np.zeros(vectors.shape)
        for columns, panel in self.tallied_panels(frame, tally):
            inner = (low.T @ panel).T.astype(np.float64)
            if frame.average is not None:
                mean = frame.average.astype(self.dtype) @ panel
                inner -= np.outer(mean, sums)
            inner *= frame.diagonal[columns, None]
            total += panel @ inner.astype(self.dtype)
            if frame.average is not None:
                total -= mean @ inner
        return total if frame.heights is None else total * frame.heights[:, None]

    def panels_of_table(self, frame: Frame, tally: Tally | None) -> Iterator[FloatArray]:
        for columns, panel in self.tallied_panels(frame, tally):
            mean = 0.0 if frame.average is None else frame.average.astype(self.dtype) @ panel
            ready = (panel - mean) * np.sqrt(frame.diagonal[columns]).astype(self.dtype)
            if frame.heights is not None:
                ready *= frame.heights.astype(self.dtype)[:, None]
            yield ready

    # -- gathering moments on the way ------------------------------------------------------

    def tallied(self, frame: Frame, tally: Tally | None) -> Iterator[tuple[slice, FloatArray]]:
        for rows, block in self.blocks():
            if tally is not None:
                tally.add(block, frame.part(rows), slice(None))
            yield rows, block

    def tallied_panels(
        self, frame: Frame, tally: Tally | None
    ) -> Iterator[tuple[slice, FloatArray]]:
        for columns, panel in self.panels():
            if tally is not None:
                tally.add(panel, frame.weights, columns)
                tally.add_lengths(panel, slice(None), frame.diagonal[columns])
            yield columns, panel
