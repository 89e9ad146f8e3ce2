"""Fetched files: a file of a store, kept in the temporary folder as far as it has been read.

    FetchedPath     the path of the copy; whoever opens it plainly waits until it is complete
    open_bytes      the bytes of a file, those of a store fetched as they are asked for

Cost     every block of FETCHED_BYTES is fetched at most once; later passes read it on this machine.
Traps    a file that changes over there while parts of it are still missing here is an error at the
         next pass. Once all of it is here, what becomes of it over there no longer matters.
"""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import EigenlensError, FieldError, FileError

__all__ = [
    "FETCHED_BYTES",
    "FetchedPath",
    "StoredFile",
    "explaining_store_errors",
    "is_partly_fetched",
    "open_bytes",
    "open_for_arrow",
    "secure_bytes",
    "with_fetched",
]

FETCHED_BYTES = 4 << 20
PART = ".part"
FETCHED = "fetched"
# What stores call the things that tell one version of a file from another.
MARKS = ("ETag", "etag", "e_tag", "checksum", "mtime", "LastModified", "last_modified", "created")


class StoredFile:
    """A file of a store, and what of it is here."""

    def __init__(self, system: Any, name: str, address: str, path: Path) -> None:
        self.system, self.name, self.address, self.path = system, name, address, path
        self.mark, self.size = self.look()
        self.part = path.with_name(path.name + PART)
        self.lock = threading.Lock()
        self.fetched_bytes = 0
        self.is_complete = False
        with open(self.part, "wb") as file:
            file.truncate(self.size)
        self.here = np.zeros(-(-self.size // FETCHED_BYTES), dtype=bool)

    def look(self) -> tuple[str, int]:
        """What tells this version from others, and its size."""
        with explaining_store_errors(self.address):
            facts: Mapping[str, Any] = self.system.info(self.name)
        size = facts.get("size")
        if size is None:
            raise FieldError.not_readable(f"the address {self.address!r}", "a file", "no size")
        return f"{size} bytes {[str(facts[one]) for one in MARKS if facts.get(one)]}", int(size)

    @property
    def held_at(self) -> Path:
        """Where the bytes are that are here."""
        return self.path if self.is_complete else self.part

    def stamp(self) -> str:
        mark = self.mark if self.is_complete else self.look()[0]
        return f"{self.address}: {mark}"

    def secure(self, start: int, stop: int) -> None:
        """Have the bytes from `start` to `stop` here."""
        if self.is_complete:
            return
        first, last = start // FETCHED_BYTES, -(-min(stop, self.size) // FETCHED_BYTES)
        with self.lock:
            for block in range(first, last):
                if not self.here[block]:
                    self.fetch(block)
            if not self.is_complete and self.here.all():
                os.replace(self.part, self.path)
                self.is_complete = True

    def fetch(self, block: int) -> None:
        start = block * FETCHED_BYTES
        stop = min(start + FETCHED_BYTES, self.size)
        with explaining_store_errors(self.address):
            data = self.system.cat_file(self.name, start=start, end=stop)
        self.fetched_bytes += len(data)
        if len(data) == self.size:  # all of it: there are hosts that know no parts
            start, stop, block = 0, self.size, slice(None)  # type: ignore[assignment]
        if len(data) != stop - start:
            raise FileError.changed(self.address)
        with open(self.part, "r+b") as file:
            file.seek(start)
            file.write(data)
        self.here[block] = True


class FetchedPath(type(Path())):  # type: ignore[misc]
    """A path in a temporary folder, which lives as long as this object does."""

    folder: Any = None
    stored: StoredFile | None = None

    def __fspath__(self) -> str:
        if self.stored is not None:
            self.stored.secure(0, self.stored.size)
        return str(self)

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        here = str(self) if self.stored is None else str(self.stored.held_at)
        return os.stat(here, follow_symlinks=follow_symlinks)

    def __reduce__(self) -> Any:
        return Path, (os.fspath(self),)  # of another process: it reads a plain file


class CachedFile(io.RawIOBase):
    """The bytes of a stored file, in any order; what is not here is fetched."""

    def __init__(self, stored: StoredFile) -> None:
        self.stored = stored
        self.file = open(stored.held_at, "rb", buffering=0)  # noqa: SIM115

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.file.fileno()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.file.seek(offset, whence)

    def tell(self) -> int:
        return self.file.tell()

    def readinto(self, place: Any) -> int:
        start = self.tell()
        self.stored.secure(start, start + len(memoryview(place).cast("B")))
        return self.file.readinto(place) or 0

    def close(self) -> None:
        self.file.close()
        super().close()


def stored_file_at(path: Path) -> StoredFile | None:
    """What is behind a path that is not all here."""
    stored: StoredFile | None = getattr(path, "stored", None)
    return None if stored is None or stored.is_complete else stored


def is_partly_fetched(path: Path) -> bool:
    return stored_file_at(path) is not None


def open_bytes(path: Path) -> Any:
    """A file to read bytes from, unbuffered."""
    stored = stored_file_at(path)
    return open(path, "rb", buffering=0) if stored is None else CachedFile(stored)


def open_for_arrow(path: Path) -> Any:
    """The same as a file of Arrow's."""
    import pyarrow

    if is_partly_fetched(path):
        return pyarrow.PythonFile(open_bytes(path), mode="r")
    return pyarrow.OSFile(str(path))


def secure_bytes(path: Path, start: int, stop: int) -> None:
    """Have these bytes on this machine, for whoever maps the file."""
    stored = stored_file_at(path)
    if stored is not None:
        stored.secure(start, stop)


class Fetched(Mapping[str, Verdict]):
    """What was decided about files, and what has been fetched of them whenever it is asked for."""

    def __init__(self, decided: Mapping[str, Verdict], files: Sequence[StoredFile]) -> None:
        self.decided, self.files = decided, files

    def __iter__(self) -> Iterator[str]:
        return iter([*self.decided, FETCHED])

    def __len__(self) -> int:
        return len(self.decided) + 1

    def __getitem__(self, name: str) -> Verdict:
        return self.decided[name] if name != FETCHED else fetched_verdict(self.files)


def fetched_verdict(files: Sequence[StoredFile]) -> Verdict:
    count, size = sum(one.fetched_bytes for one in files), sum(one.size for one in files)
    first, more = files[0].address, len(files) - 1
    where = f"{first!r} and {more} more" if more else repr(first)
    reason = (
        f"{count / 1e6:.3g} of {size / 1e6:.3g} MB at {where} were fetched; every block is fetched "
        "once, and read from the temporary folder after that"
    )
    return Verdict(count, "blocks", reason, {"fetched_bytes": count, "size_bytes": size})


def with_fetched(decided: Mapping[str, Verdict], paths: Sequence[Path]) -> Mapping[str, Verdict]:
    """The same for files of this machine."""
    files = [stored for path in paths if (stored := getattr(path, "stored", None)) is not None]
    return Fetched(decided, files) if files else decided


@contextmanager
def explaining_store_errors(address: str) -> Iterator[None]:
    """What the library of a store raises, said about the address."""
    try:
        yield
    except EigenlensError:
        raise
    except FileNotFoundError:
        raise FileError.missing(address) from None
    except Exception as error:
        raise FieldError.not_readable(f"the address {address!r}", "a file", error) from error
