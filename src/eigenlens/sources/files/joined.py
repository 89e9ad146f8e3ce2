"""Several tables as one, one below the other, with the columns of the first in its order.

Columns that have names are found by them in every table; others must be as many in all. Tables
without rows count only in that their columns must be those of the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import FileError
from eigenlens.errors.row_place import RowPlace
from eigenlens.sources.columns import Picked, side_by_side
from eigenlens.sources.files.contents import Contents, contents_of
from eigenlens.sources.files.stored import Reader, reader_within
from eigenlens.sources.own_precision import dtype_of_picked
from eigenlens.sources.protocol import Block, IntArray

__all__ = ["JoinedReader", "join_readers", "text_in"]

PLACES = 8  # to begin reading in a table where reading can begin anywhere
NOT_EVERYWHERE = "not in all files"


@dataclass(frozen=True, eq=False)
class JoinedReader:
    readers: tuple[Reader, ...]
    places: tuple[IntArray, ...]  # where the columns offered lie in each table
    names: tuple[str, ...] | None
    first: Reader  # whose names and order these are

    @property
    def label(self) -> str:
        return f"{self.readers[0].label} and {len(self.readers) - 1} more"

    @property
    def shape(self) -> tuple[int, int]:
        return sum(reader.shape[0] for reader in self.readers), len(self.places[0])

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.dtype_of(slice(None))

    def dtype_of(self, columns: Picked) -> np.dtype[Any]:
        each = zip(self.readers, self.places, strict=True)
        found = (dtype_of_picked(reader, places[columns]) for reader, places in each)
        return max(found, key=lambda dtype: dtype.itemsize)

    @property
    def is_sparse(self) -> bool:
        return all(reader.is_sparse for reader in self.readers)

    @cached_property
    def stored_bytes(self) -> int:
        return sum(reader.stored_bytes for reader in self.readers)

    @property
    def working_bytes(self) -> int:
        """One table is read at a time."""
        return max(int(getattr(reader, "working_bytes", 0)) for reader in self.readers)

    def within(self, budget_bytes: int) -> JoinedReader:
        return replace(
            self, readers=tuple(reader_within(one, budget_bytes) for one in self.readers)
        )

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

    @property
    def contents(self) -> Contents:
        """Those of the first table, as far as all have them."""
        whole = contents_of(self.first)
        if self.names is None:
            return whole
        place = {whole.names[at]: at for at in whole.numbers}
        numbers = tuple(place[name] for name in self.names)
        why = reasons_left_out(self.readers)
        others = {
            at: why.get(name, NOT_EVERYWHERE)
            for at, name in enumerate(whole.names)
            if at not in set(numbers)
        }
        aside = {at: why[whole.names[at]] for at in numbers if whole.names[at] in why}
        return Contents(whole.names, numbers, aside, others, whole.lists, whole.nested)

    @property
    def decided(self) -> dict[str, Verdict]:
        """What the first table says that has something to say; headers may be in some files."""
        told: list[Mapping[str, Verdict]] = [getattr(one, "decided", {}) for one in self.readers]
        found = {name: one[name] for one in reversed(told) for name in one}
        headers = [one["header"] for one in told if "header" in one]
        having = sum(one.value for one in headers)
        if 0 < having < len(headers):
            words = f"the first line names the columns in {having} of {len(headers)} files"
            found["header"] = Verdict(
                "in some files",
                "first line",
                f"{words}, and is a row in the others",
                {"files": having},
            )
        return found

    def fingerprint(self) -> str:
        parts = "\n".join(reader.fingerprint() for reader in self.readers)
        digest = hashlib.sha256(parts.encode("utf-8", "surrogateescape"))
        return f"{len(self.readers)} tables {digest.hexdigest()}"

    def first_text(self, name: str) -> object:
        """An entry of a column that is not numbers, where a table can tell one."""
        holder = next((reader for reader in self.readers if name in reader.left_out), None)
        if holder is None:
            other = next(one for one in self.readers if name not in (one.names or (name,)))
            raise FileError.different_columns(self.first.label, other.label, [name], ())
        return text_in(holder, name)

    def locate_rows(self, rows: Sequence[int]) -> Mapping[int, RowPlace]:
        found: dict[int, RowPlace] = {}
        above = 0
        for reader in self.readers:
            inside = [row - above for row in rows if 0 <= row - above < reader.shape[0]]
            locate = getattr(reader, "locate_rows", None)
            own = {} if locate is None or not inside else locate(inside)
            found |= {row + above: replace(one, file=reader.label) for row, one in own.items()}
            above += reader.shape[0]
        return found

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        for reader, places in zip(self.readers, self.places, strict=True):
            if start < reader.shape[0]:
                for piece in reader.chunks(side_by_side(places[columns]), start, rows):
                    yield piece.toarray() if reader.is_sparse and not self.is_sparse else piece
                    del piece  # else it would live until the next one is read
            start = max(0, start - reader.shape[0])


def reasons_left_out(readers: Sequence[Reader]) -> Mapping[str, str]:
    """Why columns are left out; what the first table says counts."""
    told: dict[str, str] = {}
    for reader in reversed(readers):
        told |= contents_of(reader).left_out
    return told


def join_readers(readers: Sequence[Reader], by_name: bool) -> Reader:
    """One table of all; `by_name`: some columns will be picked, so not all need be everywhere."""
    if len(readers) == 1:
        return readers[0]
    filled = [reader for reader in readers if reader.shape[0]] or list(readers)
    # Names count where any table has them: others go by position, in the order of the first.
    first = next((reader for reader in filled if reader.names is not None), filled[0])
    for reader in readers:
        if not reader.shape[0]:
            refuse_unlike(first, reader)
    names = offered_names(first, filled, by_name)
    places = tuple(column_positions(first, other, names, by_name) for other in filled)
    return filled[0] if len(filled) == 1 else JoinedReader(tuple(filled), places, names, first)


def offered_names(
    first: Reader, readers: Sequence[Reader], by_name: bool
) -> tuple[str, ...] | None:
    """The names that may be asked for; None: columns go by position."""
    names = first.names
    if not names:
        return names  # None, or text only
    aside = {name for one in readers for name in names_left_out(one)}
    for other in readers:
        held = set(by_position(first, other) if other.names is None else other.names)
        names = tuple(one for one in names if one in held or not (by_name or one in aside))
    if not names:
        other = next(other for other in readers if not shared_names(first, other))
        raise FileError.different_columns(first.label, other.label, first.names or (), ())
    return names


def shared_names(first: Reader, other: Reader) -> bool:
    return other.names is None or bool(set(first.names or ()) & set(other.names))


def names_left_out(reader: Reader) -> set[str]:
    contents = contents_of(reader)
    return {contents.names[place] for place in contents.aside}


def by_position(first: Reader, other: Reader) -> Sequence[str]:
    """What the columns of a table without names are called: as in the first, with its index or not.

    A file cut into pieces has it in all of them, an array has none.
    """
    names = first.names or ()
    if len(names) == other.shape[1]:
        return names
    return [name for name in names if name not in names_left_out(first)]


def column_positions(
    first: Reader, other: Reader, names: tuple[str, ...] | None, by_name: bool
) -> IntArray:
    """Where the columns `names` of the first table, or all of them, lie in the other one."""
    if names is None or first.names is None or other.names is None:
        there = by_position(first, other)
        if other.shape[1] != (len(there) or first.shape[1]):
            raise FileError.different_columns(first.label, other.label, (), ())
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
    missing = [name for name in ours if name not in set(theirs) | names_left_out(first)]
    texts = [name for name in missing if name in other.left_out]
    if texts:
        raise FileError.not_a_number(other.label, texts[0], text_in(other, texts[0]))
    # What is text in the first table is left out everywhere.
    known = {*ours, *first.left_out, *names_left_out(other)}
    extra = [name for name in theirs if name not in known]
    if missing or extra:
        raise FileError.different_columns(first.label, other.label, missing, extra)


def refuse_unlike(first: Reader, empty: Reader) -> None:
    """A table without rows must have the columns of the others, of whatever kind."""
    ours, theirs = contents_of(first).names, contents_of(empty).names
    if None in (first.names, empty.names):
        if len(ours) != len(theirs):
            raise FileError.different_columns(first.label, empty.label, (), ())
        return
    missing = [name for name in ours if name not in set(theirs)]
    extra = [name for name in theirs if name not in set(ours)]
    if missing or extra:
        raise FileError.different_columns(first.label, empty.label, missing, extra)


def text_in(reader: Reader, name: str) -> object:
    first_text = getattr(reader, "first_text", None)
    return "text" if first_text is None else first_text(name)
