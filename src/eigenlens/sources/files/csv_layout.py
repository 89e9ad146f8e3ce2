"""How a CSV file is laid out: separator, header, names of its columns, which of them are numbers.

The first line holds names unless all its entries are numbers. If those are 0, 1, 2, ... in order,
at least three, they are names after all: that is what a frame without names writes. The separator
of a .csv file is a comma, or the first of ; tab | that its first line has where it has no comma.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eigenlens.document.verdict import Verdict
from eigenlens.errors import FileError, OptionError
from eigenlens.sources.files.contents import Contents
from eigenlens.sources.files.line_pieces import byte_stream, line_pieces

__all__ = [
    "COMMAS",
    "MISSING_TEXTS",
    "NUMBER",
    "CsvLayout",
    "cells_of",
    "csv_layout_of",
    "csv_options",
    "is_number_text",
]

HEAD_BYTES = 1 << 20
LARGEST_PIECE = 1 << 30
FEWEST_NUMBERED = 3
SEPARATORS = (",", ";", "\t", "|")
SHOWN = 3
MARK = b"\xef\xbb\xbf"  # that a text is UTF-8, as Excel writes it

MISSING_TEXTS = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "na", "nan", "null",
)  # fmt: skip
TRUTHS = ("true", "false", "0", "1")
NUMBER = r"[ \t]*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?)[ \t]*"
COMMAS = r"[ \t]*[+-]?(\d{1,3}(,\d{3})+(\.\d*)?|\d+,\d+([eE][+-]?\d+)?)[ \t]*"  # 1,5 or 1,234.5
A_NUMBER = re.compile(NUMBER, re.I)


@dataclass(frozen=True)
class CsvLayout:
    separator: str
    names: tuple[str, ...] | None  # of all columns, as the first line has them
    width: int
    first_byte: int  # where the rows begin
    header: Verdict  # whether the first line holds names
    numeric: tuple[int, ...]
    truths: tuple[int, ...] = ()  # those of `numeric` that say true and false
    aside: Mapping[int, str] = field(default_factory=dict)
    others: Mapping[int, str] = field(default_factory=dict)

    def name(self, place: int) -> str:
        return f"column {place + 1}" if self.names is None else self.names[place]

    @property
    def contents(self) -> Contents:
        names = tuple(map(self.name, range(self.width)))
        return Contents(names, self.numeric, self.aside, self.others)


def csv_layout_of(
    path: Path, separator: str | None, header: bool | None
) -> tuple[CsvLayout, bytes]:
    """The layout, and the first lines below the header; None: to be told from the first line."""
    with byte_stream(path) as stream:
        head = next(line_pieces(stream, HEAD_BYTES), b"")
    if b"\0" in head:
        raise FileError.damaged(path, "CSV", "it holds zero bytes, so it is binary or UTF-16 text")
    mark = len(MARK) if head.startswith(MARK) else 0
    blank = len(head) - len(head[mark:].lstrip(b"\r\n"))
    if blank == len(head):
        raise FileError.empty(path)
    end = head.find(b"\n", blank) + 1 or len(head)
    first = head[blank:end].rstrip(b"\r\n")
    if b"\r" in first:
        raise FileError.damaged(path, "CSV", "its lines end with a carriage return only")
    separator = separator or separator_in(first)
    cells = cells_of(first, separator)
    verdict = header_of(cells, header)
    names = tuple(cells) if verdict.value else None
    begin = end if verdict.value else blank
    everything = tuple(range(len(cells)))
    return CsvLayout(separator, names, len(cells), begin, verdict, everything), head[begin:]


def separator_in(line: bytes) -> str:
    return next((one for one in SEPARATORS if one.encode() in line), SEPARATORS[0])


def cells_of(line: bytes, separator: str) -> list[str]:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode("latin-1")  # else names that differ by an accent would become alike
    try:
        return next(csv.reader([text], delimiter=separator), [])
    except csv.Error:  # an entry of more than 128 kB
        return text.split(separator)


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


def only_numbers(cells: Sequence[str]) -> bool:
    numbers = [cell for cell in cells if cell not in MISSING_TEXTS]
    return bool(numbers) and not is_counting(cells) and all(map(A_NUMBER.fullmatch, numbers))


def is_counting(cells: Sequence[str]) -> bool:
    numbers = [cell for cell in cells if cell not in MISSING_TEXTS]
    return len(numbers) >= FEWEST_NUMBERED and numbers == list(map(str, range(len(numbers))))


def is_number_text(cell: str, truth: bool) -> bool:
    if cell in MISSING_TEXTS:
        return True
    return cell.lower() in TRUTHS if truth else A_NUMBER.fullmatch(cell) is not None


def csv_options(layout: CsvLayout, places: Sequence[int] | None) -> dict[str, Any]:
    """What pyarrow.csv.read_csv must know to read some columns; None: all, of kinds to be found."""
    import pyarrow
    from pyarrow import csv as arrow_csv

    # Columns go by their places: names may occur twice, or be in another encoding.
    labels = [str(place) for place in range(layout.width)]
    chosen: dict[str, Any] = {"null_values": list(MISSING_TEXTS), "strings_can_be_null": True}
    if places is not None:
        kinds = {False: pyarrow.float64(), True: pyarrow.bool_()}
        truths = set(layout.truths)
        chosen["include_columns"] = [labels[place] for place in places]
        chosen["column_types"] = {labels[place]: kinds[place in truths] for place in places}
    return {
        "read_options": arrow_csv.ReadOptions(
            column_names=labels, use_threads=False, block_size=LARGEST_PIECE
        ),
        "parse_options": arrow_csv.ParseOptions(delimiter=layout.separator),
        "convert_options": arrow_csv.ConvertOptions(**chosen),
    }
