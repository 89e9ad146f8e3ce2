"""The container: a zip that holds a record and arrays, with a seal at its end.

    model.json       format, kind, version, the arrays (type, shape, hash), the record of the kind
    <name>.npy       one per array, stored as it is
    zip comment      eigenlens-model/1 sha256:<hash of every byte before>

Nothing in it depends on when or where it was written: the same contents give the same bytes.
How it is read: `audit.py`.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from eigenlens.algebra.typing import AnyArray
from eigenlens.errors import ModelFileError
from eigenlens.errors.system import os_errors
from eigenlens.machine.whole_file import whole_file
from eigenlens.model.file.npy_member import ArrayHeader, contiguous_with_header, raw_bytes
from eigenlens.model.file.record_text import write_record_text

__all__ = [
    "DIGEST_LETTERS",
    "FORMAT",
    "MOST_ARRAYS",
    "MOST_RECORD_BYTES",
    "RECORD",
    "Container",
    "member_digest",
    "write_container",
]

FORMAT = 1
RECORD = "model.json"
DIGEST_LETTERS = 64
EARLIEST = (1980, 1, 1, 0, 0, 0)  # the same for all: when it was written changes nothing
READ_BYTES = 1 << 20
MOST_ARRAYS = 1000
MOST_RECORD_BYTES = 256 << 20


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
