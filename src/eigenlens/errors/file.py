"""Errors about files: which one, what is wrong with it, and what can be read instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.wording import listed, quoted

__all__ = ["FileError"]


class FileError(DataError):
    """A file cannot be read as a table, or not be written."""

    @classmethod
    def missing(cls, path: object) -> Self:
        if "://" in str(path):
            return cls(
                f"{quoted(str(path), 200)} is an address, and only files of this machine are "
                f"read. Download it first, and pass the path of the file."
            )
        return cls(f"there is no file {quoted(str(path), 200)}. Check the spelling and the folder.")

    @classmethod
    def no_path(cls, given: object) -> Self:
        return cls(
            f"the path {given!r} is empty. Pass the name of a file, a pattern such as "
            f"'data/*.parquet', or '.' for all tables in this folder."
        )

    @classmethod
    def nothing_matches(cls, pattern: object) -> Self:
        return cls(
            f"no file matches {str(pattern)!r}. Check the folder and the pattern: * stands for any "
            f"part of a name, ** for any folders."
        )

    @classmethod
    def no_permission(cls, path: object) -> Self:
        return cls(f"{str(path)!r} may not be read by this user. Change its permissions (chmod).")

    @classmethod
    def not_a_file(cls, path: object) -> Self:
        return cls(
            f"{str(path)!r} is a pipe or a device, which cannot be read twice. Copy what it gives "
            f"into a file, or pass an iterator of blocks."
        )

    @classmethod
    def not_read(cls, path: object, reason: object) -> Self:
        return cls(
            f"{str(path)!r} could not be read to its end: {reason}. Check the disk, or copy the "
            f"file to another one."
        )

    @classmethod
    def empty(cls, path: object) -> Self:
        return cls(f"{str(path)!r} is empty: it has no rows. Check the program that wrote it.")

    @classmethod
    def damaged(cls, path: object, kind: str, reason: object) -> Self:
        return cls(
            f"{str(path)!r} cannot be read as {kind}: {reason}. It may be cut off, or of another "
            f"kind than its ending says: write or copy it again."
        )

    @classmethod
    def wrong_length(cls, path: object, expected: int, found: int) -> Self:
        return cls(
            f"{str(path)!r} has {found} rows, but {expected} were announced when it was opened. It "
            f"may be cut off, or is still being written: write or copy it again."
        )

    @classmethod
    def changed(cls, path: object) -> Self:
        return cls(
            f"{str(path)!r} changed while it was being read, so the passes over it do not belong "
            f"together. Wait until it is complete and fit again."
        )

    @classmethod
    def unknown_kind(cls, path: object, endings: Iterable[str]) -> Self:
        if str(path).endswith(".eigenlens"):
            return cls(
                f"{str(path)!r} is a model, not a table. Type: eigenlens.load({str(path)!r})."
            )
        return cls(
            f"{str(path)!r} has an ending that tells no kind of table we read. Those are "
            f"{listed(list(endings), limit=40)}; CSV may be compressed as .csv.gz or .csv.zst."
        )

    @classmethod
    def ragged_line(cls, path: object, line: int | None, expected: int, found: int) -> Self:
        where = "" if line is None else f", line {line},"
        return cls(
            f"{str(path)!r}{where} has {found} entries where the first line has {expected}. Give "
            f"every line as many, or check the separator."
        )

    @classmethod
    def not_a_number(
        cls, path: object, column: str, value: object, line: int | None = None
    ) -> Self:
        where = "" if line is None else f", line {line}"
        return cls(
            f"{str(path)!r}: column {column!r} holds {quoted(value)}{where}, which is not a "
            f"number. Leave the column out with columns=[...], or correct the file."
        )

    @classmethod
    def in_folder_names(cls, path: object, column: str) -> Self:
        return cls(
            f"{str(path)!r}: {column!r} is no column of the files; only the names of their folders "
            f"tell it ('{column}=...'). Choose columns of the files with columns=[...], or give "
            f"the folders of one kind only: '{column}=...'."
        )

    @classmethod
    def decimal_comma(cls, path: object, column: str, value: object, line: int) -> Self:
        return cls(
            f"{str(path)!r}: column {column!r} holds {quoted(value)}, line {line}. Numbers are "
            f"read with a decimal point and nothing between thousands: write the file so, for "
            f"example by pandas.read_csv(path, sep=';', decimal=',').to_parquet('new.parquet'), or "
            f"leave the column out with columns=[...]."
        )

    @classmethod
    def different_columns(
        cls, first: object, other: object, missing: Sequence[object], extra: Sequence[object]
    ) -> Self:
        parts = []
        if missing:
            parts.append(f"lacks {listed(list(missing))}")
        if extra:
            parts.append(f"has {listed(list(extra))} besides")
        return cls(
            f"the files do not have the same columns: {str(other)!r} "
            f"{' and '.join(parts) or 'has them in another order or number'}, compared with "
            f"{str(first)!r}. Choose columns they share with columns=[...], or fit them apart."
        )

    @classmethod
    def which_one(cls, path: object, inside: Sequence[str]) -> Self:
        example = inside[0] if inside else "name"
        return cls(
            f"{str(path)!r} holds {len(inside)} tables: {listed(list(inside))}. Say which one: "
            f"'{path}::{example}'."
        )

    @classmethod
    def not_inside(cls, path: object, name: str, inside: Sequence[str]) -> Self:
        return cls(
            f"{str(path)!r} holds no table {name!r}. It has {listed(list(inside)) or 'none'}."
        )

    @classmethod
    def no_room_to_spool(cls, folder: str, size: int, reason: object) -> Self:
        return cls(
            f"to keep to the memory budget, a part of the table goes through a temporary file of "
            f"{size / 1e6:.3g} MB, which cannot be written in {folder!r}: {reason}. Set the "
            f"variable TMPDIR to a folder with more room, or pass a larger memory=."
        )

    @classmethod
    def needs_package(cls, path: object, package: str, extra: str) -> Self:
        return cls(
            f"reading {str(path)!r} needs {package}, which is not installed. Type: pip install "
            f"'eigenlens[{extra}]'."
        )

    @classmethod
    def would_overwrite(cls, path: object) -> Self:
        return cls(
            f"the scores would replace {str(path)!r}, from which the rows are read. Choose another "
            f"name with out=."
        )

    @classmethod
    def not_written(cls, path: object, reason: object) -> Self:
        return cls(
            f"{str(path)!r} could not be written: {reason}. Nothing half-written was left under "
            f"that name; make room or choose another folder."
        )

    @classmethod
    def not_printed(cls, reason: object) -> Self:
        return cls(
            f"the results could not be written to standard output: {reason}. What arrived there "
            f"is not complete: make room, or send it elsewhere."
        )
