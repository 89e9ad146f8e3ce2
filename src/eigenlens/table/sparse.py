"""Sparse rows: products by row chunks in threads, in float64, the centering kept implicit.

A shift would fill the zeros in, so there is none: the table corrects products for the mean. The
digits lost that way grow with mean^2 / variance, which the certificate reports. Sums of squares are
made about a shift all the same (`sparse_numbers.py`).

Cost     4 nnz l flops per pass for l vectors; the Gram matrix costs about nnz^2 / n scattered adds.
Threads  a share of the rows each, equal in entries; scipy's kernels release the interpreter. Shares
         are summed in their order, so the result does not depend on who finishes first.
Memory   CSR rows stay where they are; a CSC matrix is turned into CSR once. Files are read in
         portions, the next one while this one is multiplied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.orthonormal import triangle_of
from eigenlens.algebra.typing import AnyArray, Float64Array, FloatArray, IntArray
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import keep_threads, ordered_map, read_ahead
from eigenlens.sources.block import spans
from eigenlens.sources.protocol import Source
from eigenlens.sources.sparse import major_view, transpose_view, wrap_values
from eigenlens.sources.traits import blocks_from, traits_of
from eigenlens.table.column_sums import Sums, state_of_sums
from eigenlens.table.few_columns import COLUMNS_APART, multiply_sparse
from eigenlens.table.pass_observer import PassObserver
from eigenlens.table.rows import Frame, dual_times_by_vectors, sum_panel_products
from eigenlens.table.sparse_chunks import ChunkNumbers, Share, deal_chunks
from eigenlens.table.sparse_numbers import keep_largest, sums_about

__all__ = ["SparseRows"]

FEWEST_ENTRIES = 1 << 16  # fewer are not worth a share of their own
FEWEST_PRODUCTS = 1 << 20  # threads take longer to start than to multiply fewer
USUAL_COLUMNS = 16
MOST_ENTRIES = 1 << 19  # of a chunk: widened to float64 it takes 4 MB, and stays in cache
CACHED_ROWS = 8192  # the scores of so many rows are still in cache when they are multiplied back
DENSE_ENOUGH = 8  # entries per column of a chunk: the sum over chunks then costs little beside them
PANEL_BYTES = 32 << 20
FEWEST_BYTES = 1 << 20


@dataclass(frozen=True)
class SparseRows:
    source: Source
    block_bytes: int = 1 << 28
    watch: PassObserver = field(default_factory=PassObserver)
    tally_shift: Float64Array | None = None
    exponents: IntArray | None = None

    shift = None
    tails = ()
    precise = True
    dtype = np.dtype(np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @property
    def drift(self) -> float:
        return max(64.0, self.rows_per_chunk / 4)

    @property
    def gram_drift(self) -> float:
        return self.drift

    @property
    def lossless(self) -> bool:
        return self.exponents is not None

    def in_double(self) -> SparseRows:
        return self

    def in_units(self, exponents: IntArray) -> SparseRows:
        return replace(self, exponents=exponents)

    def largest_magnitudes(self, frame: Frame) -> Float64Array:
        largest = np.zeros(self.shape[1])
        for shares in self.portions_read([]):
            for _, block, _ in (chunk for share in shares for chunk in share):
                keep_largest(largest, block)
        return largest

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        # One of BLAS, also beside one thread of ours: what is dense here is small.
        with one_blas_thread(), keep_threads():
            yield

    @property
    def dense_bytes(self) -> int:
        """How large a dense piece may be, for those who need one; it is copied twice or so."""
        return min(PANEL_BYTES, max(self.block_bytes // 4, FEWEST_BYTES))

    # -- who does what ---------------------------------------------------------------------

    @property
    def entries(self) -> int:
        return max(1, self.source.stored_bytes // (self.source.dtype.itemsize + 4))

    @property
    def hands(self) -> int:
        return max(1, min(available_processors(), self.entries // FEWEST_ENTRIES))

    @property
    def rows_per_chunk(self) -> int:
        (n, d), share = self.shape, -(-self.shape[0] // self.hands)
        cached = min(CACHED_ROWS, max(1, MOST_ENTRIES * n // self.entries))
        least = max(cached, DENSE_ENOUGH * d * n // self.entries)
        return -(-share // max(1, round(share / least)))

    @cached_property
    def in_memory(self) -> list[Share]:
        return deal_chunks(0, self.source.blocks(self.rows_per_chunk), self.hands)

    def portions(self, frame: Frame, tally: Sums | None, *state: AnyArray) -> Iterator[list[Share]]:
        """All rows at once where they lie in memory; from files, as many as there is room for."""
        for shares in self.portions_read(state_of_sums(tally, *state)):
            if tally is not None:
                self.measure_portion(shares, frame, tally)
            yield shares

    def portions_read(self, state: list[AnyArray]) -> Iterator[list[Share]]:
        if not traits_of(self.source).is_stored:
            yield self.in_memory
            return
        held = max(1, self.block_bytes * self.shape[0] // (2 * self.source.stored_bytes))
        start = self.watch.begin(state)
        for block in read_ahead(blocks_from(self.source, held, start)):
            pieces = spans(block.shape[0], -(-block.shape[0] // self.hands), "rows")
            views = [major_view(block, piece) for piece in pieces]
            yield deal_chunks(start, views, self.hands)
            start += block.shape[0]
            self.watch.reached(start, state)

    def each(
        self, shares: list[Share], work: Callable[[int, Share], Any], columns: int = USUAL_COLUMNS
    ) -> list[Any]:
        """`work` of a hand on its share, for products with so many columns; in order of rows."""
        entries = sum(block.nnz for share in shares for _, block, _ in share)
        small = entries * max(columns, COLUMNS_APART) < FEWEST_PRODUCTS
        threads = 1 if small else len(shares)
        return list(ordered_map(lambda item: work(*item), enumerate(shares), threads))

    def add_up(
        self, total: Float64Array, shares: list[Share], product: Callable[..., Float64Array]
    ) -> None:
        """Add to `total` what `product(rows, block, turned block)` gives for every chunk."""

        def work(hand: int, share: Share) -> Float64Array:
            parts = (product(*self.numbers.ready(chunk, hand)) for chunk in share)
            mine = next(parts)
            for part in parts:
                mine += part
            return mine

        for part in self.each(shares, work, total.shape[1]):
            total += part

    # -- verbs -----------------------------------------------------------------------------

    def measure(self, frame: Frame, tally: Sums) -> None:
        for _ in self.portions(frame, tally):
            pass

    def measure_portion(self, shares: list[Share], frame: Frame, tally: Sums) -> None:
        shift = None if self.tally_shift is None else self.in_column_units(self.tally_shift)

        def sums(rows: slice, block: Any, back: Any) -> Float64Array:
            heavy = np.ones(block.shape[0]) if frame.weights is None else frame.weights[rows]
            squares = wrap_values(block, np.square(block.data, dtype=np.float64))
            if tally.lengths is not None:
                tally.lengths[rows] = squares @ frame.diagonal
            if shift is None:
                return np.stack([back @ heavy, transpose_view(squares) @ heavy])
            return sums_about(shift, block, heavy)

        total = np.zeros((2, self.shape[1]))
        self.add_up(total, shares, sums)
        tally.sums += total[0]
        tally.squares += total[1]

    def gram_times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        vectors = np.ascontiguousarray(vectors)  # else every chunk would copy them
        total = np.zeros(vectors.shape)

        def product(rows: slice, block: Any, back: Any) -> Float64Array:
            scores = multiply_sparse(block, vectors)
            heavy = frame.part(rows)
            if heavy is not None:
                scores *= heavy[:, None]
            return multiply_sparse(back, scores)

        for shares in self.portions(frame, tally, total):
            self.add_up(total, shares, product)
        return total

    def gram(self, frame: Frame, tally: Sums | None) -> Float64Array:
        total = np.zeros((self.shape[1], self.shape[1]))

        def work(hand: int, share: Share) -> list[Any]:
            products = []
            for rows, block, back in (self.numbers.ready(chunk, hand) for chunk in share):
                heavy = frame.part(rows)
                weighted = block if heavy is None else block.multiply(heavy[:, None]).tocsr()
                products.append((back @ weighted).tocoo())
            return products

        for shares in self.portions(frame, tally, total):
            for products in self.each(shares, work):
                for product in products:
                    total[product.row, product.col] += product.data
        return total

    def times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        vectors = np.ascontiguousarray(vectors)
        result = np.zeros((self.shape[0], vectors.shape[1]))

        def work(hand: int, share: Share) -> None:
            for rows, block, _ in (self.numbers.ready(chunk, hand) for chunk in share):
                result[rows] = block @ vectors

        for shares in self.portions(frame, tally, result):
            self.each(shares, work, vectors.shape[1])
        return result

    def transposed_times(
        self, vectors: Float64Array, frame: Frame, tally: Sums | None
    ) -> Float64Array:
        vectors = np.ascontiguousarray(vectors)
        total = np.zeros((self.shape[1], vectors.shape[1]))
        for shares in self.portions(frame, tally, total):
            self.add_up(total, shares, lambda rows, block, back: back @ vectors[rows])
        return total

    def rows_of_table(self, offset: Float64Array, frame: Frame) -> Iterator[FloatArray]:
        scale = np.sqrt(frame.diagonal)
        rows_per_block = max(1, self.dense_bytes // (8 * self.shape[1]))
        start = 0
        for block in self.source.blocks(rows_per_block):
            full = (self.in_column_units(block.toarray()) - offset) * scale
            rows = slice(start, start + len(full))
            heavy = frame.part(rows)
            yield full if heavy is None else full * np.sqrt(heavy)[:, None]
            start = rows.stop

    def dual_times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        return dual_times_by_vectors(self, vectors, frame, tally)

    def triangle(self, offset: Float64Array, frame: Frame) -> Float64Array:
        return triangle_of(self.rows_of_table(offset, frame))

    def inner_products(self, frame: Frame, tally: Sums | None) -> Float64Array:
        return sum_panel_products(self.panels_of_table(frame, tally), self.shape[0])

    def dual_triangle(self, frame: Frame, tally: Sums | None) -> Float64Array:
        return triangle_of(panel.T for panel in self.panels_of_table(frame, tally))

    def panels_of_table(self, frame: Frame, tally: Sums | None) -> Iterator[FloatArray]:
        if tally is not None:
            self.measure(frame, tally)
        start = 0
        for panel in self.source.panels(max(1, self.dense_bytes // (8 * self.shape[0]))):
            # Inner products of rows fill in anyway: a dense panel of columns at a time.
            columns = slice(start, start + panel.shape[1])
            full = self.in_column_units(panel.toarray(), columns)
            if frame.average is not None:
                full -= frame.average @ full
            full *= np.sqrt(frame.diagonal[columns])
            yield full if frame.heights is None else full * frame.heights[:, None]
            start = columns.stop

    # -- the numbers that are multiplied -----------------------------------------------------

    @cached_property
    def numbers(self) -> ChunkNumbers:
        return ChunkNumbers(self.exponents, not traits_of(self.source).is_stored, self.entries)

    def in_column_units(self, values: FloatArray, columns: slice = slice(None)) -> Float64Array:
        found: Float64Array = values.astype(np.float64, copy=False)
        return found if self.exponents is None else np.ldexp(found, -self.exponents[columns])
