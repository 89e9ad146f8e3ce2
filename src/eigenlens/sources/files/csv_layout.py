"""How a CSV file is laid out: encoding, separator, header, names of its columns, their numbers.

The first line holds names unless all its entries are numbers. If those are 0, 1, 2, ... in order,
at least three, they are names after all: that is what a frame without names writes. Where every
other line has one entry more, the first column has no name: that is what R writes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from eigenlens.document.verdict import Verdict
from eigenlens.errors import FileError, OptionError, TextFileError
from eigenlens.sources.files.contents import Contents
from eigenlens.sources.files.csv_cells import (
    LINES_COMPARED,
    MISSING_TEXTS,
    NUMBER_CELL,
    cells_of,
    find_separator,
    is_counting,
    only_numbers,
)
from eigenlens.sources.files.line_pieces import byte_stream, line_pieces
from eigenlens.sources.files.number_style import PLAIN_STYLE, NumberStyle
from eigenlens.sources.files.preamble import find_preamble
from eigenlens.sources.files.quoted_rows import has_odd_quotes, number_rows, row_ends
from eigenlens.sources.files.text_format import TextFormat, find_encoding

__all__ = [
    "CsvLayout",
    "csv_layout_of",
    "csv_options",
    "is_number_text",
]

HEAD_BYTES = 1 << 20
LARGEST_PIECE = 1 << 30
SHOWN = 3
MARK = b"\xef\xbb\xbf"  # that a text is UTF-8, as Excel writes it
SEPARATOR_LINE = re.compile(rb"sep=(.)\r?\n")  # as Excel wants it

TRUTHS = ("true", "false", "0", "1")


@dataclass(frozen=True)
class CsvLayout:
    separator: str
    names: tuple[str, ...] | None  # of all columns, as the first line has them
    width: int
    first_byte: int  # where the rows begin, in the text as UTF-8
    header: Verdict  # whether the first line holds names
    encoding: Verdict
    numeric: tuple[int, ...]
    truths: tuple[int, ...] = ()  # those of `numeric` that say true and false
    aside: Mapping[int, str] = field(default_factory=dict)
    others: Mapping[int, str] = field(default_factory=dict)
    text_roles: Mapping[int, str] = field(default_factory=dict)  # of `others`
    decimal: str = "."
    styles: Mapping[int, NumberStyle] = field(default_factory=dict)  # of columns not plain
    unclear: Mapping[int, tuple[NumberStyle, ...]] = field(default_factory=dict)
    numbers: Verdict | None = None  # what was found about the writing of numbers
    row_names: int | None = None  # the column with a different entry in every row
    quoted_breaks: bool = False  # whether a row may go on in the next line
    preamble: Verdict | None = None  # how many lines above the table are passed over

    def name(self, place: int) -> str:
        return f"column {place + 1}" if self.names is None else self.names[place]

    def style(self, place: int) -> NumberStyle:
        return self.styles.get(place, NumberStyle(self.decimal))

    def name_of_row(self, cells: Sequence[str]) -> str | None:
        """What a row calls itself, where a column names the rows."""
        named = self.row_names is not None and self.row_names < len(cells)
        return cells[self.row_names or 0].strip() or None if named else None

    @property
    def contents(self) -> Contents:
        names = tuple(map(self.name, range(self.width)))
        return Contents(names, self.numeric, self.aside, self.others, roles=self.text_roles)


def csv_layout_of(path: Path, said: TextFormat) -> tuple[CsvLayout, bytes]:
    """The layout, and the first rows below the header; `numeric` is every column so far."""
    with byte_stream(path) as stream:
        encoding = find_encoding(next(line_pieces(stream, HEAD_BYTES), b""), said.encoding)
    asked = said.skip_lines
    above = 0 if asked is None else bytes_above(path, encoding.value, asked)
    with byte_stream(path, above, encoding.value) as stream:
        head = next(line_pieces(stream, HEAD_BYTES), b"")
    if b"\0" in head:
        raise TextFileError.binary_text(path)
    begin, separator = len(MARK) if head.startswith(MARK) else 0, said.delimiter
    if line := SEPARATOR_LINE.match(head, begin):
        begin, separator = line.end(), separator or line[1].decode("latin-1")
    begin = len(head) - len(head[begin:].lstrip(b"\r\n"))
    if begin == len(head):
        raise FileError.empty(path)
    preamble: Verdict | None = Verdict(
        asked, "request", f"it was said that {asked} lines are above the table"
    )
    if not asked:
        preamble = find_preamble(head[begin:], separator) if asked is None else None
        begin += skip_lines(head[begin:], preamble.value) if preamble else 0
    text = head[begin:]
    separator = separator or find_separator(text)
    quoted = has_odd_quotes(text)
    if quoted:
        text = whole_rows(text, separator)
    rows = list(islice(number_rows(text, separator, quoted), LINES_COMPARED))
    first = rows[0][1]
    if b"\r" in first.replace(b"\r\n", b""):
        raise FileError.damaged(path, "CSV", "its lines end with a carriage return only")
    cells = cells_of(first, separator)
    verdict = header_of(cells, said.header)
    after = len(text) if len(rows) == 1 else int(row_ends(text, separator)[0])
    if verdict.value:
        cells = complete_names(cells, [cells_of(row, separator) for _, row in rows[1:]])
    names = tuple(" ".join(cell.split("\n")) for cell in cells) if verdict.value else None
    begin, text = (begin + after, text[after:]) if verdict.value else (begin, text)
    everything = tuple(range(len(cells)))
    layout = CsvLayout(separator, names, len(cells), above + begin, verdict, encoding, everything)
    return replace(layout, quoted_breaks=quoted, preamble=preamble), text


def skip_lines(text: bytes, count: int) -> int:
    """Where the line after the first `count` begins."""
    place = 0
    for _ in range(count):
        place = text.find(b"\n", place) + 1
        if not place:
            return len(text)
    return place


def bytes_above(path: Path, encoding: str, count: int) -> int:
    """How many bytes of a text its first `count` lines take."""
    place = 0
    with byte_stream(path, 0, encoding) as stream:
        for piece in line_pieces(stream, HEAD_BYTES):
            if (lines := piece.count(b"\n")) >= count:
                return place + skip_lines(piece, count)
            place, count = place + len(piece), count - lines
    return place


def whole_rows(text: bytes, separator: str) -> bytes:
    """Without the beginning of a row that goes on after the first megabyte."""
    ends = row_ends(text, separator)
    return text[: ends[-1]] if len(ends) and len(text) >= HEAD_BYTES // 2 else text


def complete_names(names: list[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """With a first one without a name, or a last one, where every row has one entry more."""
    if not rows or any(len(row) != len(names) + 1 for row in rows):
        return names
    blank_last = all(row[-1].strip() == "" for row in rows)
    return [*names, ""] if blank_last else ["", *names]


def header_of(cells: Sequence[str], asked: bool | None) -> Verdict:
    """Whether these entries of the first line are names."""
    shown = {"first_line": list(cells[:SHOWN])}
    if asked is not None:
        if not isinstance(asked, bool):  # 0 is the first line to some, and no header to others
            raise OptionError.unknown("header", asked, (True, False, None))
        words = "names the columns" if asked else "is a row"
        return Verdict(asked, "request", f"it was said that the first line {words}", shown)
    again = "set 'header' to change this"
    if only_numbers(cells):
        words = f"all its entries are numbers, so it is a row; {again}"
        return Verdict(False, "first line", words, shown)
    words = f"not all its entries are numbers, so they are names; {again}"
    if is_counting(cells):
        words = f"it counts from 0, as a frame without names writes it; {again}"
    return Verdict(True, "first line", words, shown)


def is_number_text(cell: str, truth: bool, style: NumberStyle = PLAIN_STYLE) -> bool:
    if cell in MISSING_TEXTS:
        return True
    if truth:
        return cell.lower() in TRUTHS
    plain = cell if style.decimal == "." else cell.replace(style.decimal, ".")
    if style == NumberStyle(style.decimal):
        return NUMBER_CELL.fullmatch(plain) is not None and (cell == plain or "." not in cell)
    return style.matches(cell)


def csv_options(layout: CsvLayout, places: Sequence[int] | None) -> dict[str, Any]:
    """What pyarrow.csv.read_csv must know to read some columns; None: all, of kinds to be found.

    Columns with a style of their own come as text.
    """
    import pyarrow
    from pyarrow import csv as arrow_csv

    # Columns go by their places: names may occur twice, or be in another encoding.
    labels = [str(place) for place in range(layout.width)]
    chosen: dict[str, Any] = {
        "null_values": list(MISSING_TEXTS),
        "strings_can_be_null": True,
        "decimal_point": layout.decimal,
    }
    if places is not None:
        kinds = dict.fromkeys(layout.truths, pyarrow.bool_())
        kinds |= dict.fromkeys(layout.styles, pyarrow.string())
        chosen["include_columns"] = [labels[place] for place in places]
        chosen["column_types"] = {
            labels[place]: kinds.get(place, pyarrow.float64()) for place in places
        }
    return {
        "read_options": arrow_csv.ReadOptions(
            column_names=labels, use_threads=False, block_size=LARGEST_PIECE
        ),
        "parse_options": arrow_csv.ParseOptions(
            delimiter=layout.separator, newlines_in_values=layout.quoted_breaks
        ),
        "convert_options": arrow_csv.ConvertOptions(**chosen),
    }
