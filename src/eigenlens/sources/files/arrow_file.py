"""Arrow IPC files, Feather among them, and Arrow streams that were written to a file.

Cost     plain reads of the columns asked for, their decompression, and a copy; streams are read
         whole. To open a file, one of its columns is read.
Start    at the first row of a record batch.
Traps    a record batch is read whole. One larger than 64 MB is mapped into memory instead, where a
         file cut off meanwhile ends the process; pages are given back after every block. If it is
         compressed, it needs memory for all its rows twice: a smaller budget is an error.
         Feather of version 1, older than Arrow 0.17, is refused.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np

from eigenlens.errors import FileError
from eigenlens.sources.block import spans
from eigenlens.sources.columns import Picked
from eigenlens.sources.files.arrow_batches import (
    ArrowPart,
    NumericFields,
    explaining_arrow_errors,
    first_value_shown,
    numeric_fields,
)
from eigenlens.sources.files.column_file import ColumnReader, column_reader
from eigenlens.sources.files.fetched import open_bytes, open_for_arrow
from eigenlens.sources.files.list_columns import ListReader, read_lists
from eigenlens.sources.files.list_lengths import arrow_list_lengths
from eigenlens.sources.files.npy_file import give_back

__all__ = ["ENDINGS", "ArrowFile", "reader_of"]

ENDINGS = (".arrow", ".feather", ".ipc")

LARGEST_READ = 64 << 20  # batches beyond it are mapped: they might not fit into memory
FILE_MAGIC, FEATHER_V1_MAGIC = b"ARROW1", b"FEA1"
FIRST_MESSAGE = 8  # bytes: the mark of the format, padded
MARK, RECORD_BATCH = -1, 3  # before every message; what it is about
MAPPED_AT_ONCE = 8 << 20  # bytes of the file that are copied, whatever the size of a block
COLUMNS_AT_ONCE = 8  # the system may map 2 MB of each for the few pages that are read


@dataclass(frozen=True)
class ArrowFile:
    path: Path
    fields: NumericFields
    mapped: bool

    kind = "Arrow"

    def parts(self, columns: Picked, first: int, rows: int) -> Iterator[ArrowPart]:
        places = self.fields.places(columns)
        if self.mapped:
            yield from self.mapped_parts(places, first, rows)
            return
        order = np.argsort(np.argsort(places)).tolist()  # Arrow keeps the order of the file
        with open_arrow(self.path, sorted(places)) as file:
            for batch in batches_from(file, first):
                yield [batch.column(place) for place in order], batch.num_rows

    def mapped_parts(self, places: Sequence[int], first: int, rows: int) -> Iterator[ArrowPart]:
        """Slices of batches where they lie; pages that were read are given back.

        All columns are opened: asked for some only, Arrow would copy them out of the mapping.
        """
        import pyarrow

        with self.path.open("rb") as file:
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        rows = min(rows, max(1, MAPPED_AT_ONCE // max(1, self.fields.entry_bytes)))
        with arrow_reader(pyarrow.BufferReader(pyarrow.py_buffer(memory)), ()) as reader:
            for batch in batches_from(reader, first):
                for span in spans(batch.num_rows, rows, "rows"):
                    count = span.stop - span.start
                    part = batch.slice(span.start, count)
                    free = partial(give_back, memory, 0, len(memory))
                    yield MappedColumns(part, places, free), count
                    free()

    def first_value(self, column: str) -> str:
        with open_arrow(self.path) as file:
            for batch in batches_from(file, 0):
                return first_value_shown(batch.column(column))
        return "text"


@dataclass(frozen=True)
class MappedColumns(Sequence[Any]):
    """Columns of a batch in a mapped file; `free` gives the pages back that the last ones took."""

    batch: Any
    places: Sequence[int]
    free: Callable[[], None]

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, number: Any) -> Any:
        if number % COLUMNS_AT_ONCE == 0:
            self.free()
        return self.batch.column(self.places[number])


@contextmanager
def open_arrow(path: Path, places: Sequence[int] = ()) -> Iterator[Any]:
    """Arrow's reader of the file or stream; of some columns only, unless there are none."""
    with arrow_reader(open_for_arrow(path), places) as reader:
        yield reader


@contextmanager
def arrow_reader(opened: Any, places: Sequence[int]) -> Iterator[Any]:
    import pyarrow

    options = pyarrow.ipc.IpcReadOptions(included_fields=list(places))
    with opened as file:
        is_file = file.read(len(FILE_MAGIC)) == FILE_MAGIC
        file.seek(0)
        open_it = pyarrow.ipc.open_file if is_file else pyarrow.ipc.open_stream
        with open_it(file, options=options) as reader:
            yield reader


def batches_from(file: Any, first: int) -> Iterator[Any]:
    count = getattr(file, "num_record_batches", None)
    if count is not None:
        for number in range(first, count):
            yield file.get_batch(number)
        return
    for number, batch in enumerate(file):
        if number >= first:
            yield batch


def reader_of(path: Path, inside: str | None) -> ColumnReader | ListReader:
    if inside is not None:
        raise FileError.not_inside(path, inside, [])
    refuse_version_one(path)
    with explaining_arrow_errors(path, ArrowFile.kind), open_arrow(path) as file:
        schema = file.schema
        fields = numeric_fields(schema, arrow_list_lengths(schema, partial(batches_from, file, 0)))
    with (
        explaining_arrow_errors(path, ArrowFile.kind),
        open_arrow(path, fields.positions[:1]) as file,
    ):
        counts = [batch.num_rows for batch in batches_from(file, 0)]
    largest = max(counts, default=0) * fields.entry_bytes
    # A compressed batch is decoded whole, mapped or not.
    mapped = largest > LARGEST_READ and not is_compressed(path)
    reader = column_reader(
        path,
        ArrowFile(path, fields, mapped),
        fields,
        schema,
        counts,
        stored_bytes=max(1, min(path.stat().st_size, sum(counts) * fields.entry_bytes)),
        # A batch as it is stored, and decompressed.
        working_bytes=0 if mapped else 2 * largest,
    )
    return read_lists(reader)


def is_compressed(path: Path) -> bool:
    """Whether the first batch of records is: its message says so, and nothing of pyarrow tells.

    Only what is written about batches is read: pyarrow's own reader of messages reads them whole.
    """
    with open_bytes(path) as file:
        is_file = file.read(len(FILE_MAGIC)) == FILE_MAGIC
        file.seek(FIRST_MESSAGE if is_file else 0)
        while message := next_message(file):
            (root,) = struct.unpack_from("<I", message, 0)
            kind, body = field_place(message, root, 1), field_place(message, root, 3)
            if kind and message[kind] == RECORD_BATCH:
                return has_compression(message)
            file.seek(struct.unpack_from("<q", message, body)[0] if body else 0, os.SEEK_CUR)
    return False


def next_message(file: IO[bytes]) -> bytes:
    """What is written about the next part of a file of Arrow; nothing at its end."""
    (size,) = struct.unpack("<i", file.read(4).ljust(4, b"\0"))
    if size == MARK:  # not yet there in files before Arrow 0.15
        (size,) = struct.unpack("<i", file.read(4).ljust(4, b"\0"))
    return file.read(max(size, 0))


def field_place(message: bytes, table: int, number: int) -> int:
    """Where a field of a table lies in a message of Arrow's flatbuffers format; 0: it has none."""
    entries = table - struct.unpack_from("<i", message, table)[0]
    (size,) = struct.unpack_from("<H", message, entries)
    place = 4 + 2 * number
    (offset,) = struct.unpack_from("<H", message, entries + place) if place < size else (0,)
    return table + offset if offset else 0


def has_compression(message: bytes) -> bool:
    """The fourth field of the record batch in a message."""
    (root,) = struct.unpack_from("<I", message, 0)
    header = field_place(message, root, 2)
    batch = header + struct.unpack_from("<I", message, header)[0]
    return field_place(message, batch, 3) != 0


def refuse_version_one(path: Path) -> None:
    with open_bytes(path) as file:
        if file.read(len(FEATHER_V1_MAGIC)) == FEATHER_V1_MAGIC:
            raise FileError.damaged(
                path, ArrowFile.kind, "it is Feather of version 1, no longer in use"
            )
