"""Chunked arrays: rows of what is cut like an array, and stored in rectangles on disk.

HDF5 datasets and Zarr arrays alike. A rectangle is decoded whole even for one number in it, so rows
are read in bands: all rectangles side by side, each of them once per pass.

Cost     a band is held beside the block it goes into. Where a band takes more than an eighth of the
         budget, rectangles go through a temporary file once (`spool.py`), and rows are read there.
Traps    one rectangle is decoded as a whole: one that takes more than the budget is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.sources.block import block_dtype, spans
from eigenlens.sources.columns import Picked, column_span
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.files.spool import Spool
from eigenlens.sources.protocol import Block

__all__ = ["ChunkedReader"]

BAND_BYTES = 8 << 20
LARGEST_BAND = 256 << 20
BAND_PART = 8  # of the budget, for a band
WIDE_ROW_BYTES = 256 << 10  # a share of such a row can be read for its share of the time


@dataclass(frozen=True, eq=False)
class ChunkedReader:
    path: Path
    label: str
    shape: tuple[int, int]
    stored: np.dtype[Any]
    rectangle: tuple[int, int] | None  # rows and columns stored together; None: row after row
    stored_bytes: int
    opened: Callable[[], AbstractContextManager[Any]]  # the array, for as long as it is read
    names: tuple[str, ...] | None = None
    band_bytes: int = LARGEST_BAND  # more than this goes through a temporary file

    is_sparse = False
    left_out = ()

    @property
    def dtype(self) -> np.dtype[Any]:
        return block_dtype(self.stored)

    @property
    def by_columns(self) -> bool:
        if self.rectangle is None:
            return self.shape[1] * self.stored.itemsize >= WIDE_ROW_BYTES
        return self.rectangle[1] * 4 <= self.shape[1]

    @property
    def starts(self) -> Sequence[int] | None:
        if self.rectangle is None or self.is_tall:
            return None
        return range(0, self.shape[0], self.rectangle[0])

    @property
    def rectangle_bytes(self) -> int:
        """Of the largest piece that is decoded at once."""
        if self.rectangle is None:
            return 0
        rows, columns = (min(pair) for pair in zip(self.rectangle, self.shape, strict=True))
        return rows * columns * self.stored.itemsize

    @property
    def is_tall(self) -> bool:
        """Whether all rectangles side by side are too much to hold."""
        if self.rectangle is None:
            return False
        rows = min(self.rectangle[0], self.shape[0])
        return rows * self.shape[1] * self.stored.itemsize > max(self.band_bytes, BAND_BYTES)

    @property
    def working_bytes(self) -> int:
        """A rectangle as it is stored and decoded, or a band of them."""
        if self.rectangle is None or self.is_tall:
            return 2 * self.rectangle_bytes
        band = min(self.rectangle[0], self.shape[0]) * self.shape[1] * self.stored.itemsize
        return band + self.rectangle_bytes

    def within(self, budget_bytes: int) -> ChunkedReader:
        return replace(self, band_bytes=min(LARGEST_BAND, budget_bytes // BAND_PART))

    @cached_property
    def spool(self) -> Spool:
        """Every rectangle decoded once, its columns one after the other in a temporary file."""
        assert self.rectangle is not None
        spool = Spool((self.shape[1], self.shape[0]), self.stored.newbyteorder("="))
        with self.opened() as array:
            for rows in spans(self.shape[0], self.rectangle[0], "rows"):
                for columns in spans(self.shape[1], self.rectangle[1], "columns"):
                    part = np.asarray(array[rows, columns], spool.dtype)
                    for column in range(part.shape[1]):
                        line = np.ascontiguousarray(part[:, column])
                        spool.put(columns.start + column, rows.start, line)
        return spool

    def spooled_rows(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        places = np.arange(self.shape[1])[columns]
        for span in spans(self.shape[0] - start, rows, "rows"):
            yield self.spool.lines(places, start + span.start, start + span.stop).T

    def fingerprint(self) -> str:
        facts = f"{self.shape} {self.stored} {self.rectangle}"
        return f"{stamp_of(self.path, self.label)} {facts}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        if self.is_tall:
            yield from self.spooled_rows(columns, start, rows)
            return
        first, last = column_span(columns)
        step, unit = self.steps(last - first, rows, exact=isinstance(columns, slice))
        with self.opened() as array:
            while start < self.shape[0]:
                stop = min(start // unit * unit + step, self.shape[0])
                # A list of columns is slow in both libraries; what lies between is read with them.
                part = array[start:stop, first:last]
                start = stop
                yield part if isinstance(columns, slice) else part[:, columns - first]
                del part  # else it would live until the next one is read

    def steps(self, columns: int, rows: int, exact: bool) -> tuple[int, int]:
        """How many rows to read at once, and of what their first is a multiple."""
        row_bytes = max(1, columns * self.stored.itemsize)
        some = max(1, BAND_BYTES // row_bytes)
        if self.rectangle is None:
            return (rows if exact else min(rows, some)), 1
        band = self.rectangle[0]
        return band * max(1, min(rows, some) // band), band
