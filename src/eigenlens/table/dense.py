"""Dense rows: BLAS on blocks that stay in cache, float32 products summed in float64.

    pass over blocks   Z += B_b' (B_b V)   while B_b is warm: one read does the work of two.

Files    are read in larger blocks, the next one while this one is multiplied, and cut in memory.
Shift    none where means are small enough beside the spread (BLAS then works on the user's own
         memory); otherwise the sample's mean is subtracted from the block in cache.
Cost     4 n d l flops for l vectors; n d^2 for the Gram matrix.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np

from eigenlens.algebra.orthonormal import triangle_of
from eigenlens.algebra.typing import AnyArray, Float64Array, FloatArray, IntArray
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.parallel import read_ahead
from eigenlens.sources.array import ArraySource, are_views
from eigenlens.sources.block import spans
from eigenlens.sources.own_precision import unrounded_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.blas_error import measure_gram_error
from eigenlens.table.block_reading import read_blocks
from eigenlens.table.column_sums import Sums, state_of_sums
from eigenlens.table.few_columns import add_gram_product
from eigenlens.table.pass_observer import PassObserver
from eigenlens.table.rows import Frame, sum_panel_products

__all__ = ["CACHED_BYTES", "CACHE_BYTES", "DenseRows"]

CACHE_BYTES = 16 << 20  # a block of this size is still warm when it is multiplied a second time
CACHED_BYTES = 8 << 20  # of all rows: shifted and widened ones are then kept from pass to pass
KEPT_FROM = 3  # passes
MOST_ROWS = 4096
# Gram matrices are best made of long products, each of which ends on one processor alone.
GRAM_ROWS = 16384
# A float32 sum of m equal numbers drifts by m/4 roundings. OpenBLAS breaks long sums up, but not in
# products of fewer than about a million operations: narrow tables are read in shorter blocks.
MOST_ROWS_IF_NARROW = 512
NARROW = 256
DRIFT = {4: 72.0, 8: 1024.0}  # roundings, by bytes per number: half of the most ever measured
TINY = 64  # Gram matrices of fewer columns are such small products
FEWEST = 64  # below this many rows or columns a product no longer fills the machine


@dataclass(frozen=True)
class DenseRows:
    source: Source
    shift: Float64Array | None
    precise: bool = False
    block_bytes: int = CACHE_BYTES
    watch: PassObserver = field(default_factory=PassObserver)
    exponents: IntArray | None = None

    tails = ()

    @property
    def lossless(self) -> bool:
        return self.exponents is not None

    @property
    def tally_shift(self) -> Float64Array | None:
        return self.shift

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(np.float64) if self.precise else self.source.dtype

    @property
    def read_from(self) -> Source:
        return unrounded_source(self.source) if self.precise else self.source

    @property
    def drift(self) -> float:
        return DRIFT[self.dtype.itemsize]

    @property
    def gram_drift(self) -> float:
        if self.dtype.itemsize == 8:
            return self.drift
        return measure_gram_error(min(self.gram_rows, self.shape[0]), self.shape[1])

    @property
    def most_rows(self) -> int:
        narrow = self.dtype.itemsize == 4 and min(self.shape) < NARROW
        return MOST_ROWS_IF_NARROW if narrow else MOST_ROWS

    @property
    def gram_rows(self) -> int:
        tiny = self.dtype.itemsize == 4 and self.shape[1] < TINY
        if not tiny and self.shift is None and are_views(self.source, self.dtype):
            return GRAM_ROWS
        most = MOST_ROWS_IF_NARROW if tiny else MOST_ROWS
        return self.rows_of_bytes(2 * self.block_bytes, most)

    def in_double(self) -> DenseRows:
        return replace(self, precise=True)

    def in_units(self, exponents: IntArray) -> DenseRows:
        return replace(self, precise=True, exponents=exponents)

    @property
    def fits_cache(self) -> bool:
        size = math.prod(self.shape) * self.dtype.itemsize
        return size <= min(CACHED_BYTES, self.block_bytes)

    @cached_property
    def shifted_copy(self) -> FloatArray:
        return self.shifted(next(iter(self.read_from.blocks(self.shape[0]))), slice(None))

    @property
    def kept(self) -> FloatArray | None:
        """A small array as it is multiplied, from the third pass on: later ones copy nothing."""
        copied = self.shift is not None or self.dtype != self.source.dtype
        wanted = copied and self.fits_cache and self.watch.number >= KEPT_FROM
        return self.shifted_copy if wanted and isinstance(self.source, ArraySource) else None

    def largest_magnitudes(self, frame: Frame) -> Float64Array:
        parts = (np.abs(block).max(axis=0, initial=0.0) for _, block in self.blocks())
        return reduce(np.maximum, parts, np.zeros(self.shape[1]))

    def undisturbed(self) -> AbstractContextManager[None]:
        return one_blas_thread() if self.fits_cache else nullcontext()  # products are short

    # -- reading ---------------------------------------------------------------------------

    def blocks(self, state: Sequence[AnyArray] = ()) -> Iterator[tuple[slice, FloatArray]]:
        """Rows in order, cut to what stays in cache; `state` is all that comes of them so far."""
        rows = self.rows_of_bytes(self.block_bytes, self.most_rows)
        for where, block in self.large_blocks(rows, state):
            for part in spans(len(block), rows, "rows"):
                yield slice(where.start + part.start, where.start + part.stop), block[part]

    def rows_of_bytes(self, size: int, most: int) -> int:
        rows = max(1, size // (self.shape[1] * self.dtype.itemsize))
        return min(rows if traits_of(self.source).is_stored else max(rows, FEWEST), most)

    def large_blocks(
        self, rows: int, state: Sequence[AnyArray]
    ) -> Iterator[tuple[slice, FloatArray]]:
        """Shifted, each some multiple of `rows` but the last."""
        start, kept, sizes = self.watch.begin(state), self.kept, (rows, self.block_bytes)
        read = partial(read_blocks, self.read_from, start, *sizes, self.shift is not None)
        for block in read() if kept is None else [kept[start:]]:
            where = slice(start, start + len(block))
            yield where, self.shifted(block, slice(None)) if kept is None else block
            start = where.stop
            self.watch.reached(start, state)

    def panels(self) -> Iterator[tuple[slice, FloatArray]]:
        stored = traits_of(self.source).is_stored
        columns = max(1, self.block_bytes // (self.shape[0] * self.dtype.itemsize))
        columns = min(columns if stored else max(columns, FEWEST), self.most_rows)
        panels, start = self.read_from.panels(columns), 0
        for panel in read_ahead(panels) if stored else panels:
            where = slice(start, start + panel.shape[1])
            yield where, self.shifted(panel, where)
            start = where.stop
            self.watch.reached(self.shape[0] * start // self.shape[1], ())

    def shifted(self, block: FloatArray, columns: slice) -> FloatArray:
        # Subtract before multiplying rather than correct the product: with a mean of 1e4 in
        # float32 the correction cancels every digit (test_far_from_origin).
        if self.shift is None:
            difference: FloatArray = block.astype(self.dtype, copy=False)
        else:
            # A view may be of the user's own memory, whatever its flags say.
            fresh = block.flags.writeable and block.flags.owndata and traits_of(self.source).fresh
            out = block if fresh and block.dtype == self.dtype else None
            shift = self.shift[columns].astype(self.dtype)
            difference = np.subtract(block, shift, out=out, dtype=self.dtype)
        if self.exponents is None:
            return difference
        return np.ldexp(difference, -self.exponents[columns])

    # -- row blocks ------------------------------------------------------------------------

    def measure(self, frame: Frame, tally: Sums) -> None:
        for _ in self.tallied(frame, tally):
            pass

    def gram_times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        low = vectors.astype(self.dtype)
        total = np.zeros(vectors.shape[::-1])
        for rows, block in self.tallied(frame, tally, total):
            add_gram_product(total, block, low, frame.part(rows), self.fits_cache)
        return total.T

    def gram(self, frame: Frame, tally: Sums | None) -> Float64Array:
        total = np.zeros((self.shape[1], self.shape[1]))
        rows = self.gram_rows
        if frame.weights is not None:  # whose roots a copy of the block is multiplied by
            rows = min(rows, self.rows_of_bytes(2 * self.block_bytes, MOST_ROWS))
        for where, block in self.large_blocks(rows, state_of_sums(tally, total)):
            heavy = frame.part(where)
            roots = None if heavy is None else np.sqrt(heavy).astype(self.dtype)[:, None]
            weighted = block if roots is None else block * roots
            for part in spans(len(block), rows, "rows"):
                total += weighted[part].T @ weighted[part]
            # For the whole block: small products of two kinds in turn are slow.
            if tally is not None:
                tally.add_sums(block, heavy)
        if tally is not None:
            tally.squares += np.diag(total)
        return total

    def times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        low = vectors.astype(self.dtype)
        result = np.zeros((self.shape[0], vectors.shape[1]))
        for rows, block in self.tallied(frame, tally, result):
            if tally is not None:
                tally.add_lengths(block, rows, frame.diagonal)
            result[rows] = block @ low
        return result

    def transposed_times(
        self, vectors: Float64Array, frame: Frame, tally: Sums | None
    ) -> Float64Array:
        total = np.zeros((vectors.shape[1], self.shape[1]))
        for rows, block in self.tallied(frame, tally, total):
            total += vectors[rows].T.astype(self.dtype) @ block
        return total.T

    def rows_of_table(self, offset: Float64Array, frame: Frame) -> Iterator[FloatArray]:
        scale, step = np.sqrt(frame.diagonal).astype(self.dtype), offset.astype(self.dtype)
        scaled = bool(np.any(scale != 1))
        for rows, block in self.blocks():
            ready = block - step
            if scaled:
                ready *= scale
            heavy = frame.part(rows)
            if heavy is not None:
                ready *= np.sqrt(heavy).astype(self.dtype)[:, None]
            yield ready

    def triangle(self, offset: Float64Array, frame: Frame) -> Float64Array:
        return triangle_of(self.rows_of_table(offset, frame))

    # -- column panels ---------------------------------------------------------------------

    def dual_times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
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

    def inner_products(self, frame: Frame, tally: Sums | None) -> Float64Array:
        return sum_panel_products(self.panels_of_table(frame, tally), self.shape[0])

    def dual_triangle(self, frame: Frame, tally: Sums | None) -> Float64Array:
        return triangle_of(panel.T for panel in self.panels_of_table(frame, tally))

    def panels_of_table(self, frame: Frame, tally: Sums | None) -> Iterator[FloatArray]:
        for columns, panel in self.tallied_panels(frame, tally):
            mean = 0.0 if frame.average is None else frame.average.astype(self.dtype) @ panel
            ready = (panel - mean) * np.sqrt(frame.diagonal[columns]).astype(self.dtype)
            if frame.heights is not None:
                ready *= frame.heights.astype(self.dtype)[:, None]
            yield ready

    # -- gathering moments on the way ------------------------------------------------------

    def tallied(
        self, frame: Frame, tally: Sums | None, *state: AnyArray
    ) -> Iterator[tuple[slice, FloatArray]]:
        for rows, block in self.blocks(state=state_of_sums(tally, *state)):
            if tally is not None:
                tally.add(block, frame.part(rows), slice(None))
            yield rows, block

    def tallied_panels(
        self, frame: Frame, tally: Sums | None
    ) -> Iterator[tuple[slice, FloatArray]]:
        for columns, panel in self.panels():
            if tally is not None:
                tally.add(panel, frame.weights, columns)
                tally.add_lengths(panel, slice(None), frame.diagonal[columns])
            yield columns, panel
