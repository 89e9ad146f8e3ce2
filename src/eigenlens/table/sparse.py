"""Sparse rows: products by row chunks in threads, in float64, the centering kept implicit.

A shift would fill the zeros in, so there is none: the table corrects products for the mean. The
digits lost that way grow with mean^2 / variance, which the certificate reports.

Cost     4 nnz l flops per pass for l vectors; the Gram matrix costs about nnz^2 / n scattered adds.
Threads  one chunk of rows each; scipy's kernels release the interpreter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.sources.protocol import Source
from eigenlens.table.rows import Frame
from eigenlens.table.tally import Tally

__all__ = ["SparseRows"]

CHUNK_ENTRIES = 1 << 21
FEWEST_ENTRIES = 1 << 16  # a thread takes longer to start than to multiply fewer
PANEL_BYTES = 32 << 20


@dataclass(frozen=True)
class SparseRows:
    source: Source

    shift = None
    precise = True
    dtype = np.dtype(np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @property
    def drift(self) -> float:
        longest = max(int(rows.stop - rows.start) for rows, _ in self.chunks)
        return max(64.0, longest / 4)

    def in_double(self) -> SparseRows:
        return self

    @cached_property
    def chunks(self) -> list[tuple[slice, Any]]:
        """Row chunks that share the caller's memory, enough of them to keep every core busy."""
        entries = max(1, self.source.stored_bytes // (self.source.dtype.itemsize + 4))
        pieces = max(min(cores(), entries // FEWEST_ENTRIES), -(-entries // CHUNK_ENTRIES), 1)
        rows_per_chunk = max(1, -(-self.shape[0] // pieces))
        chunks, start = [], 0
        for block in self.source.blocks(rows_per_chunk):
            chunks.append((slice(start, start + block.shape[0]), block))
            start += block.shape[0]
        return chunks

    def each(self, work: Callable[[slice, Any], Any]) -> list[Any]:
        """`work` on every chunk in float64, results in the order of the rows."""

        def on_chunk(chunk: tuple[slice, Any]) -> Any:
            rows, block = chunk
            # float64 sums of float32 entries: converted a chunk at a time, never whole.
            return work(rows, block.astype(np.float64, copy=False))

        if len(self.chunks) == 1:
            return [on_chunk(self.chunks[0])]
        with ThreadPoolExecutor(cores()) as pool:
            return list(pool.map(on_chunk, self.chunks))

    def measure(self, frame: Frame, tally: Tally) -> None:
        def work(rows: slice, block: Any) -> tuple[Float64Array, Float64Array, Float64Array]:
            heavy = np.ones(block.shape[0]) if frame.weights is None else frame.weights[rows]
            squared = block.copy()
            squared.data = squared.data**2
            return block.T @ heavy, squared.T @ heavy, squared @ frame.diagonal

        lengths = []
        for sums, squares, length in self.each(work):
            tally.sums += sums
            tally.squares += squares
            lengths.append(length)
        tally.lengths = np.concatenate(lengths)

    def gram_times(self, vectors: Float64Array, frame: Frame, tally: Tally | None) -> Float64Array:
        if tally is not None:
            self.measure(frame, tally)

        def work(rows: slice, block: Any) -> Float64Array:
            scores = block @ vectors
            heavy = frame.part(rows)
            if heavy is not None:
                scores *= heavy[:, None]
            product: Float64Array = block.T @ scores
            return product

        return summed(self.each(work))

    def gram(self, frame: Frame, tally: Tally | None) -> Float64Array:
        if tally is not None:
            self.measure(frame, tally)
        total = np.zeros((self.shape[1], self.shape[1]))

        def work(rows: slice, block: Any) -> Any:
            heavy = frame.part(rows)
            weighted = block if heavy is None else block.multiply(heavy[:, None]).tocsr()
            return (block.T @ weighted).tocoo()

        for product in self.each(work):
            total[product.row, product.col] += product.data
        return total

    def times(self, vectors: Float64Array, frame: Frame, tally: Tally | None) -> Float64Array:
        if tally is not None:
            self.measure(frame, tally)
        return np.concatenate(self.each(lambda rows, block: block @ vectors))

    def transposed_times(
        self, vectors: Float64Array, frame: Frame, tally: Tally | None
    ) -> Float64Array:
        if tally is not None:
            self.measure(frame, tally)
        return summed(self.each(lambda rows, block: block.T @ vectors[rows]))

    def rows_of_table(self, offset: Float64Array, frame: Frame) -> Iterator[FloatArray]:
        scale = np.sqrt(frame.diagonal)
        rows_per_block = max(1, PANEL_BYTES // (8 * self.shape[1]))
        start = 0
        for block in self.source.blocks(rows_per_block):
            full = (block.toarray() - offset) * scale
            rows = slice(start, start + len(full))
            heavy = frame.part(rows)
            yield full if heavy is None else full * np.sqrt(heavy)[:, None]
            start = rows.stop

    def dual_times(self, vectors: Float64Array, frame: Frame, tally: Tally | None) -> Float64Array:
        heavy = vectors if frame.heights is None else vectors * frame.heights[:, None]
        inner = self.transposed_times(heavy, frame, tally)
        if frame.average is None:
            product = self.times(inner * frame.diagonal[:, None], frame, None)
        else:
            mean = self.transposed_times(frame.average[:, None], frame, None)
            inner = (inner - mean * heavy.sum(axis=0)) * frame.diagonal[:, None]
            product = self.times(inner, frame, None) - mean.T @ inner
        return product if frame.heights is None else product * frame.heights[:, None]

    def panels_of_table(self, frame: Frame, tally: Tally | None) -> Iterator[FloatArray]:
        if tally is not None:
            self.measure(frame, tally)
        start = 0
        for panel in self.source.panels(max(1, PANEL_BYTES // (8 * self.shape[0]))):
            # Inner products of rows fill in anyway: a dense panel of columns at a time.
            full = panel.toarray().astype(np.float64, copy=False)
            if frame.average is not None:
                full -= frame.average @ full
            full *= np.sqrt(frame.diagonal[start : start + full.shape[1]])
            yield full if frame.heights is None else full * frame.heights[:, None]
            start += full.shape[1]


def summed(parts: list[Float64Array]) -> Float64Array:
    total = parts[0]
    for other in parts[1:]:
        total += other
    return total


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
