"""Parquet: stored by columns, so only those asked for are read, row group by row group.

Cost     decoding. Column chunks are read through small buffers as they are needed: pyarrow left to
         itself fetches whole row groups ahead and holds more than the file is large.
Start    at the first row of a row group; a row inside one is reached by decoding what is before it.
Traps    many columns in row groups of few rows decode slowly, however they are read. Dictionaries
         of all columns asked for are in memory at once, unless a budget forbids it: `spooled.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import FileError
from eigenlens.sources.columns import Picked
from eigenlens.sources.files.arrow_batches import (
    ArrowPart,
    NumericFields,
    explaining_arrow_errors,
    first_value_shown,
    numeric_fields,
)
from eigenlens.sources.files.column_file import ColumnReader, column_reader
from eigenlens.sources.files.fetched import is_partly_fetched, open_bytes
from eigenlens.sources.files.list_columns import (
    ListReader,
    read_lists,
)
from eigenlens.sources.files.list_lengths import length_of_first, parquet_list_lengths

__all__ = ["ENDINGS", "ParquetFile", "reader_of"]

ENDINGS = (".parquet", ".pq")

BUFFER_BYTES = 1 << 15  # read at a time, of each column
BATCH_BYTES = 4 << 20  # decoded at a time, in all columns
FEWEST_ROWS = 1024  # as many at least, for each column has its own cost
GROUPS_WEIGHED = 16  # row groups that tell how many bytes the numbers take
ROWS_LOOKED_AT = 16  # at a time, for a list that is not missing
PAGE_BYTES = 1 << 19  # of one column, decompressed: at most twice as much, as writers cut them


@dataclass(frozen=True)
class ParquetFile:
    path: Path
    fields: NumericFields
    footer: Any

    kind = "Parquet"

    def parts(self, columns: Picked, first: int, rows: int) -> Iterator[ArrowPart]:
        return self.parts_of(range(first, self.footer.num_row_groups), columns, rows)

    def group_parts(self, columns: Picked, group: int, rows: int) -> Iterator[ArrowPart]:
        return self.parts_of(range(group, group + 1), columns, rows)

    def group_counts(self) -> list[int]:
        footer = self.footer
        return [footer.row_group(group).num_rows for group in range(footer.num_row_groups)]

    def parts_of(self, groups: range, columns: Picked, rows: int) -> Iterator[ArrowPart]:
        names = np.array(self.fields.names, dtype=object)[columns].tolist()
        size = batch_rows(rows, self.fields.row_bytes(columns))
        with open_parquet(self.path, self.footer) as file:
            for batch in file.iter_batches(size, row_groups=groups, columns=names):
                # By name: one that begins like another brings along that other column.
                yield [batch.column(name) for name in names], batch.num_rows

    def first_value(self, column: str) -> str:
        with open_parquet(self.path, self.footer) as file:
            for batch in file.iter_batches(1000, columns=[column]):
                return first_value_shown(batch.column(column))
        return "text"


def batch_rows(rows: int, row_bytes: int) -> int:
    if rows < FEWEST_ROWS:
        return rows
    return max(FEWEST_ROWS, BATCH_BYTES // max(1, row_bytes))


def first_list_length(path: Path, footer: Any, name: str) -> int:
    with open_parquet(path, footer) as file:
        batches = file.iter_batches(ROWS_LOOKED_AT, columns=[name])
        lengths = (length_of_first(batch.column(name)) for batch in batches)
        return next((length for length in lengths if length), 0)


def open_parquet(path: Path, footer: Any = None) -> Any:
    from pyarrow import parquet

    opened = open_bytes(path) if is_partly_fetched(path) else str(path)
    return parquet.ParquetFile(opened, metadata=footer, pre_buffer=False, buffer_size=BUFFER_BYTES)


def reader_of(path: Path, inside: str | None) -> ColumnReader | ListReader:
    if inside is not None:
        raise FileError.not_inside(path, inside, [])
    with explaining_arrow_errors(path, ParquetFile.kind), open_parquet(path) as file:
        footer, schema = file.metadata, file.schema_arrow
        fields = numeric_fields(
            schema, parquet_list_lengths(footer, schema, partial(first_list_length, path, footer))
        )
    stored, working = estimate_bytes(footer, set(fields.names), path.stat().st_size)
    file = ParquetFile(path, fields, footer)
    reader = column_reader(path, file, fields, schema, file.group_counts(), stored, working)
    return read_lists(reader)


def estimate_bytes(footer: Any, names: set[str], file_bytes: int) -> tuple[int, int]:
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
        wanted = [column for column in columns if is_wanted(column.path_in_schema, names)]
        whole += sum(column.total_compressed_size for column in columns)
        taken += sum(column.total_compressed_size for column in wanted)
        dictionaries = max(dictionaries, sum(map(dictionary_bytes, wanted)))
    pages = len(names) * (BUFFER_BYTES + PAGE_BYTES)
    return max(1, file_bytes * taken // whole), 2 * (dictionaries + pages + BATCH_BYTES)


def is_wanted(path: str, names: set[str]) -> bool:
    """Numbers of lists are stored as `name.list.element`."""
    return path in names or path.split(".")[0] in names


def dictionary_bytes(column: Any) -> int:
    if not column.has_dictionary_page:
        return 0
    stored = column.data_page_offset - (column.dictionary_page_offset or 0)
    expansion = column.total_uncompressed_size / max(1, column.total_compressed_size)
    return int(stored * expansion)
