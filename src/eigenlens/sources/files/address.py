"""Addresses: files of other machines and stores, by whatever fsspec knows, and UPath objects.

    "s3://bucket/part-*.parquet"   "gs://..."   "https://host/table.csv"   "hf://..."   "memory://..."

Nothing is fetched unless an address is given.

Cost     of `.npy`, Parquet and Arrow files blocks are fetched as they are read: one column of a
         Parquet file is fetched without the others. Other files are fetched when they are opened,
         all of them; a Zarr store with all its chunks, a PLINK `.bed` with `.bim` and `.fam`. What
         was fetched lies in the temporary folder (TMPDIR), is read there at every later pass, and
         is removed with the source. `choices["fetched"]` says how much it was.
Traps    hosts that know no parts of files send all of them at the first block.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

from eigenlens.errors import EigenlensError, FieldError, FileError
from eigenlens.sources.files import arrow_file, npy_file, parquet_file
from eigenlens.sources.files.fetched import (
    FETCHED_BYTES,
    FetchedPath,
    StoredFile,
    explaining_store_errors,
)
from eigenlens.sources.files.resolve_paths import INSIDE, Place

__all__ = ["fetch_places", "is_address", "is_address_object"]

COPIED_BYTES = 8 << 20  # at a time
READ_IN_PARTS = (*npy_file.ENDINGS, *parquet_file.ENDINGS, *arrow_file.ENDINGS)
BESIDE = {".bed": (".bim", ".fam")}
MARK = "://"
LOCAL = "file://"
# What to install for protocols whose library fsspec does not bring along.
LIBRARIES = {"s3": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "http": "aiohttp", "https": "aiohttp"}


class FetchedFolder:
    """A temporary folder that is removed when nobody needs it any more."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="eigenlens-")
        self.cleanup = weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)


def is_address(given: Any) -> bool:
    """An address of a store, or a UPath of one; `file://` is a path of this machine."""
    if isinstance(given, str | bytes | os.PathLike):
        text = os.fsdecode(given)
        return MARK in text.split(INSIDE)[0] and not text.startswith(LOCAL)
    return is_address_object(given)


def is_address_object(data: object) -> bool:
    """A UPath, which is no path of this machine."""
    return hasattr(data, "fs") and hasattr(data, "protocol") and hasattr(data, "path")


def fetch_places(given: Any, of_stores: tuple[str, ...]) -> list[Place]:
    """What an address stands for, once it is here."""
    if is_address_object(given):
        return fetch_files(given.fs, given.path, str(given), None, of_stores)
    address, _, inside = str(given).partition(INSIDE)
    try:
        import fsspec
    except ImportError:
        raise FieldError.needs_library(f"the address {address!r}", "fsspec") from None
    try:
        system, place = fsspec.core.url_to_fs(address)
    except ImportError:
        protocol = address.partition(MARK)[0]
        library = LIBRARIES.get(protocol, protocol)
        raise FieldError.needs_library(f"the address {address!r}", library) from None
    except ValueError as error:
        raise FieldError.not_readable(f"the address {address!r}", "a file", error) from error
    return fetch_files(system, place, address, inside or None, of_stores)


def fetch_files(
    system: Any, place: str, address: str, inside: str | None, of_stores: tuple[str, ...]
) -> list[Place]:
    folder = FetchedFolder()
    try:
        with explaining_store_errors(address):
            names = names_at(system, place, of_stores)
            if not names:
                raise FileError.nothing_matches(address)
            found = [
                fetch_one(system, name, full_address(address, place, name), number, folder)
                for number, name in enumerate(names)
            ]
    except EigenlensError:
        folder.cleanup()
        raise
    return [Place(path, inside) for path in found]


def full_address(address: str, place: str, name: str) -> str:
    """Of one of the files that an address stands for."""
    return (
        address
        if name.strip("/") == place.strip("/")
        else f"{address.split(MARK)[0]}{MARK}{name.strip('/')}"
    )


def names_at(system: Any, place: str, of_stores: tuple[str, ...]) -> list[str]:
    """The file, the store, or the files that a pattern or a folder stands for."""
    if any(sign in place for sign in "*?["):
        return sorted(system.glob(place))
    if not system.isdir(place) or place.rstrip("/").lower().endswith(of_stores):
        return [place]
    return sorted(name for name in system.find(place) if not is_hidden(name, place))


def is_hidden(name: str, place: str) -> bool:
    parts = name.removeprefix(place).strip("/").split("/")
    return any(part.startswith((".", "_")) for part in parts)


def fetch_one(system: Any, name: str, address: str, number: int, folder: Any) -> FetchedPath:
    """Each in a folder of its own, under its own name: two may be called the same."""
    path = FetchedPath(os.path.join(folder.name, f"{number:06d}", Path(name.rstrip("/")).name))
    path.parent.mkdir()
    path.folder = folder
    if system.isdir(name):
        system.get(name.rstrip("/") + "/", f"{path}/", recursive=True)
        return path
    for end in BESIDE.get(path.suffix.lower(), ()):
        beside = f"{name[: -len(path.suffix)]}{end}"
        if system.exists(beside):
            copy_whole(system, beside, str(path.with_suffix(end)))
    if system.info(name).get("size") is None:  # a host that does not say how long it is
        copy_whole(system, name, str(path))
        return path
    stored = StoredFile(system, name, address, Path(str(path)))
    if stored.size <= FETCHED_BYTES or not path.name.lower().endswith(READ_IN_PARTS):
        stored.secure(0, stored.size)
    path.stored = stored
    return path


def copy_whole(system: Any, name: str, path: str) -> None:
    with system.open(name, "rb") as there, open(path, "wb") as here:
        shutil.copyfileobj(there, here, COPIED_BYTES)
