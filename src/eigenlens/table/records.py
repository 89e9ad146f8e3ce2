"""Records: arrays appended to a file, each record complete or as if it had never been begun.

    file     MAGIC, then records
    record   length (8 bytes) | CRC-32 (4 bytes) | one line of JSON | arrays as .npy

Length and sum are written last. Whatever comes after the last record that agrees with its sum was
being written when the process ended; it is ignored, and overwritten by the next record.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from eigenlens.algebra.typing import AnyArray

__all__ = ["CHECKPOINT_MAGIC", "Record", "RecordFile"]

CHECKPOINT_MAGIC = b"eigenlens checkpoint 2\n"
FRAME = struct.Struct("<QI")
COPY_BYTES = 1 << 20
LONGEST_LINE = 1 << 20


@dataclass(frozen=True)
class Record:
    """Where a record lies, and what it says about itself."""

    start: int
    stop: int
    said: Mapping[str, Any]

    @property
    def size(self) -> int:
        return self.stop - self.start


@dataclass
class RecordFile:
    file: IO[bytes]
    end: int = 0  # of the last complete record

    def begin(self) -> None:
        """Forget everything."""
        self.file.seek(0)
        self.file.truncate()
        self.file.write(CHECKPOINT_MAGIC)
        self.end = len(CHECKPOINT_MAGIC)

    def append(self, said: Mapping[str, Any], arrays: Sequence[AnyArray] = ()) -> Record:
        start = self.end
        self.file.seek(start)
        self.file.truncate()
        self.file.write(bytes(FRAME.size))
        content = CheckedWriter(self.file)
        content.write(json.dumps({**said, "arrays": len(arrays)}).encode() + b"\n")
        for array in arrays:
            # In the order it has: the layout of an array decides how products are rounded.
            np.lib.format.write_array(content, array, allow_pickle=False)
        self.file.seek(start)
        self.file.write(FRAME.pack(content.size, content.crc))
        self.file.flush()
        self.end = start + FRAME.size + content.size
        return Record(start, self.end, said)

    def sync(self) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())

    def is_one(self) -> bool:
        """Whether the file is of this kind at all."""
        self.file.seek(0)
        return self.file.read(len(CHECKPOINT_MAGIC)) == CHECKPOINT_MAGIC

    def records(
        self, start: int = len(CHECKPOINT_MAGIC), stop: int | None = None
    ) -> Iterator[Record]:
        """Those known to be complete, up to `stop`; without it every sum is checked on the way."""
        size = os.fstat(self.file.fileno()).st_size if stop is None else stop
        while start + FRAME.size <= size:
            self.file.seek(start)
            length, crc = FRAME.unpack(self.file.read(FRAME.size))
            after = start + FRAME.size + length
            if length == 0 or after > size or (stop is None and self.summed(length) != crc):
                return
            self.file.seek(start + FRAME.size)
            said = json.loads(self.file.readline(LONGEST_LINE))
            yield Record(start, after, said)
            start = after

    def summed(self, length: int) -> int:
        crc = 0
        while length:
            part = self.file.read(min(length, COPY_BYTES))
            crc, length = zlib.crc32(part, crc), length - len(part)
        return crc

    def arrays(self, record: Record) -> list[AnyArray]:
        self.file.seek(record.start + FRAME.size)
        said = json.loads(self.file.readline(LONGEST_LINE))
        found = [
            np.lib.format.read_array(self.file, allow_pickle=False) for _ in range(said["arrays"])
        ]
        if self.file.tell() != record.stop:
            raise ValueError("a record holds more or less than it says")
        return found

    def copy_to(self, other: RecordFile, record: Record) -> Record:
        """The same record at the end of another file, through a small buffer."""
        self.file.seek(record.start)
        other.file.seek(other.end)
        left = record.size
        while left:
            part = self.file.read(min(left, COPY_BYTES))
            other.file.write(part)
            left -= len(part)
        start, other.end = other.end, other.end + record.size
        return Record(start, other.end, record.said)


@dataclass
class CheckedWriter:
    """Writes on, and adds up what it has written."""

    file: IO[bytes]
    size: int = 0
    crc: int = 0

    def write(self, data: bytes) -> None:
        self.file.write(data)
        self.size += len(data)
        self.crc = zlib.crc32(data, self.crc)
