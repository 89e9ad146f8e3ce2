"""Streams: blocks of rows from a program rather than from a file.

| given                                  | read                                                |
|----------------------------------------|-----------------------------------------------------|
| a callable that returns fresh blocks   | again at every pass; one pass counts the rows first |
| an iterator or generator of blocks     | once, when it is opened: mean and scatter are kept  |

A block is whatever else can be opened and holds rows: an array, a frame, a sparse matrix. All have
the same columns. A callable must give the same numbers every time: each pass adds up a checksum,
and one that differs from the first is an error at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from eigenlens.algebra.running import RunningMoments
from eigenlens.algebra.scatter import WholeScatter
from eigenlens.errors import DataError, StreamError
from eigenlens.sources import array, frame, sparse
from eigenlens.sources.checksum import Checksum
from eigenlens.sources.columns import Picked, count_picked
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.moments_only import MomentsSource, add_source, moments_source
from eigenlens.sources.own_precision import float_for, single_columns
from eigenlens.sources.protocol import Block, Columns, Source

__all__ = ["BlockReader", "accepts", "source_from"]

KINDS_OF_BLOCK = (sparse, frame, array)
WIDEST = 1 << 14  # columns of a stream read once: its scatter matrix takes 2 GB
ROWS_AT_ONCE = 4096

Read: TypeAlias = Callable[[], Any]


def accepts(data: object) -> bool:
    return isinstance(data, Iterator) or (callable(data) and not isinstance(data, type))


def source_from(data: Any, columns: Columns | None) -> Source:
    if isinstance(data, Iterator):
        return read_once(data, columns)
    reader = reader_of_callable(data, columns)
    return StoredSource(reader, slice(0, reader.shape[1]), reader.fingerprint())


# -- read once -------------------------------------------------------------------------------


def read_once(blocks: Iterator[Any], columns: Columns | None) -> MomentsSource:
    running: RunningMoments[WholeScatter] | None = None
    names, read_bytes = None, 0
    for number, source in open_blocks(blocks, columns):
        if running is None:
            if source.shape[1] > WIDEST:
                raise StreamError.too_wide_to_keep(source.shape[1], WIDEST)
            running, names = RunningMoments(WholeScatter(source.shape[1])), source.names
        try:
            add_source(running, source)
        except DataError as error:
            raise type(error).in_block(number, error) from error
        read_bytes += source.stored_bytes
    if running is None:
        raise StreamError.no_blocks("the iterator")
    return moments_source(running, names, read_bytes)


# -- read again and again --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class BlockReader:
    """A `Reader` of what a callable returns; `columns` are chosen in every block."""

    read: Read
    columns: Columns | None
    label: str
    shape: tuple[int, int]
    dtype: np.dtype[Any]
    names: tuple[str, ...] | None
    is_sparse: bool
    stored_bytes: int
    digest: str
    single: tuple[bool, ...]  # which columns float32 holds

    by_columns = False
    starts = (0,)
    left_out = ()
    passes_to_open = 1  # to count the rows

    def fingerprint(self) -> str:
        return f"{self.label} {self.shape} {self.dtype} {self.names} {self.digest}"

    def dtype_of(self, columns: Picked) -> np.dtype[Any]:
        return float_for(np.array(self.single)[columns])

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        seen, digest = 0, Checksum()
        for _, source in open_blocks(blocks_of(self.read, self.label), self.columns):
            for piece in source.blocks(rows):
                first, seen = seen, seen + piece.shape[0]
                if seen > self.shape[0]:
                    raise StreamError.changed_stream(self.label, self.shape[0], seen)
                digest.add(piece)
                if seen > start:
                    yield self.ready(piece[max(start - first, 0) :], columns)
        if seen != self.shape[0]:
            raise StreamError.changed_stream(self.label, self.shape[0], seen)
        if str(digest) != self.digest:
            raise StreamError.changed_numbers(self.label)

    def ready(self, piece: Block, columns: Picked) -> Block:
        if not self.is_sparse and not isinstance(piece, np.ndarray):
            piece = piece.toarray()
        if isinstance(columns, slice) and count_picked(columns) == self.shape[1]:
            # A copy: the next block is read ahead, and may be written over the memory of this one.
            return piece.copy()
        return piece[:, columns].copy()


def reader_of_callable(read: Read, columns: Columns | None) -> BlockReader:
    """Reads everything once, to know how many rows there are."""
    label = f"{getattr(read, '__qualname__', type(read).__name__)}()"
    rows, stored, all_sparse, digest = 0, 0, True, Checksum()
    first: Source | None = None
    single: Any = True
    for _, source in open_blocks(blocks_of(read, label), columns):
        first = first or source
        rows, stored = rows + source.shape[0], stored + source.stored_bytes
        single = np.logical_and(single, single_columns(source))
        all_sparse &= source.is_sparse
        for piece in source.blocks(ROWS_AT_ONCE):
            digest.add(piece)
    if first is None:
        raise StreamError.no_blocks(label)
    return BlockReader(
        read=read,
        columns=columns,
        label=label,
        shape=(rows, first.shape[1]),
        dtype=float_for(single),
        names=first.names,
        is_sparse=all_sparse,
        stored_bytes=stored,
        digest=str(digest),
        single=tuple(np.broadcast_to(single, first.shape[1]).tolist()),
    )


def blocks_of(read: Read, label: str) -> Iterator[Any]:
    """What the callable returns as blocks; a single table is one block."""
    given = read()
    single = not isinstance(given, list | tuple | Iterator)
    if single and any(kind.accepts(given) for kind in KINDS_OF_BLOCK):
        return iter([given])
    if not isinstance(given, Iterable):
        raise StreamError.not_blocks(label, type(given))
    return iter(given)


# -- blocks ----------------------------------------------------------------------------------


def open_blocks(blocks: Iterator[Any], columns: Columns | None) -> Iterator[tuple[int, Source]]:
    """Each block with its number, as a source; empty ones are passed over."""
    first: Source | None = None
    for number, block in enumerate(blocks):
        source = open_block(number, block, columns)
        if first is None:
            first = source
        if source.shape[1] != first.shape[1]:
            raise StreamError.different_widths(number, source.shape[1], first.shape[1])
        if None not in (source.names, first.names) and source.names != first.names:
            raise StreamError.different_names(number, source.names or (), first.names or ())
        if source.shape[0]:
            yield number, source


def open_block(number: int, block: Any, columns: Columns | None) -> Source:
    for kind in KINDS_OF_BLOCK:
        if kind.accepts(block):
            try:
                source: Source = kind.source_from(block, columns)
            except DataError as error:
                raise type(error).in_block(number, error) from error
            return source
    raise StreamError.not_a_block(number, type(block))
