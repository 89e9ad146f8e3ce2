"""Spooled columns: a group of rows decoded a few columns at a time, by way of a temporary file.

Decoding holds a dictionary and some pages of every column that is open: 3 MB each with the usual
defaults of Parquet, more than many a budget for hundreds of columns. Here only some are open at a
time. Their numbers go to a file in the temporary folder (TMPDIR), and rows are read there.

Cost     one more copy of each row group, on disk; the first rows of a group are decoded twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from eigenlens.algebra.typing import FloatArray, IntArray
from eigenlens.sources.block import spans
from eigenlens.sources.columns import Picked
from eigenlens.sources.files.arrow_batches import ArrowPart, NumericFields, fill_from_arrow
from eigenlens.sources.files.spool import Spool

__all__ = ["GroupedFile", "SpooledFile"]


@runtime_checkable
class GroupedFile(Protocol):
    """A file of columns whose groups of rows can be read one by one."""

    @property
    def kind(self) -> str: ...

    @property
    def fields(self) -> NumericFields: ...

    def group_counts(self) -> list[int]:
        """The rows of each group."""

    def group_parts(self, columns: Picked, group: int, rows: int) -> Iterator[ArrowPart]: ...

    def first_value(self, column: str) -> str: ...


@dataclass(frozen=True)
class SpooledFile:
    file: GroupedFile
    columns_at_once: int

    @property
    def kind(self) -> str:
        return self.file.kind

    def first_value(self, column: str) -> str:
        return self.file.first_value(column)

    def parts(self, columns: Picked, first: int, rows: int) -> Iterator[ArrowPart]:
        for group, count in enumerate(self.file.group_counts()):
            if group >= first and count:
                yield from self.spooled(columns, group, count, rows)

    def spooled(self, columns: Picked, group: int, count: int, rows: int) -> Iterator[ArrowPart]:
        places = np.arange(len(self.file.fields.names))[columns]
        first = min(rows, count)
        # Straight from the file: whoever looks at the first rows only shall not wait for the rest.
        yield array_lines(self.first_rows(places, group, first)), first
        if first == count:
            return
        with Spool((len(places), count), self.file.fields.dtype) as spool:
            for column, row, line in self.lines(places, group, count):
                spool.put(column, row, line)
            everything = np.arange(len(places))
            for span in spans(count - first, rows, "rows"):
                part = spool.lines(everything, first + span.start, first + span.stop)
                yield array_lines(part), part.shape[1]

    def first_rows(self, places: IntArray, group: int, count: int) -> FloatArray:
        table = np.empty((len(places), count), self.file.fields.dtype)
        for some in spans(len(places), self.columns_at_once, "columns"):
            done = 0
            for part, size in self.file.group_parts(places[some], group, count):
                stop = min(done + size, count)
                fill_from_arrow(table[some, done:stop], part, 0)
                done = stop
                if done == count:
                    break
        return table

    def lines(
        self, places: IntArray, group: int, count: int
    ) -> Iterator[tuple[int, int, FloatArray]]:
        """Stretches of columns, each with its number and its first row."""
        for some in spans(len(places), self.columns_at_once, "columns"):
            done = 0
            for part, size in self.file.group_parts(places[some], group, count):
                table = np.empty((len(part), size), self.file.fields.dtype)
                fill_from_arrow(table, part, 0)
                for column, line in enumerate(table, some.start):
                    yield column, done, line
                done += size


def array_lines(table: FloatArray) -> list[Any]:
    import pyarrow

    return [pyarrow.array(line) for line in table]
