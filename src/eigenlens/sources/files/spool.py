"""Spool: a temporary file of columns, one after the other, in the temporary folder (TMPDIR).

It takes numbers that arrive a few columns at a time, and gives rows. Nothing of it is mapped: where
the disk is full a mapped page would end the process, and pages read would count as its memory.
"""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, Self

import numpy as np

from eigenlens.algebra.typing import AnyArray, IntArray
from eigenlens.errors import FileError

__all__ = ["Spool"]


class Spool:
    """`shape`: columns, and rows. It is removed when it is left, or no longer needed by anybody."""

    def __init__(self, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
        self.shape, self.dtype = shape, dtype
        with self.writing():
            self.file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self.close = weakref.finalize(self, close_file, self.file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def put(self, column: int, row: int, line: AnyArray) -> None:
        """A stretch of a column that begins with that row."""
        with self.writing():
            self.file.seek((column * self.shape[1] + row) * self.dtype.itemsize)
            self.file.write(line.data)

    def lines(self, columns: IntArray, start: int, stop: int) -> AnyArray:
        """Rows `start` to `stop` of some columns, (columns, rows)."""
        with self.writing():
            self.file.flush()
        found = np.empty((len(columns), stop - start), self.dtype)
        for column, line in zip(columns.tolist(), found, strict=True):
            self.file.seek((column * self.shape[1] + start) * self.dtype.itemsize)
            self.file.readinto(line)  # type: ignore[attr-defined]
        return found

    @contextmanager
    def writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            size = self.shape[0] * self.shape[1] * self.dtype.itemsize
            reason = error.strerror or error
            raise FileError.no_room_to_spool(tempfile.gettempdir(), size, reason) from error


def close_file(file: IO[bytes]) -> None:
    with suppress(OSError):  # what could not be written is told already
        file.close()
