"""Chunked arrays: rows of what is cut like an array, and stored in rectangles on disk.

HDF5 datasets and Zarr arrays alike. A rectangle is decoded whole even for one number in it, so rows
are read in bands: all rectangles side by side, each of them once per pass.

Cost     a band is held beside the block it goes into.
Traps    where one band would take more than `BAND_BYTES` and more than a block, rows are read as
         they are asked for, and every rectangle is decoded again for each block that cuts it: such
         a file is read faster by columns, or after being written with fewer rows in a rectangle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.sources.block import block_dtype
from eigenlens.sources.columns import Picked, column_span
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.protocol import Block

__all__ = ["ChunkedReader"]

BAND_BYTES = 8 << 20
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
        return None if self.rectangle is None else range(0, self.shape[0], self.rectangle[0])

    def fingerprint(self) -> str:
        facts = f"{self.shape} {self.stored} {self.rectangle}"
        return f"{stamp_of(self.path, self.label)} {facts}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
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
        if band > rows and band > some:
            return rows, 1
        return band * max(1, min(rows, some) // band), band
