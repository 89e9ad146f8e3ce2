"""Errors about files: which one, what is wrong with it, and what can be read instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.phrasing import FileName, Option, Phrase, SetOption, enquote, list_words
from eigenlens.errors.remedies import Install, LeaveOutColumns, LoadModel, NameKind, PythonCode

__all__ = ["CHECK_WRITER", "FileError", "place_in_file"]

CHECK_WRITER = "write or copy it again"


def place_in_file(line: int | None, row: str | None) -> str:
    """Where an error is, with what the row calls itself."""
    where = "" if line is None else f", line {line}"
    return where if row is None else f"{where} (row {enquote(row)})"


class FileError(DataError):
    """A file cannot be read as a table, or cannot be written."""

    @classmethod
    def missing(cls, path: object) -> Self:
        if "://" in str(path):
            return cls.of(
                "there is no file at the address {path}.",
                "check the spelling, and whether you may read it",
                path=FileName(path),
            )
        return cls.of(
            "there is no file {path}.", "check the spelling and the folder", path=FileName(path)
        )

    @classmethod
    def no_path(cls, given: object) -> Self:
        return cls.of(
            "the path {given!r} is empty.",
            "pass the name of a file, a pattern such as 'data/*.parquet', or '.' for all tables "
            "in this folder",
            given=given,
        )

    @classmethod
    def nothing_matches(cls, pattern: object) -> Self:
        return cls.of(
            "no file matches {path}. In a pattern, * stands for any part of a name, and ** for any "
            "folders.",
            "check the folder and the pattern",
            path=FileName(pattern),
        )

    @classmethod
    def not_a_file(cls, path: object) -> Self:
        return cls.of(
            "{path} is a pipe or a device, which cannot be read twice.",
            "copy its content into a file",
            PythonCode("pass an iterator of blocks"),
            path=FileName(path),
        )

    @classmethod
    def empty(cls, path: object) -> Self:
        return cls.of(
            "{path} is empty: it has no rows.",
            "check the program that wrote it",
            path=FileName(path),
        )

    @classmethod
    def no_rows(cls, path: object) -> Self:
        return cls.of(
            "{path} holds no rows of numbers, at most a line of column names.",
            "check the program that wrote it",
            path=FileName(path),
        )

    @classmethod
    def damaged(cls, path: object, kind: str, reason: object) -> Self:
        return cls.of(
            "{path} cannot be read as {kind}: {reason}. It may be truncated, or of another kind "
            "than its ending says.",
            CHECK_WRITER,
            path=FileName(path),
            kind=kind,
            reason=reason,
        )

    @classmethod
    def wrong_length(cls, path: object, expected: int, found: int) -> Self:
        return cls.of(
            "{path} has {found} rows, but it had {expected} when it was opened. It may be "
            "truncated, or still being written.",
            CHECK_WRITER,
            path=FileName(path),
            expected=expected,
            found=found,
        )

    @classmethod
    def changed(cls, path: object) -> Self:
        return cls.of(
            "{path} changed while it was being read, so the passes over it do not see the same "
            "data.",
            "wait until it is complete and fit again",
            path=FileName(path),
        )

    @classmethod
    def unknown_kind(cls, path: object, endings: Iterable[str]) -> Self:
        if str(path).endswith(".eigenlens"):
            return cls.of(
                "{path} is a model, not a table.", LoadModel(str(path)), path=FileName(path)
            )
        if str(path).endswith((".nc", ".nc4")):
            return cls.of(
                "{path} holds grids, not one table.",
                PythonCode(f"call eigenlens.xarray.eof({str(path)!r}, k)"),
                path=FileName(path),
            )
        known = list(endings)
        return cls.of(
            "{path} has an ending that is not known. Possible: {listing}; CSV may be compressed "
            "as .csv.gz or .csv.zst.",
            "rename the file",
            NameKind(),
            path=FileName(path),
            listing=list_words(known, limit=40),
            allowed=known,
        )

    @classmethod
    def not_a_number(
        cls,
        path: object,
        column: str,
        value: object,
        line: int | None = None,
        row: str | None = None,
    ) -> Self:
        """`row`: what the row calls itself."""
        return cls.of(
            "{path}{where}: column {column!r} holds {value}, which is not a number.",
            LeaveOutColumns((column,)),
            "correct the file",
            path=FileName(path),
            where=place_in_file(line, row),
            line=line,
            row=row,
            column=column,
            columns=[column],
            value=enquote(value),
            given=value,
        )

    @classmethod
    def no_numbers(cls, path: object, column: str, value: object) -> Self:
        """`column`: the first one, with an entry of it."""
        return cls.of(
            "{path} has no column of numbers: column {column!r} holds {value}, which is not a "
            "number.",
            Phrase("analyze categories with {}", SetOption("categories", "auto")),
            "check that this is the file you mean",
            path=FileName(path),
            column=column,
            columns=[column],
            value=enquote(value),
            given=value,
        )

    @classmethod
    def in_folder_names(cls, path: object, column: str) -> Self:
        return cls.of(
            "{path}: {column!r} is not a column of the files; only the names of their folders hold "
            "it ('{column}=...').",
            Phrase("choose columns of the files with {}", Option("columns", "[...]")),
            f"pass the folders of one kind only: '{column}=...'",
            path=FileName(path),
            column=column,
            columns=[column],
        )

    @classmethod
    def different_columns(
        cls, first: object, other: object, missing: Sequence[object], extra: Sequence[object]
    ) -> Self:
        parts = [f"lacks {list_words(list(missing))}"] if missing else []
        parts += [f"also has {list_words(list(extra))}"] if extra else []
        return cls.of(
            "the files do not have the same columns: compared with {first}, {path} {difference}.",
            Phrase("choose columns that they share with {}", Option("columns", "[...]")),
            "analyze them separately",
            path=FileName(other),
            first=FileName(first),
            difference=" and ".join(parts) or "has them in another order or number",
            columns=[*missing, *extra],
        )

    @classmethod
    def which_one(cls, path: object, inside: Sequence[str]) -> Self:
        return cls.of(
            "{path} holds {count} tables: {listing}.",
            f"name one of them: '{path}::{inside[0] if inside else 'name'}'",
            path=FileName(path),
            count=len(inside),
            listing=list_words(list(inside)),
            allowed=list(inside),
        )

    @classmethod
    def not_inside(cls, path: object, name: str, inside: Sequence[str]) -> Self:
        return cls.of(
            "{path} holds no table {given!r}. It has {listing}.",
            path=FileName(path),
            given=name,
            listing=list_words(list(inside)) or "none",
            allowed=list(inside),
        )

    @classmethod
    def no_room_to_spool(cls, folder: str, size: int, reason: object) -> Self:
        return cls.of(
            "to keep the memory budget, a part of the table goes through a temporary file of "
            "{megabytes:.3g} MB, which cannot be written in {path}: {reason}.",
            "set the variable TMPDIR to a folder with more space",
            Phrase("pass a larger {}", Option("memory")),
            path=FileName(folder),
            megabytes=size / 1e6,
            reason=reason,
        )

    @classmethod
    def needs_package(cls, path: object, package: str, extra: str) -> Self:
        return cls.of(
            "reading {path} needs {package}, which is not installed.",
            Install(extra),
            path=FileName(path),
            package=package,
            extra=extra,
        )

    @classmethod
    def would_overwrite(cls, path: object) -> Self:
        return cls.of(
            "the output would replace {path}, which is being read.",
            "choose another name",
            path=FileName(path),
        )

    @classmethod
    def not_written(cls, path: object, reason: object) -> Self:
        return cls.of(
            "{path} could not be written: {reason}.",
            "choose another name or folder",
            path=FileName(path),
            reason=reason,
        )

    @classmethod
    def not_printed(cls, reason: object) -> Self:
        return cls.of(
            "the results could not be written to standard output: {reason}. What arrived there is "
            "not complete.",
            "free some space",
            "send the output elsewhere",
            reason=reason,
        )
