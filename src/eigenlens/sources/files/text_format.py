"""What is said about a text file, and what its first bytes say about its encoding.

| the file begins with                     | is read as                                          |
|------------------------------------------|-----------------------------------------------------|
| a byte-order mark                        | UTF-8, UTF-16 or UTF-32, as the mark says           |
| letters with a zero byte after or before | UTF-16 without a mark                               |
| anything that is valid UTF-8             | UTF-8                                               |
| anything else                            | Windows-1252, or Latin-1 where that has no letter   |

Numbers are the same in the last two; only names and text depend on them.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, fields
from typing import Any

from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import SetOption

__all__ = ["AS_FOUND", "UTF8", "TextFormat", "find_encoding"]

UTF8 = "utf-8"
MARKS = (  # the longer ones first: UTF-32 begins as UTF-16 does
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
DECIMALS = (".", ",")
THOUSANDS = (",", ".", " ", "'")
LOOKED_AT = 1 << 10
AGAIN = "set 'encoding' to change this"


@dataclass(frozen=True)
class TextFormat:
    """How a text file is written, as far as somebody said so; None: found in the file."""

    header: bool | None = None
    delimiter: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    skip_lines: int | None = None

    def __post_init__(self) -> None:
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise OptionError.needs(
                SetOption("delimiter", self.delimiter), "one letter", "pass for example ';'"
            )
        if self.decimal not in (None, *DECIMALS):
            raise OptionError.unknown("decimal", self.decimal, DECIMALS)
        if self.thousands not in (None, *THOUSANDS):
            raise OptionError.unknown("thousands", self.thousands, THOUSANDS)
        if self.thousands is not None and self.thousands == self.decimal:
            raise OptionError.excludes("thousands", "decimal")
        lines = self.skip_lines
        if lines is not None and (not isinstance(lines, int) or lines < 0 or lines is True):
            given = SetOption("skip_lines", lines)
            raise OptionError.needs(given, "a number of lines, 0 or more", "pass for example 1")
        if self.encoding is not None:
            check_encoding(self.encoding)

    @classmethod
    def said_by(cls, options: Any, delimiter: str | None) -> TextFormat:
        """From what has fields of these names."""
        given = {one.name: getattr(options, one.name) for one in fields(cls)}
        return cls(**{**given, "delimiter": delimiter})

    @property
    def asked(self) -> dict[str, Any]:
        """What somebody said."""
        pairs = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: value for name, value in pairs if value is not None}


AS_FOUND = TextFormat()


def check_encoding(name: str) -> None:
    try:
        codecs.lookup(name)
    except LookupError:
        known = ("utf-8", "utf-16", "cp1252", "latin-1", "cp1250", "shift_jis", "gb18030")
        raise OptionError.unknown("encoding", name, known) from None


def find_encoding(head: bytes, asked: str | None) -> Verdict:
    """The encoding of a text by its first bytes; `head` ends where a line ends."""
    if asked is not None:
        name = codecs.lookup(asked).name
        return Verdict(name, "request", f"it was said that the text is {name}")
    for mark, name in MARKS:
        if head.startswith(mark):
            return Verdict(name, "byte-order mark", f"the file begins with the mark of {name}")
    some = head[:LOOKED_AT]
    for name, zeros, letters in (
        ("utf-16-le", some[1::2], some[::2]),
        ("utf-16-be", some[::2], some[1::2]),
    ):
        if len(zeros) > 1 and not any(zeros) and all(letters):
            reason = f"every second byte is zero, as in {name}; {AGAIN}"
            return Verdict(name, "first bytes", reason)
    for name in (UTF8, "cp1252"):
        try:
            head.decode(name)
        except UnicodeDecodeError:
            continue
        if name == UTF8:
            return Verdict(name, "first bytes", "the text is valid UTF-8")
        return Verdict(name, "first bytes", f"the text is not UTF-8; {AGAIN}")
    return Verdict("latin-1", "first bytes", f"the text is not UTF-8; {AGAIN}")
