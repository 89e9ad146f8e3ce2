"""A file of Arrow columns in groups of rows: what Parquet and Arrow formats have in common."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from eigenlens.errors import FileError
from eigenlens.sources.columns import Picked, repeated_labels
from eigenlens.sources.files.arrow_batches import (
    PANDAS_INDEX,
    ArrowPart,
    NumericFields,
    arrow_row_blocks,
    explaining_arrow_errors,
    skip_rows,
)
from eigenlens.sources.files.contents import Contents
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.files.spooled import GroupedFile, SpooledFile
from eigenlens.sources.protocol import FloatArray

__all__ = ["ColumnFile", "ColumnReader", "column_reader"]


class ColumnFile(Protocol):
    """What one of the formats must know; the file is open only while it is read."""

    @property
    def kind(self) -> str:
        """What to call the format in messages."""

    def parts(self, columns: Picked, first: int, rows: int) -> Iterator[ArrowPart]:
        """The picked columns of all groups from number `first` on, for blocks of `rows`."""

    def first_value(self, column: str) -> str:
        """The first value of a column that is not numbers, for a message."""


@dataclass(frozen=True, eq=False)
class ColumnReader:
    path: Path
    file: ColumnFile
    fields: NumericFields
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

    def dtype_of(self, columns: Picked) -> np.dtype[Any]:
        return self.fields.dtype_of(columns)

    @property
    def names(self) -> tuple[str, ...]:
        return self.fields.names

    @property
    def contents(self) -> Contents:
        return self.fields.contents

    @property
    def left_out(self) -> tuple[str, ...]:
        return self.fields.left_out

    def fingerprint(self) -> str:
        return f"{stamp_of(self.path)} {self.layout}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[FloatArray]:
        if start >= self.shape[0]:
            return
        first = bisect_right(self.starts, start) - 1
        with explaining_arrow_errors(self.path, self.file.kind):
            wanted = skip_rows(self.file.parts(columns, first, rows), start - self.starts[first])
            dtype = self.dtype_of(columns)
            yield from arrow_row_blocks(wanted, rows, self.shape[0] - start, dtype)

    def within(self, budget_bytes: int) -> ColumnReader:
        """The same, holding no more than a quarter of the budget besides its blocks, if it can."""
        if self.working_bytes <= budget_bytes or not isinstance(self.file, GroupedFile):
            return self
        width = len(self.fields.names)
        at_once = max(1, budget_bytes // 4 * width // self.working_bytes)
        working = self.working_bytes * at_once // width
        return replace(self, file=SpooledFile(self.file, at_once), working_bytes=working)

    def first_text(self, column: str) -> str:
        if column in self.fields.index:
            return PANDAS_INDEX
        with explaining_arrow_errors(self.path, self.file.kind):
            return self.file.first_value(column)


def column_reader(
    path: Path,
    file: ColumnFile,
    fields: NumericFields,
    schema: Any,
    counts: Sequence[int],
    stored_bytes: int,
    working_bytes: int,
) -> ColumnReader:
    """`counts`: the rows of each group."""
    twice = [name for name in repeated_labels(fields.contents.names) if name in set(fields.names)]
    if twice:
        raise FileError.duplicate_names(twice)
    count = sum(counts)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]) if counts else np.zeros(1)
    return ColumnReader(
        path=path,
        file=file,
        fields=fields,
        layout=f"{schema.to_string(show_schema_metadata=False)} {count}",
        shape=(count, len(fields.names)),
        starts=tuple(starts.astype(int).tolist()),
        stored_bytes=stored_bytes,
        working_bytes=working_bytes,
    )
