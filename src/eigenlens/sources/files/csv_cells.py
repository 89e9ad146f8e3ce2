"""Entries of a line of CSV: what cuts them apart, and whether they are numbers.

The separator of a .csv file is the one that cuts its first lines into the same number of entries,
and the fewest of them where another separator is left; a comma where several do.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from eigenlens.sources.files.number_style import is_like_number

__all__ = [
    "LINES_COMPARED",
    "MISSING_TEXTS",
    "NUMBER",
    "NUMBER_CELL",
    "cells_of",
    "find_separator",
    "is_counting",
    "is_written_number",
    "only_numbers",
]

FEWEST_NUMBERED = 3
LINES_COMPARED = 20
SEPARATORS = (",", ";", "\t", "|")
MISSING_TEXTS = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "na", "nan", "null",
)  # fmt: skip
NUMBER = r"[ \t]*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?)[ \t]*"
NUMBER_CELL = re.compile(NUMBER, re.I)


def find_separator(text: bytes) -> str:
    """The separator that the first lines of a text agree on."""
    lines = [line for line in text[: 1 << 16].split(b"\n") if line.strip()][:LINES_COMPARED]
    first = lines[0]
    there = [one for one in SEPARATORS if one.encode() in first] or [SEPARATORS[0]]
    if len(there) == 1:
        return there[0]

    def count_faults(separator: str) -> tuple[int, int]:
        rows = [cells_of(line.rstrip(b"\r"), separator) for line in lines]
        uneven = sum(len(row) != len(rows[0]) for row in rows)
        others = [one for one in SEPARATORS if one != separator]
        uncut = sum(
            any(other in cell for other in others) and not is_like_number(cell)
            for row in rows
            for cell in row
        )
        return uneven, uncut

    return min(there, key=count_faults)


def cells_of(line: bytes, separator: str) -> list[str]:
    text = line.decode("utf-8", "replace")
    try:
        return next(csv.reader([text], delimiter=separator), [])
    except csv.Error:  # an entry of more than 128 kB
        return text.split(separator)


def only_numbers(cells: Sequence[str]) -> bool:
    numbers = [cell for cell in cells if cell not in MISSING_TEXTS]
    return bool(numbers) and not is_counting(cells) and all(map(is_written_number, numbers))


def is_written_number(cell: str) -> bool:
    return NUMBER_CELL.fullmatch(cell) is not None or is_like_number(cell)


def is_counting(cells: Sequence[str]) -> bool:
    numbers = [cell for cell in cells if cell not in MISSING_TEXTS]
    return len(numbers) >= FEWEST_NUMBERED and numbers == list(map(str, range(len(numbers))))
