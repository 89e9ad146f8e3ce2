"""Stored tables: rows that lie in files and are read in order, a block at a time.

A `Reader` knows one kind of file. A `StoredSource` makes of it what a fit asks for: blocks of exact
size, some columns only, panels, samples, and the certainty that the file is still the one opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from eigenlens.errors import FileError, OptionError
from eigenlens.errors.system import os_errors
from eigenlens.sources.block import spans
from eigenlens.sources.columns import Picked, count_picked, part_of_columns
from eigenlens.sources.files.contents import contents_of, pick_readable
from eigenlens.sources.files.fetched import with_fetched
from eigenlens.sources.own_precision import dtype_of_picked
from eigenlens.sources.protocol import Block, Columns, FloatArray, IntArray
from eigenlens.sources.regroup import regroup_rows
from eigenlens.sources.traits import Traits

__all__ = ["Reader", "StoredSource", "reader_within", "to_dense_block"]

GLANCES = 8  # places a file is looked at to see where its rows lie
DECODED_BYTES_PER_SECOND = 5e8  # of most formats; text has a rate of its own
SEARCH_BYTES = 4 << 20


class Reader(Protocol):
    """One table in one file, or several joined; the file is open only while it is read."""

    @property
    def label(self) -> str:
        """What to call it in messages: the path, with the name inside it where there is one."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, and columns that are numbers."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """float32 where no column is stored in more, else float64."""

    @property
    def names(self) -> tuple[str, ...] | None: ...

    @property
    def is_sparse(self) -> bool: ...

    @property
    def stored_bytes(self) -> int:
        """What one pass over all its columns reads."""

    @property
    def by_columns(self) -> bool:
        """Whether some columns can be read for their share of the cost."""

    @property
    def starts(self) -> Sequence[int] | None:
        """Rows from which reading can begin at no extra cost; None: from any."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """Columns of the file that are not numbers."""

    def fingerprint(self) -> str:
        """Size, time and layout as they are now: another one means another file."""

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        """Consecutive pieces from row `start` to the end, of about `rows` rows or fewer each.

        Dense pieces are (m, columns) arrays of any real dtype and order, fresh or read-only, with
        NaN for what is missing; those of a sparse table are csr arrays.
        """


@dataclass(frozen=True, eq=False)
class StoredSource:
    reader: Reader
    picked: Picked
    opened: str = field(default="")
    elsewhere: Mapping[str, str] = field(default_factory=dict)  # left out too, by name: why
    chosen: bool = False  # by whoever asked: then nothing was left out for them

    @property
    def shape(self) -> tuple[int, int]:
        return self.reader.shape[0], count_picked(self.picked)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        return dtype_of_picked(self.reader, self.picked)

    @property
    def names(self) -> tuple[str, ...] | None:
        names = self.reader.names
        return None if names is None else tuple(np.array(names, dtype=object)[self.picked].tolist())

    @property
    def is_sparse(self) -> bool:
        return self.reader.is_sparse

    @cached_property
    def traits(self) -> Traits:
        mapped = getattr(self.reader, "in_place", None)
        in_place = mapped is not None and bool(mapped(self.picked))
        return Traits(
            fingerprint=self.fingerprint,
            files=self.files,
            in_place=in_place,
            by_columns=self.reader.by_columns,
            working_bytes=int(getattr(self.reader, "working_bytes", 0)),
            passes_to_open=int(getattr(self.reader, "passes_to_open", 0)),
            left_out=self.why_left_out,
            decided=with_fetched(getattr(self.reader, "decided", {}), self.files),
            bytes_per_second=np.inf if in_place else usual_rate(self.reader),
            glance=self.glance,
            within=self.within,
            locate_rows=getattr(self.reader, "locate_rows", None),
        )

    @property
    def left_out(self) -> tuple[str, ...]:
        return tuple(self.why_left_out)

    @property
    def why_left_out(self) -> Mapping[str, str]:
        if self.chosen:
            return {}
        contents = contents_of(self.reader)
        read = {contents.names[place] for place in np.array(contents.numbers)[self.picked].tolist()}
        inside = {name: why for name, why in contents.left_out.items() if name not in read}
        return {**inside, **self.elsewhere}

    @property
    def files(self) -> tuple[Path, ...]:
        return files_read(self.reader)

    @property
    def stored_bytes(self) -> int:
        whole, columns = self.reader.stored_bytes, self.reader.shape[1]
        return max(1, whole * self.shape[1] // columns) if self.reader.by_columns else whole

    def only(self, columns: Columns) -> StoredSource:
        """Other columns of the same table, which is not opened anew."""
        picked = pick_readable(self.reader, columns)
        return replace(self, picked=picked, chosen=not isinstance(columns, slice))

    def within(self, budget_bytes: int) -> StoredSource:
        return replace(self, reader=reader_within(self.reader, budget_bytes))

    @property
    def fingerprint(self) -> str:
        """What tells these numbers from others; the columns are part of it."""
        positions = np.arange(self.reader.shape[1])[self.picked]
        return (
            f"{self.opened} columns {self.names or hashlib.sha256(positions.tobytes()).hexdigest()}"
        )

    # -- reading ---------------------------------------------------------------------------

    def blocks(self, rows_per_block: int, start: int = 0) -> Generator[Block]:
        return self.rows_of(self.picked, rows_per_block, start)

    def rows_of(self, picked: Picked, rows_per_block: int, start: int) -> Generator[Block]:
        if not rows_per_block > 0:
            raise OptionError.not_positive("rows_per_block", rows_per_block)
        self.refuse_if_changed()
        chunks = self.pieces(picked, start, rows_per_block)
        seen = start
        for block in regroup_rows(chunks, rows_per_block, count_picked(picked), self.dtype):
            seen += block.shape[0]
            if seen > self.shape[0]:  # a file that grows meanwhile has more rows than were counted
                self.refuse_if_changed()
                raise FileError.wrong_length(self.reader.label, self.shape[0], seen)
            yield block
        self.refuse_if_changed()
        if seen != self.shape[0]:
            raise FileError.wrong_length(self.reader.label, self.shape[0], seen)

    def pieces(self, picked: Picked, start: int, rows: int) -> Generator[Block]:
        """Chunks of the reader; what the system says against its file is said about that file."""
        if not self.files:  # from a program of the user's, who knows what its errors mean
            yield from self.reader.chunks(picked, start, rows)
            return
        try:
            with os_errors(self.reader.label, "read"):
                yield from self.reader.chunks(picked, start, rows)
        except FileError:
            self.refuse_if_changed()  # then that is why it cannot be read
            raise

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        """Each panel reads the file anew: all of it where it is not stored by columns."""
        for columns in spans(self.shape[1], columns_per_panel, "columns_per_panel"):
            parts = list(self.rows_of(part_of_columns(self.picked, columns), self.shape[0], 0))
            yield parts[0]

    def sample(self, indices: IntArray) -> FloatArray:
        """The rows at `indices`, in one pass over the file as far as the last of them."""
        wanted = np.asarray(indices)
        last = int(wanted.max(initial=-1))
        rows = np.empty((len(wanted), self.shape[1]))
        first = 0
        for block in self.blocks(max(1, SEARCH_BYTES // (8 * self.shape[1]))):
            here = (wanted >= first) & (wanted < first + block.shape[0])
            if here.any():
                rows[here] = to_dense_block(block[wanted[here] - first])
            first += block.shape[0]
            if first > last:
                break
        return rows

    def glance(self, count: int) -> FloatArray:
        """Some `count` rows or fewer from all over the file where that is cheap, else the first.

        No row twice: of small tables the places are closer than the rows wanted of each.
        """
        n = self.shape[0]
        starts = self.reader.starts
        places = np.arange(0, n, max(1, n // GLANCES)) if starts is None else np.array(starts)
        if len(places) > GLANCES:
            places = places[np.linspace(0, len(places) - 1, GLANCES).astype(int)]
        each = max(1, -(-count // len(places)))
        most = np.minimum(np.diff(places, append=n), each)
        spans = zip(places.tolist(), most.tolist(), strict=True)
        parts = [self.first_rows(start, rows) for start, rows in spans]
        return np.concatenate(parts)[:count]

    def first_rows(self, start: int, count: int) -> FloatArray:
        """Up to `count` rows from `start` on: one chunk, no more."""
        with closing(self.pieces(self.picked, start, count)) as chunks:
            piece = next(chunks, None)
        if piece is None:
            return np.empty((0, self.shape[1]))
        return to_dense_block(piece[:count]).astype(np.float64)

    def refuse_if_changed(self) -> None:
        if self.reader.fingerprint() != self.opened:
            raise FileError.changed(self.reader.label)

    def __repr__(self) -> str:
        return f"StoredSource({self.reader.label}, {self.shape[0]} x {self.shape[1]})"


def reader_within(reader: Reader, budget_bytes: int) -> Reader:
    """The same, reading with that much memory if it has a way to."""
    adapt = getattr(reader, "within", None)
    found: Reader = reader if adapt is None else adapt(budget_bytes)
    return found


def files_read(reader: Reader) -> tuple[Path, ...]:
    """Several where tables are joined, none where rows come from a program."""
    parts: Sequence[Reader] = getattr(reader, "readers", ())
    if parts:
        return tuple(file for part in parts for file in files_read(part))
    path = getattr(reader, "path", None)
    return () if path is None else (path,)


def to_dense_block(block: Block) -> FloatArray:
    full: FloatArray = block if isinstance(block, np.ndarray) else block.toarray()
    return full


def usual_rate(reader: Reader) -> float:
    """Bytes of numbers per second that such files are decoded at: by format, never measured."""
    first = getattr(reader, "first", reader)  # of several files
    return float(getattr(first, "bytes_per_second", DECODED_BYTES_PER_SECOND))
