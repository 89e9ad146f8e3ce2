"""Arrow IPC files, Feather among them, and Arrow streams that were written to a file.

Cost     plain reads of the columns asked for, their decompression, and a copy; streams are read
         whole. To open a file, one of its columns is read.
Start    at the first row of a record batch.
Traps    a record batch is read whole. One larger than 64 MB is mapped into memory instead, where a
         file cut off meanwhile ends the process; if compressed, it needs memory for all its rows.
         Feather of version 1, older than Arrow 0.17, is refused.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import FileError
from eigenlens.sources.arrow_batches import (
    AN_INDEX,
    Fields,
    Part,
    after,
    numeric_fields,
    readable,
    refuse_without_numbers,
    row_blocks,
    value_shown,
)
from eigenlens.sources.columns import Picked
from eigenlens.sources.protocol import FloatArray
from eigenlens.sources.stamp import stamp_of

__all__ = ["ENDINGS", "ArrowReader", "reader_of"]

ENDINGS = (".arrow", ".feather", ".ipc")
KIND = "Arrow"

LARGEST_READ = 64 << 20  # batches beyond it are mapped: they might not fit into memory
FILE_MAGIC, FEATHER_V1_MAGIC = b"ARROW1", b"FEA1"


@dataclass(frozen=True, eq=False)
class ArrowReader:
    path: Path
    fields: Fields
    layout: str
    shape: tuple[int, int]
    starts: tuple[int, ...]
    stored_bytes: int
    largest_batch_bytes: int

    is_sparse = False
    by_columns = True

    @property
    def label(self) -> str:
        return str(self.path)

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.fields.dtype

    @property
    def names(self) -> tuple[str, ...]:
        return self.fields.names

    @property
    def left_out(self) -> tuple[str, ...]:
        return self.fields.left_out

    @property
    def working_bytes(self) -> int:
        """What reading holds besides its blocks: a batch as it is stored, and decompressed."""
        return 2 * self.largest_batch_bytes

    def fingerprint(self) -> str:
        return f"{stamp_of(self.path)} {self.layout}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[FloatArray]:
        if start >= self.shape[0]:
            return
        first = bisect_right(self.starts, start) - 1
        places = self.fields.places(columns)
        mapped = self.largest_batch_bytes > LARGEST_READ
        with readable(self.path, KIND), opened(self.path, sorted(places), mapped) as file:
            wanted = after(parts(file, places, first), start - self.starts[first])
            yield from row_blocks(wanted, rows, self.shape[0] - start, self.dtype)

    def first_text(self, column: str) -> str:
        if column in self.fields.index:
            return AN_INDEX
        return first_value(self.path, column)


@contextmanager
def opened(path: Path, places: Sequence[int] = (), mapped: bool = False) -> Iterator[Any]:
    """Arrow's reader of the file or stream; of some columns only, unless there are none."""
    import pyarrow

    options = pyarrow.ipc.IpcReadOptions(included_fields=list(places))
    with pyarrow.memory_map(str(path)) if mapped else pyarrow.OSFile(str(path)) as file:
        is_file = file.read(len(FILE_MAGIC)) == FILE_MAGIC
        file.seek(0)
        open_it = pyarrow.ipc.open_file if is_file else pyarrow.ipc.open_stream
        with open_it(file, options=options) as reader:
            yield reader


def parts(file: Any, places: Sequence[int], first: int) -> Iterator[Part]:
    order = np.argsort(np.argsort(places)).tolist()  # Arrow keeps the order of the file
    for batch in batches_from(file, first):
        yield [batch.column(place) for place in order], batch.num_rows


def batches_from(file: Any, first: int) -> Iterator[Any]:
    count = getattr(file, "num_record_batches", None)
    if count is not None:
        for number in range(first, count):
            yield file.get_batch(number)
        return
    for number, batch in enumerate(file):
        if number >= first:
            yield batch


def first_value(path: Path, column: str) -> str:
    with readable(path, KIND), opened(path) as file:
        for batch in batches_from(file, 0):
            return value_shown(batch.column(column))
    return "text"


def reader_of(path: Path, inside: str | None) -> ArrowReader:
    if inside is not None:
        raise FileError.not_inside(path, inside, [])
    refuse_version_one(path)
    with readable(path, KIND), opened(path) as file:
        schema = file.schema
    fields = numeric_fields(schema)
    if not fields.names and fields.left_out:
        refuse_without_numbers(path, fields, first_value(path, fields.left_out[0]))
    with readable(path, KIND), opened(path, fields.positions[:1]) as file:
        counts = [batch.num_rows for batch in batches_from(file, 0)]
    count = sum(counts)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]) if counts else np.zeros(1)
    return ArrowReader(
        path=path,
        fields=fields,
        layout=f"{schema.to_string(show_schema_metadata=False)} {count}",
        shape=(count, len(fields.names)),
        starts=tuple(starts.astype(int).tolist()),
        stored_bytes=max(1, min(path.stat().st_size, count * fields.entry_bytes)),
        largest_batch_bytes=max(counts, default=0) * fields.entry_bytes,
    )


def refuse_version_one(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(len(FEATHER_V1_MAGIC)) == FEATHER_V1_MAGIC:
            raise FileError.damaged(path, KIND, "it is Feather of version 1, no longer in use")
