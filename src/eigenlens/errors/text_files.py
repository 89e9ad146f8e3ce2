"""Errors about text files: lines, quotes, letters, and the many ways to write a number."""

from __future__ import annotations

from typing import Self

from eigenlens.errors.files import CHECK_WRITER, FileError, place_in_file
from eigenlens.errors.phrasing import FileName, Option, Phrase, SetOption, count_things, enquote
from eigenlens.errors.remedies import LeaveOutColumns

__all__ = ["TextFileError"]


class TextFileError(FileError):
    """A text file is not written as a table, or not as expected."""

    @classmethod
    def ragged_line(cls, path: object, line: int | None, expected: int, found: int) -> Self:
        return cls.of(
            "{path}{where} has {entries}, but the first line has {expected}.",
            "give every line the same number of entries",
            Phrase("check the separator ({})", Option("delimiter")),
            Phrase("skip lines above the table ({})", SetOption("skip_lines", 1)),
            path=FileName(path),
            where="" if line is None else f", line {line},",
            line=line,
            expected=expected,
            found=found,
            entries=count_things(found, "entry"),
        )

    @classmethod
    def open_quote(cls, path: object, line: int | None) -> Self:
        return cls.of(
            "{path}{where}: an entry begins with a quotation mark, and no other one ends it.",
            "close the quotation, or remove the mark",
            path=FileName(path),
            where="" if line is None else f", line {line}",
            line=line,
        )

    @classmethod
    def binary_text(cls, path: object) -> Self:
        return cls.of(
            "{path} cannot be read as CSV: it holds zero bytes, so it is text in an encoding that "
            "its first bytes do not show, or of another kind than its ending says.",
            Phrase("name the encoding, for example {}", SetOption("encoding", "utf-16")),
            CHECK_WRITER,
            path=FileName(path),
        )

    @classmethod
    def not_in_encoding(cls, path: object, encoding: str) -> Self:
        return cls.of(
            "{path} holds bytes that are no text in the encoding {encoding!r}.",
            Phrase("name its encoding, for example {}", SetOption("encoding", "latin-1")),
            CHECK_WRITER,
            path=FileName(path),
            encoding=encoding,
        )

    @classmethod
    def not_utf8(cls, path: object) -> Self:
        return cls.of(
            "{path} holds text that is not UTF-8, though it begins so.",
            Phrase("name its encoding, for example {}", SetOption("encoding", "cp1252")),
            path=FileName(path),
        )

    @classmethod
    def other_style(
        cls, path: object, column: str, value: object, line: int, row: str | None = None
    ) -> Self:
        """A number, but not written as the others of its column."""
        return cls.of(
            "{path}{where}: column {column!r} holds {value}, which is not written as the other "
            "numbers of the column.",
            Phrase("say how numbers are written with {}", SetOption("decimal", ",")),
            Phrase("with {}", SetOption("thousands", ",")),
            LeaveOutColumns((column,)),
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
    def unclear_number(
        cls, path: object, column: str, value: object, line: int, signs: tuple[str, str]
    ) -> Self:
        """`signs`: the decimal sign in one reading, that of thousands in the other."""
        decimal, thousands = signs
        return cls.of(
            "{path}{where}: column {column!r} holds {value}. Its {sign!r} may be a decimal sign or "
            "a separator of thousands, and no other number of the file decides.",
            Phrase(
                "pass {} or {}", SetOption("decimal", decimal), SetOption("thousands", thousands)
            ),
            LeaveOutColumns((column,)),
            path=FileName(path),
            where=place_in_file(line, None),
            sign=thousands,
            line=line,
            column=column,
            columns=[column],
            value=enquote(value),
            given=value,
        )
