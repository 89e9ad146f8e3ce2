"""Parquet: stored by columns, so only those asked for are read, row group by row group.

Cost     decoding. Column chunks are read through small buffers as they are needed: pyarrow left to
         itself fetches whole row groups ahead and holds more than the file is large.
Start    at the first row of a row group; a row inside one is reached by decoding what is before it.
Traps    many columns in row groups of few rows decode slowly, however they are read. Dictionaries
         of all columns asked for are in memory at once: see `working_bytes`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
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

__all__ = ["ENDINGS", "ParquetReader", "reader_of"]

ENDINGS = (".parquet", ".pq")
KIND = "Parquet"

BUFFER_BYTES = 1 << 15  # read at a time, of each column
BATCH_BYTES = 4 << 20  # decoded at a time, in all columns
FEWEST_ROWS = 1024  # as many at least, for each column has its own cost
GROUPS_WEIGHED = 16  # row groups that tell how many bytes the numbers take
PAGE_BYTES = 1 << 17  # of one column, decompressed, as most writers cut them


@dataclass(frozen=True, eq=False)
class ParquetReader:
    path: Path
    fields: Fields
    footer: Any
    layout: str
    shape: tuple[int, int]
    starts: tuple[int, ...]
    stored_bytes: int
    working_bytes: int  # what reading holds besides its blocks

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

    def fingerprint(self) -> str:
        return f"{stamp_of(self.path)} {self.layout}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[FloatArray]:
        if start >= self.shape[0]:
            return
        group = bisect_right(self.starts, start) - 1
        names = [self.names[place] for place in np.arange(self.shape[1])[columns]]
        with readable(self.path, KIND), opened(self.path, self.footer) as file:
            parts = self.parts(file, names, group, rows)
            wanted = after(parts, start - self.starts[group])
            yield from row_blocks(wanted, rows, self.shape[0] - start, self.dtype)

    def parts(self, file: Any, names: list[str], group: int, rows: int) -> Iterator[Part]:
        size = batch_rows(rows, len(names) * self.dtype.itemsize)
        groups = range(group, file.num_row_groups)
        for batch in file.iter_batches(size, row_groups=groups, columns=names):
            # By name: one that begins like another brings along that other column.
            yield [batch.column(name) for name in names], batch.num_rows

    def first_text(self, column: str) -> str:
        if column in self.fields.index:
            return AN_INDEX
        with readable(self.path, KIND), opened(self.path, self.footer) as file:
            for batch in file.iter_batches(1000, columns=[column]):
                return value_shown(batch.column(column))
        return "text"


def batch_rows(rows: int, row_bytes: int) -> int:
    if rows < FEWEST_ROWS:
        return rows
    return max(FEWEST_ROWS, BATCH_BYTES // max(1, row_bytes))


def opened(path: Path, footer: Any = None) -> Any:
    from pyarrow import parquet

    return parquet.ParquetFile(
        str(path), metadata=footer, pre_buffer=False, buffer_size=BUFFER_BYTES
    )


def reader_of(path: Path, inside: str | None) -> ParquetReader:
    if inside is not None:
        raise FileError.not_inside(path, inside, [])
    with readable(path, KIND), opened(path) as file:
        footer, schema = file.metadata, file.schema_arrow
    fields = numeric_fields(schema)
    counts = [footer.row_group(group).num_rows for group in range(footer.num_row_groups)]
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]) if counts else np.zeros(1)
    stored, working = weighed(footer, set(fields.names), path.stat().st_size)
    reader = ParquetReader(
        path=path,
        fields=fields,
        footer=footer,
        layout=f"{schema.to_string(show_schema_metadata=False)} {footer.num_rows}",
        shape=(footer.num_rows, len(fields.names)),
        starts=tuple(starts.astype(int).tolist()),
        stored_bytes=stored,
        working_bytes=working,
    )
    if not fields.names and fields.left_out:
        refuse_without_numbers(path, fields, reader.first_text(fields.left_out[0]))
    return reader


def weighed(footer: Any, names: set[str], file_bytes: int) -> tuple[int, int]:
    """What the numbers take in the file, and what reading all of them takes besides the blocks.

    Both told from some row groups where they are many. A dictionary is held twice for as long as
    its row group is read: 2 MB in each column of random numbers, written with the usual defaults.
    """
    last = max(0, footer.num_row_groups - 1)
    groups = np.unique(np.linspace(0, last, GROUPS_WEIGHED).astype(int))[: footer.num_row_groups]
    taken, whole, dictionaries = 0, 1, 0
    for group in groups.tolist():
        described = footer.row_group(group)
        columns = [described.column(place) for place in range(described.num_columns)]
        wanted = [column for column in columns if column.path_in_schema in names]
        whole += sum(column.total_compressed_size for column in columns)
        taken += sum(column.total_compressed_size for column in wanted)
        dictionaries = max(dictionaries, sum(map(dictionary_bytes, wanted)))
    pages = len(names) * (BUFFER_BYTES + PAGE_BYTES)
    return max(1, file_bytes * taken // whole), 2 * (dictionaries + pages + BATCH_BYTES)


def dictionary_bytes(column: Any) -> int:
    if not column.has_dictionary_page:
        return 0
    stored = column.data_page_offset - (column.dictionary_page_offset or 0)
    expansion = column.total_uncompressed_size / max(1, column.total_compressed_size)
    return int(stored * expansion)
