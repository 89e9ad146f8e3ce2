"""How a CSV file is laid out: separator, names of its columns, which of them are numbers.

The first line holds names unless all its entries are numbers. If those are 0, 1, 2, ... in order,
at least three, they are names after all: that is what a frame without names writes.

Kinds of columns are told from the first megabyte. Whole numbers are read as floats, so that a
decimal point may come late.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eigenlens.errors import FileError
from eigenlens.sources.line_pieces import byte_stream, line_pieces

__all__ = ["MISSING", "Layout", "cells_of", "is_number", "layout_of", "options_for"]

HEAD_BYTES = 1 << 20
LARGEST_PIECE = 1 << 30
FEWEST_NUMBERED = 3

MISSING = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "na", "nan", "null",
)  # fmt: skip
TRUTHS = ("true", "false", "0", "1")
NUMBER = re.compile(
    r"[ \t]*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?)[ \t]*", re.I
)


@dataclass(frozen=True)
class Layout:
    separator: str
    names: tuple[str, ...] | None  # of all columns, as the first line has them
    width: int
    first_byte: int  # where the rows begin
    numeric: tuple[int, ...]
    truths: tuple[int, ...]  # those of `numeric` that say true and false

    def name(self, place: int) -> str:
        return f"column {place + 1}" if self.names is None else self.names[place]


def layout_of(path: Path, separator: str) -> tuple[Layout, bytes]:
    """The layout, and the first lines below the header, from which it was told."""
    with byte_stream(path) as stream:
        head = next(line_pieces(stream, HEAD_BYTES), b"")
    if b"\0" in head:
        raise FileError.damaged(path, "CSV", "it holds zero bytes, so it is binary or UTF-16 text")
    blank = len(head) - len(head.lstrip(b"\r\n"))
    if blank == len(head):
        raise FileError.empty(path)
    end = head.find(b"\n", blank) + 1 or len(head)
    first = head[blank:end].rstrip(b"\r\n")
    if b"\r" in first:
        raise FileError.damaged(path, "CSV", "its lines end with a carriage return only")
    cells = cells_of(first.removeprefix(b"\xef\xbb\xbf"), separator)
    names = None if only_numbers(cells) else tuple(cells)
    begin = blank if names is None else end
    everything = tuple(range(len(cells)))
    return Layout(separator, names, len(cells), begin, everything, ()), head[begin:]


def cells_of(line: bytes, separator: str) -> list[str]:
    try:
        return next(csv.reader([line.decode("utf-8", "replace")], delimiter=separator), [])
    except csv.Error:  # an entry of more than 128 kB
        return line.decode("utf-8", "replace").split(separator)


def only_numbers(cells: Sequence[str]) -> bool:
    numbers = [cell for cell in cells if cell not in MISSING]
    counting = numbers == [str(place) for place in range(len(numbers))]
    if counting and len(numbers) >= FEWEST_NUMBERED:
        return False
    return bool(numbers) and all(NUMBER.fullmatch(cell) for cell in numbers)


def is_number(cell: str, truth: bool) -> bool:
    if cell in MISSING:
        return True
    return cell.lower() in TRUTHS if truth else NUMBER.fullmatch(cell) is not None


def options_for(layout: Layout, places: Sequence[int] | None) -> dict[str, Any]:
    """What pyarrow.csv.read_csv must know to read some columns; None: all, of kinds to be found."""
    import pyarrow
    from pyarrow import csv as arrow_csv

    # Columns go by their places: names may occur twice, or be in another encoding.
    labels = [str(place) for place in range(layout.width)]
    chosen: dict[str, Any] = {"null_values": list(MISSING), "strings_can_be_null": True}
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
