"""`.npy`: one array as numpy.save writes it, of any real dtype, byte order and memory order.

Cost     whole rows of floats in C order are mapped: products read the disk's cache itself, a fifth
         faster than a copy of it, and pages are given back after every block. All else is plain
         reads into fresh arrays. A block of a file in F
         order is a piece of every column. Some columns of a C-ordered file cost all of it, unless
         its rows are so long that skipping pays.
Traps    a file cut off while a block of it is mapped would end the process, not raise an error: its
         size is looked at before every block, so only the milliseconds of one are at risk.
         Arrays of objects are refused, for to read them is to run what is in them.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from eigenlens.errors import FileError
from eigenlens.sources.array import pick_from_array
from eigenlens.sources.block import block_dtype, spans
from eigenlens.sources.columns import Picked, column_span, count_picked, takes_all
from eigenlens.sources.files.choose_array import StoredArray, refuse_unreadable
from eigenlens.sources.files.fetched import open_bytes, secure_bytes
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.protocol import Block

__all__ = [
    "ENDINGS",
    "NpyLayout",
    "NpyReader",
    "give_back",
    "layout_in",
    "next_rows",
    "read_exactly",
    "reader_of",
]

ENDINGS = (".npy",)
KIND = "a .npy file"
READ_BYTES = 4 << 20  # at once: longer reads are no faster
SKIP_BYTES = 32 << 10  # as long as it takes to go elsewhere in the file and read there
WIDE_ROW_BYTES = 8 * SKIP_BYTES  # a share of such a row can be read for its share of the time


@dataclass(frozen=True)
class NpyLayout:
    """How the numbers lie: the first at byte `offset`."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fortran: bool
    offset: int

    @property
    def found(self) -> StoredArray:
        return StoredArray(self.shape, self.dtype)

    @property
    def row_bytes(self) -> int:
        return self.shape[1] * self.dtype.itemsize

    @property
    def stored_bytes(self) -> int:
        return int(np.prod(self.shape, dtype=object)) * self.dtype.itemsize


@dataclass(frozen=True, eq=False)
class NpyReader:
    path: Path
    label: str
    layout: NpyLayout

    names = None
    is_sparse = False
    starts = None
    left_out = ()

    @property
    def shape(self) -> tuple[int, int]:
        return self.layout.shape[0], self.layout.shape[1]

    @property
    def dtype(self) -> np.dtype[Any]:
        return block_dtype(self.layout.dtype)

    @property
    def stored_bytes(self) -> int:
        return self.layout.stored_bytes

    @property
    def by_columns(self) -> bool:
        return self.layout.fortran or self.layout.row_bytes >= WIDE_ROW_BYTES

    def fingerprint(self) -> str:
        return f"{stamp_of(self.path, self.label)} {self.layout}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        with open_bytes(self.path) as file:
            if self.in_place(columns):
                yield from self.mapped(file, start, rows)
                return
            for span in spans(self.shape[0] - start, rows, "rows"):
                yield self.part(file, columns, start + span.start, start + span.stop)

    def in_place(self, columns: Picked) -> bool:
        """Whether the numbers can be multiplied where they lie."""
        layout = self.layout
        ready = layout.dtype == self.dtype and layout.offset % layout.dtype.itemsize == 0
        return ready and not layout.fortran and takes_all(columns, layout.shape[1])

    def mapped(self, file: IO[bytes], start: int, rows: int) -> Iterator[Block]:
        """Read-only views of the file.

        The system is told which block will be wanted next, and gets back the pages of the one
        before: else they would count as memory of this process until the end of the pass.
        """
        layout = self.layout
        refuse_cut_off(self.label, KIND, layout, os.fstat(file.fileno()).st_size)
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        count = self.shape[0] * self.shape[1]
        flat: npt.NDArray[Any] = np.frombuffer(memory, self.dtype, count, layout.offset)
        whole = flat.reshape(self.shape)
        for span in spans(self.shape[0] - start, rows, "rows"):
            first, last = start + span.start, start + span.stop
            refuse_cut_off(self.label, KIND, layout, os.fstat(file.fileno()).st_size)
            if hasattr(mmap, "MADV_WILLNEED"):
                begin = (layout.offset + last * layout.row_bytes) // mmap.PAGESIZE * mmap.PAGESIZE
                length = min(rows * layout.row_bytes, len(memory) - begin)
                if length > 0:
                    memory.madvise(mmap.MADV_WILLNEED, begin, length)
            start_byte = layout.offset + first * layout.row_bytes
            secure_bytes(self.path, start_byte, layout.offset + last * layout.row_bytes)
            yield whole[first:last]
            give_back(memory, start_byte, rows * layout.row_bytes)

    def part(self, file: IO[bytes], columns: Picked, start: int, stop: int) -> Block:
        if self.layout.fortran:
            return self.segments(file, columns, start, stop)
        first, last = column_span(columns)
        if self.layout.row_bytes - self.layout.dtype.itemsize * (last - first) > SKIP_BYTES:
            return self.pieces_of_rows(file, columns, start, stop)
        file.seek(self.layout.offset + start * self.layout.row_bytes)
        return next_rows(file, self.layout, columns, stop - start, self.label)

    def segments(self, file: IO[bytes], columns: Picked, start: int, stop: int) -> Block:
        """A stretch of each column of an F-ordered file, one read each."""
        layout, item = self.layout, self.layout.dtype.itemsize
        turned = np.empty((count_picked(columns), stop - start), layout.dtype)
        positions = np.arange(layout.shape[1])[columns].tolist()
        for place, column in zip(turned, positions, strict=True):
            file.seek(layout.offset + item * (column * layout.shape[0] + start))
            read_exactly(file, place, self.label)
        return turned.T

    def pieces_of_rows(self, file: IO[bytes], columns: Picked, start: int, stop: int) -> Block:
        """A stretch of each long row of a C-ordered file, one read each."""
        layout, (first, last) = self.layout, column_span(columns)
        rows = np.empty((stop - start, count_picked(columns)), layout.dtype)
        stretch = np.empty(last - first, layout.dtype)
        for row, place in enumerate(rows, start):
            file.seek(layout.offset + row * layout.row_bytes + first * layout.dtype.itemsize)
            if isinstance(columns, slice):
                read_exactly(file, place, self.label)
            else:
                read_exactly(file, stretch, self.label)
                place[:] = stretch[columns - first]
        return rows


def give_back(memory: mmap.mmap, start: int, length: int) -> None:
    """Pages that were read stay in the cache of the system, and no longer in this process."""
    if hasattr(mmap, "MADV_DONTNEED"):
        begin = start // mmap.PAGESIZE * mmap.PAGESIZE
        memory.madvise(mmap.MADV_DONTNEED, begin, min(start + length, len(memory)) - begin)


def reader_of(path: Path, inside: str | None) -> NpyReader:
    if inside is not None:
        raise FileError.not_inside(path, inside, [])
    with open_bytes(path) as file:
        layout = layout_in(file, str(path), KIND)
    refuse_unreadable(str(path), layout.found)
    refuse_cut_off(str(path), KIND, layout, path.stat().st_size)
    return NpyReader(path, str(path), layout)


def layout_in(stream: IO[bytes], label: str, kind: str) -> NpyLayout:
    """What the header says, which is read as plain values and never run."""
    try:
        major, _ = np.lib.format.read_magic(stream)
        # Format 3 differs from 2 in the letters that names of fields may have: those we refuse.
        form = np.lib.format
        header = form.read_array_header_1_0 if major == 1 else form.read_array_header_2_0
        shape, fortran, dtype = header(stream)
    except (ValueError, EOFError) as error:
        raise FileError.damaged(label, kind, error) from error
    if any(size < 0 for size in shape):
        raise FileError.damaged(label, kind, f"its header says that its shape is {shape}")
    # An array of one row or column is in both orders, and then C reads it in one piece.
    return NpyLayout(shape, dtype, fortran and min(shape, default=0) > 1, stream.tell())


def refuse_cut_off(label: str, kind: str, layout: NpyLayout, size: int) -> None:
    expected = layout.offset + layout.stored_bytes
    if size < expected:
        reason = f"{layout.shape} of {layout.dtype} take {expected} bytes, but it has {size}"
        raise FileError.damaged(label, kind, reason)


def next_rows(
    stream: IO[bytes], layout: NpyLayout, columns: Picked, count: int, label: str
) -> Block:
    """The picked columns of the next `count` rows of a C-ordered array."""
    if takes_all(columns, layout.shape[1]):
        whole = np.empty((count, layout.shape[1]), layout.dtype)
        read_exactly(stream, whole, label)
        return whole
    rows = np.empty((count, count_picked(columns)), layout.dtype)
    some = max(1, min(count, READ_BYTES // max(1, layout.row_bytes)))
    room = np.empty((some, layout.shape[1]), layout.dtype)
    for span in spans(count, some, "rows"):
        part = room[: span.stop - span.start]
        read_exactly(stream, part, label)
        rows[span] = pick_from_array(part, columns)
    return rows


def read_exactly(stream: IO[bytes], place: npt.NDArray[Any], label: str) -> None:
    """Bytes for all of `place`, which has no gaps, or an error."""
    room = place.reshape(-1).view(np.uint8)
    filled = 0
    while filled < room.size:
        count = stream.readinto(room[filled : filled + READ_BYTES])  # type: ignore[attr-defined]
        if not count:
            reason = f"it ends {room.size - filled} bytes too early at byte {stream.tell()}"
            raise FileError.damaged(label, "an array", reason)
        filled += count
