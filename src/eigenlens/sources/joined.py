"""Several tables as one, one below the other, with the columns of the first in its order.

Columns that have names are found by them in every table; others must be as many in all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eigenlens.errors import FileError
from eigenlens.sources.columns import Picked, side_by_side
from eigenlens.sources.protocol import Block, IntArray
from eigenlens.sources.stored import Reader
from eigenlens.sources.traits import within

__all__ = ["JoinedReader", "joined"]

PLACES = 8  # to begin reading in a table where reading can begin anywhere


@dataclass(frozen=True, eq=False)
class JoinedReader:
    readers: tuple[Reader, ...]
    places: tuple[IntArray, ...]  # where the columns offered lie in each table
    names: tuple[str, ...] | None

    @property
    def label(self) -> str:
        return f"{self.readers[0].label} and {len(self.readers) - 1} more"

    @property
    def shape(self) -> tuple[int, int]:
        return sum(reader.shape[0] for reader in self.readers), len(self.places[0])

    @property
    def dtype(self) -> np.dtype[Any]:
        return max((reader.dtype for reader in self.readers), key=lambda dtype: dtype.itemsize)

    @property
    def is_sparse(self) -> bool:
        return all(reader.is_sparse for reader in self.readers)

    @property
    def stored_bytes(self) -> int:
        return sum(reader.stored_bytes for reader in self.readers)

    @property
    def working_bytes(self) -> int:
        """One table is read at a time."""
        return max(int(getattr(reader, "working_bytes", 0)) for reader in self.readers)

    def within(self, budget_bytes: int) -> JoinedReader:
        return replace(self, readers=tuple(within(one, budget_bytes) for one in self.readers))

    @property
    def by_columns(self) -> bool:
        return all(reader.by_columns for reader in self.readers)

    @property
    def starts(self) -> Sequence[int] | None:
        if all(reader.starts is None for reader in self.readers):
            return None
        found: list[int] = []
        above = 0
        for reader in self.readers:
            rows = reader.shape[0]
            own = range(0, rows, max(1, rows // PLACES)) if reader.starts is None else reader.starts
            found.extend(above + start for start in own)
            above += rows
        return found

    @property
    def left_out(self) -> tuple[str, ...]:
        """Each name once; a column may be text in one table and numbers in another."""
        return tuple(dict.fromkeys(name for reader in self.readers for name in reader.left_out))

    def fingerprint(self) -> str:
        parts = "\n".join(reader.fingerprint() for reader in self.readers)
        digest = hashlib.sha256(parts.encode("utf-8", "surrogateescape"))
        return f"{len(self.readers)} tables {digest.hexdigest()}"

    def first_text(self, name: str) -> object:
        """An entry of a column that is not numbers, where a table can tell one."""
        holder = next(reader for reader in self.readers if name in reader.left_out)
        return text_in(holder, name)

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        for reader, places in zip(self.readers, self.places, strict=True):
            if start < reader.shape[0]:
                for piece in reader.chunks(side_by_side(places[columns]), start, rows):
                    yield piece.toarray() if reader.is_sparse and not self.is_sparse else piece
                    del piece  # else it would live until the next one is read
            start = max(0, start - reader.shape[0])


def joined(readers: Sequence[Reader], by_name: bool) -> Reader:
    """One table of all; `by_name`: some columns will be picked, so not all need be everywhere."""
    if len(readers) == 1:
        return readers[0]
    # Names count where any table has them: others go by position, in the order of the first.
    first = next((reader for reader in readers if reader.names is not None), readers[0])
    names = first.names
    if names is not None and by_name:
        for other in readers[1:]:
            names = tuple(name for name in names if other.names is None or name in other.names)
        if not names:
            other = next(other for other in readers if not shared(first, other))
            raise FileError.different_columns(first.label, other.label, first.names or (), ())
    places = tuple(positions(first, other, names, by_name) for other in readers)
    return JoinedReader(tuple(readers), places, names)


def shared(first: Reader, other: Reader) -> bool:
    return other.names is None or bool(set(first.names or ()) & set(other.names))


def positions(
    first: Reader, other: Reader, names: tuple[str, ...] | None, by_name: bool
) -> IntArray:
    """Where the columns `names` of the first table, or all of them, lie in the other one."""
    if names is None or first.names is None or other.names is None:
        if other.shape[1] != first.shape[1]:
            raise FileError.different_columns(first.label, other.label, (), ())
        there: Sequence[str] = first.names or ()
    else:
        if not by_name:
            refuse_different(first, other)
        there = other.names
    if names is None:
        return np.arange(first.shape[1])
    where = {name: position for position, name in enumerate(there)}
    return np.array([where[name] for name in names], dtype=np.intp)


def refuse_different(first: Reader, other: Reader) -> None:
    ours, theirs = first.names or (), other.names or ()
    missing = [name for name in ours if name not in set(theirs)]
    texts = [name for name in missing if name in other.left_out]
    if texts:
        raise FileError.not_a_number(other.label, texts[0], text_in(other, texts[0]))
    # What is text in the first table is left out everywhere.
    extra = [name for name in theirs if name not in set(ours) and name not in first.left_out]
    if missing or extra:
        raise FileError.different_columns(first.label, other.label, missing, extra)


def text_in(reader: Reader, name: str) -> object:
    first_text = getattr(reader, "first_text", None)
    return "text" if first_text is None else first_text(name)
