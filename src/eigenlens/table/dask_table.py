"""Spread rows: the verbs of a table done where the rows lie, and their results added on the way.

    verb(table) = sum over pieces of verb(piece)       one d x l or d x d result leaves a worker

A piece is worked on by the same `DenseRows` or `SparseRows` as a table in memory. What has one
entry per row (weights, vectors of the row side) is cut as the pieces are and travels to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from eigenlens.algebra.orthonormal import triangle_of
from eigenlens.algebra.typing import Float64Array, FloatArray, IntArray
from eigenlens.errors import ChunkError
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.sources.block import spans
from eigenlens.sources.dask.rows import DistributedSource, stack_parts
from eigenlens.sources.protocol import Source
from eigenlens.table.column_sums import Sums
from eigenlens.table.dense import CACHE_BYTES, DenseRows
from eigenlens.table.pass_observer import PassObserver
from eigenlens.table.rows import Frame, RowStorage, dual_times_by_vectors, sum_panel_products
from eigenlens.table.sparse import SparseRows

__all__ = ["DaskRows"]

PANEL_BYTES = 64 << 20
UNGATHERED = ("triangle", "largest_magnitudes")  # verbs that gather no sums


@dataclass(frozen=True)
class DaskRows:
    source: DistributedSource
    shift: Float64Array | None
    precise: bool = False
    block_bytes: int = CACHE_BYTES
    watch: PassObserver = field(default_factory=PassObserver)
    sparse_shift: Float64Array | None = None  # of sums, where products cannot be shifted
    exponents: IntArray | None = None

    tails = ()

    @property
    def tally_shift(self) -> Float64Array | None:
        return self.sparse_shift if self.source.is_sparse else self.shift

    @property
    def lossless(self) -> bool:
        return self.exponents is not None

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        doubled = self.precise or self.source.is_sparse
        return np.dtype(np.float64) if doubled else self.source.dtype

    @property
    def drift(self) -> float:
        return self.local.drift

    @property
    def gram_drift(self) -> float:
        return self.local.gram_drift

    @property
    def local(self) -> RowStorage:
        """As if all rows lay here: what rounding depends on are the blocks, which are the same."""
        return self.settings.rows(self.source)

    @property
    def settings(self) -> WorkerRows:
        shift = self.tally_shift
        return WorkerRows(shift, self.precise, self.block_bytes, self.exponents)

    def in_double(self) -> DaskRows:
        return replace(self, precise=True)

    def in_units(self, exponents: IntArray) -> DaskRows:
        return replace(self, precise=True, exponents=exponents)

    def largest_magnitudes(self, frame: Frame) -> Float64Array:
        verb = self.verb("largest_magnitudes", frame, None)
        found: Float64Array = self.run(verb, larger, (None,), self.own(frame, None))[0]
        return found

    def undisturbed(self) -> AbstractContextManager[None]:
        return one_blas_thread() if self.source.workers.client is None else nullcontext()

    # -- row pieces ------------------------------------------------------------------------

    def measure(self, frame: Frame, tally: Sums) -> None:
        self.summed("measure", frame, tally)

    def gram_times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        return self.summed("gram_times", frame, tally, vectors)

    def gram(self, frame: Frame, tally: Sums | None) -> Float64Array:
        return self.summed("gram", frame, tally)

    def transposed_times(
        self, vectors: Float64Array, frame: Frame, tally: Sums | None
    ) -> Float64Array:
        return self.summed("transposed_times", frame, tally, per_row=vectors)

    def times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        verb = self.verb("times", frame, tally)
        found = self.source.each(verb, (vectors,), self.own(frame, None))
        if tally is not None:
            for number, (_, sums, squares, lengths) in enumerate(found):
                tally.sums += sums
                tally.squares += squares
                if tally.lengths is not None:
                    start, stop = self.source.starts[number : number + 2]
                    tally.lengths[start:stop] += lengths
        return np.concatenate([part[0] for part in found])

    def triangle(self, offset: Float64Array, frame: Frame) -> Float64Array:
        verb = self.verb("triangle", frame, None)
        found: Float64Array = self.run(verb, combine_triangles, (offset,), self.own(frame, None))[0]
        return found

    def rows_of_table(self, offset: Float64Array, frame: Frame) -> Iterator[FloatArray]:
        raise ChunkError.far_away("this")

    # -- column panels, put together by a worker -------------------------------------------

    def dual_times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        return dual_times_by_vectors(self, vectors, frame, tally)

    def inner_products(self, frame: Frame, tally: Sums | None) -> Float64Array:
        return self.over_panels(frame, tally, products_of_panel, add_results)

    def dual_triangle(self, frame: Frame, tally: Sums | None) -> Float64Array:
        return self.over_panels(frame, tally, triangle_of_panel, combine_triangles)

    def over_panels(
        self,
        frame: Frame,
        tally: Sums | None,
        work: Callable[..., list[Float64Array]],
        together: Callable[[Any, Any], Any],
    ) -> Float64Array:
        """Every panel holds all rows of its columns: the rows are few where this is asked for."""
        if tally is not None:
            self.times(np.zeros((self.shape[1], 1)), frame, tally)  # for the lengths of the rows
        columns = max(1, PANEL_BYTES // (8 * self.shape[0]))
        panels = list(spans(self.shape[1], columns, "columns"))
        source = self.source
        found: Float64Array = source.workers.assembled(
            source.pieces, dense_columns, work, together, panels, frame
        )[0]
        return found

    # -- how work gets there ---------------------------------------------------------------

    def verb(self, name: str, frame: Frame, tally: Sums | None) -> PieceProduct:
        return PieceProduct(name, self.settings, frame.diagonal, frame.centered, tally is not None)

    def own(self, frame: Frame, per_row: Float64Array | None) -> list[Any]:
        """What each piece is to know of its rows."""
        weights, vectors = self.source.parts(frame.weights), self.source.parts(per_row)
        return [
            (None if weights is None else weights[i], None if vectors is None else vectors[i])
            for i in range(len(self.source.pieces))
        ]

    def summed(
        self,
        name: str,
        frame: Frame,
        tally: Sums | None,
        vectors: Float64Array | None = None,
        per_row: Float64Array | None = None,
    ) -> Float64Array:
        verb = self.verb(name, frame, tally)
        product, sums, squares = self.run(verb, add_results, (vectors,), self.own(frame, per_row))[
            :3
        ]
        if tally is not None:
            tally.sums += sums
            tally.squares += squares
        summed: Float64Array = product
        return summed

    def run(
        self,
        work: Callable[..., Any],
        together: Callable[[Any, Any], Any],
        shared: tuple[Any, ...],
        own: Sequence[Any],
    ) -> Any:
        told = None if self.watch.display is None else self.moved
        return self.source.reduced(work, together, shared, own, told)

    def moved(self, pieces: int) -> None:
        self.watch.reached(self.shape[0] * pieces // len(self.source.pieces), ())


@dataclass(frozen=True)
class WorkerRows:
    """How a worker looks at the rows of a piece."""

    shift: Float64Array | None
    precise: bool
    block_bytes: int
    exponents: IntArray | None = None

    def rows(self, source: Source) -> RowStorage:
        if source.is_sparse:
            sparse = SparseRows(source, self.block_bytes, tally_shift=self.shift)
            return replace(sparse, exponents=self.exponents)
        dense = DenseRows(source, self.shift, self.precise, self.block_bytes)
        return replace(dense, exponents=self.exponents)


@dataclass(frozen=True)
class PieceProduct:
    """A method of `RowStorage`, done on a piece: its result, then sums, squares and lengths."""

    name: str
    local: WorkerRows
    diagonal: Float64Array
    centered: bool
    gathers: bool

    def __call__(self, source: Source, own: Any, argument: Any = None) -> list[Any]:
        weights, vectors = own
        frame = Frame(self.diagonal, weights, source.shape[0], self.centered)
        tally = Sums(source.shape, self.name == "times") if self.gathers else None
        verb = getattr(self.local.rows(source), self.name)
        given = [argument if vectors is None else vectors]
        gathered = [] if self.name in UNGATHERED else [tally]
        found = verb(*(one for one in given if one is not None), frame, *gathered)
        if tally is None:
            return [found, None, None, None]
        return [found, tally.sums, tally.squares, tally.lengths]


# -- on the workers --------------------------------------------------------------------------


def add_results(left: list[Any], right: list[Any]) -> list[Any]:
    """Entry by entry; neither is overwritten, for a lost result may be asked for again."""
    return [a if b is None else b if a is None else a + b for a, b in zip(left, right, strict=True)]


def larger(left: list[Any], right: list[Any]) -> list[Any]:
    return [np.maximum(left[0], right[0])]


def combine_triangles(left: list[Any], right: list[Any]) -> list[Any]:
    return [triangle_of([left[0], right[0]])]


def dense_columns(source: Source, columns: slice) -> FloatArray:
    block = stack_parts(list(source.blocks(max(1, source.shape[0]))))[:, columns]
    full: FloatArray = block if isinstance(block, np.ndarray) else block.toarray()
    return full.astype(np.float64)


def prepare_panel(parts: Sequence[FloatArray], columns: slice, frame: Frame) -> FloatArray:
    panel = np.concatenate(parts)
    if frame.average is not None:
        panel -= frame.average @ panel
    panel *= np.sqrt(frame.diagonal[columns])
    return panel if frame.heights is None else panel * frame.heights[:, None]


def products_of_panel(
    parts: Sequence[FloatArray], columns: slice, frame: Frame
) -> list[Float64Array]:
    panel = prepare_panel(parts, columns, frame)
    return [sum_panel_products([panel], len(panel))]


def triangle_of_panel(
    parts: Sequence[FloatArray], columns: slice, frame: Frame
) -> list[Float64Array]:
    return [triangle_of([prepare_panel(parts, columns, frame).T])]
