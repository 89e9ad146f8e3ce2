"""The container: a zip that holds a record and arrays, with a seal at its end.

    model.json       format, kind, version, the arrays (type, shape, hash), the record of the kind
    <name>.npy       one per array, stored as it is
    zip comment      eigenlens-model/1 sha256:<hash of every byte before>

Nothing in it depends on when or where it was written: the same contents give the same bytes.
How it is read: `audit.py`.

One array as a `.npy` member: its header is written by the book, and compared, never parsed.

    \\x93NUMPY 1 0 | length | {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } | numbers

What is said of an array in `model.json` determines its header byte for byte. So a header that says
anything else (objects to unpickle, other sizes) is refused without being looked into.
"""

from __future__ import annotations

import hashlib
import math
import os
import struct
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from eigenlens.algebra.typing import AnyArray
from eigenlens.errors import ModelFileError
from eigenlens.errors.system import os_errors
from eigenlens.machine.whole_file import whole_file
from eigenlens.model.file.record_text import write_record_text

__all__ = [
    "DIGEST_LETTERS",
    "FORMAT",
    "MOST_ARRAYS",
    "MOST_RECORD_BYTES",
    "RECORD",
    "ArrayHeader",
    "Container",
    "contiguous_with_header",
    "member_digest",
    "raw_bytes",
    "write_container",
]

FORMAT = 1
RECORD = "model.json"
DIGEST_LETTERS = 64
EARLIEST = (1980, 1, 1, 0, 0, 0)  # the same for all: when it was written changes nothing
READ_BYTES = 1 << 20
MOST_ARRAYS = 1000
MOST_RECORD_BYTES = 256 << 20
# Whole and real numbers, truth values.
PLAIN = ("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8")
ALIGNMENT = 64


@dataclass(frozen=True)
class Container:
    """`record` is JSON; `arrays` are named like variables."""

    kind: str
    version: int
    record: dict[str, Any]
    arrays: Mapping[str, AnyArray]


def write_container(path: Path, container: Container) -> None:
    """Complete under its name, or not at all."""
    with (
        os_errors(path, "written", ModelFileError),
        whole_file(path) as unfinished,
        unfinished.open("x+b") as file,
    ):
        pack_container(file, container)
        append_seal(file)
        file.flush()
        os.fsync(file.fileno())


def pack_container(file: IO[bytes], container: Container) -> None:
    ready = {name: contiguous_with_header(array) for name, array in container.arrays.items()}
    record = {
        "format": FORMAT,
        "kind": container.kind,
        "version": container.version,
        "arrays": {name: array_entry(one) for name, (one, _) in ready.items()},
        "record": container.record,
    }
    array_bytes = sum(len(one.header) + one.data_bytes for one, _ in ready.values())
    text = write_record_text(record, array_bytes)
    if len(ready) > MOST_ARRAYS:
        raise ModelFileError.cannot_hold(f"{len(ready)} arrays", f"at most {MOST_ARRAYS}")
    if len(text) > MOST_RECORD_BYTES:
        raise ModelFileError.cannot_hold(f"{len(text)} bytes of words", f"{MOST_RECORD_BYTES}")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        add_member(archive, RECORD, [text])
        for name, (one, array) in ready.items():
            add_member(archive, f"{name}.npy", [one.header, *raw_bytes(array)])
        archive.comment = f"eigenlens-model/{FORMAT} sha256:{'0' * DIGEST_LETTERS}".encode("ascii")


def array_entry(one: ArrayHeader) -> dict[str, Any]:
    return {
        "dtype": one.dtype,
        "shape": list(one.shape),
        "fortran_order": one.fortran,
        "sha256": one.sha256,
    }


def add_member(archive: zipfile.ZipFile, name: str, pieces: list[bytes | memoryview]) -> None:
    info = zipfile.ZipInfo(name, EARLIEST)
    info.create_system, info.external_attr = 3, 0o644 << 16
    info.file_size = sum(len(piece) for piece in pieces)
    with archive.open(info, "w") as member:
        for piece in pieces:
            member.write(piece)


def append_seal(file: IO[bytes]) -> None:
    size = file.seek(0, os.SEEK_END)
    digest = member_digest(file, size - DIGEST_LETTERS)
    file.seek(size - DIGEST_LETTERS)
    file.write(digest.encode("ascii"))


def member_digest(file: IO[bytes], count: int) -> str:
    """Of the first `count` bytes."""
    digest = hashlib.sha256()
    file.seek(0)
    while count > 0:
        piece = file.read(min(count, READ_BYTES))
        if not piece:
            break
        digest.update(piece)
        count -= len(piece)
    return digest.hexdigest()


@dataclass(frozen=True)
class ArrayHeader:
    """What `model.json` says of an array."""

    dtype: str
    shape: tuple[int, ...]
    fortran: bool
    sha256: str

    @property
    def header(self) -> bytes:
        text = (
            f"{{'descr': {self.dtype!r}, 'fortran_order': {self.fortran}, 'shape': {self.shape}, }}"
        )
        fill = -(10 + len(text) + 1) % ALIGNMENT
        line = text.encode("ascii") + b" " * fill + b"\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(line)) + line

    @property
    def data_bytes(self) -> int:
        return math.prod(self.shape) * int(self.dtype[2])

    @property
    def is_plain(self) -> bool:
        """Whether it is an array of numbers, and not so large that sizes overflow."""
        small = len(self.shape) <= 8 and all(0 <= size < 1 << 48 for size in self.shape)
        return small and self.dtype in PLAIN

    def empty(self) -> AnyArray:
        order: Any = "F" if self.fortran else "C"
        return np.empty(self.shape, np.dtype(self.dtype), order=order)


def contiguous_with_header(array: AnyArray) -> tuple[ArrayHeader, AnyArray]:
    """The array without gaps and in the order it lies in, which decides how products round."""
    compact = np.array(array, dtype=array.dtype.newbyteorder("<"), order="K", copy=None)
    if not (compact.flags.c_contiguous or compact.flags.f_contiguous):
        compact = compact.copy(order="K")
    if not (compact.flags.c_contiguous or compact.flags.f_contiguous):
        compact = np.ascontiguousarray(compact)
    fortran = not compact.flags.c_contiguous
    one = ArrayHeader(compact.dtype.str, compact.shape, fortran, "")
    digest = hashlib.sha256(one.header)
    for piece in raw_bytes(compact):
        digest.update(piece)
    return ArrayHeader(one.dtype, one.shape, fortran, digest.hexdigest()), compact


def raw_bytes(array: AnyArray) -> Iterator[memoryview]:
    """The bytes of an array without gaps, in memory order and not copied."""
    if array.size:
        yield array.reshape(-1, order="A").view(np.uint8).data
