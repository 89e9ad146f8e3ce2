"""Spooled columns: a group of rows decoded a few columns at a time, by way of a temporary file.

Decoding holds a dictionary and some pages of every column that is open: 3 MB each with the usual
defaults of Parquet, more than many a budget for hundreds of columns. Here only some are open at a
time. Their numbers go to a mapped file in the temporary folder (TMPDIR), and rows are read there.

Cost     one more copy of each row group, on disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Protocol, runtime_checkable

import numpy as np

from eigenlens.algebra.typing import FloatArray
from eigenlens.sources.arrow_batches import Fields, Part, fill
from eigenlens.sources.block import spans
from eigenlens.sources.columns import Picked

__all__ = ["GroupedFile", "SpooledFile"]


@runtime_checkable
class GroupedFile(Protocol):
    """A file of columns whose groups of rows can be read one by one."""

    @property
    def kind(self) -> str: ...

    @property
    def fields(self) -> Fields: ...

    def group_counts(self) -> list[int]:
        """The rows of each group."""

    def group_parts(self, columns: Picked, group: int, rows: int) -> Iterator[Part]: ...

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

    def parts(self, columns: Picked, first: int, rows: int) -> Iterator[Part]:
        for group, count in enumerate(self.file.group_counts()):
            if group >= first and count:
                yield from self.spooled(columns, group, count, rows)

    def spooled(self, columns: Picked, group: int, count: int, rows: int) -> Iterator[Part]:
        import pyarrow

        places = np.arange(len(self.file.fields.names))[columns]
        with TemporaryFile() as spool:
            shape = (len(places), count)
            table: FloatArray = np.memmap(spool, self.file.fields.dtype, "w+", shape=shape)
            for some in spans(len(places), self.columns_at_once, "columns"):
                done = 0
                for part, size in self.file.group_parts(places[some], group, rows):
                    fill(table[some, done : done + size], part, 0)
                    done += size
            for span in spans(count, rows, "rows"):
                yield [pyarrow.array(line) for line in table[:, span]], span.stop - span.start
            del table
