"""Which columns of a CSV file are numbers, told from its first megabyte.

| what the first megabyte shows               | the column                                         |
|---------------------------------------------|----------------------------------------------------|
| numbers, truth values, missing entries      | is numbers; a decimal point may come late          |
| numbers, but for a few entries              | is numbers with a mistake: an error when it is read|
| numbers with commas in them                 | the same                                           |
| first, no name, whole numbers that rise     | is the index of a frame: set aside                 |
| last, no name, nothing in it                | is none: lines end with a separator                |
| anything else                               | is text, and left out                              |

So a mistake is found wherever it stands, in the first line or the last, and said with its line.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors.phrasing import enquote
from eigenlens.sources.files.arrow_batches import first_value_shown, is_arrow_number
from eigenlens.sources.files.csv_fault import locate_csv_fault
from eigenlens.sources.files.csv_layout import COMMAS, NUMBER, CsvLayout, csv_options

__all__ = ["add_column_kinds"]

FEW = 0.05  # of all entries, or a single one
TIMES = 3  # as many numbers as mistakes, at least
COUNTING_INDEX = "no name, and it counts the rows: the index of a frame"
NO_COLUMN = "no name, and nothing in it: lines end with the separator"


def add_column_kinds(path: Path, layout: CsvLayout, head: bytes) -> CsvLayout:
    """The layout with what is told by its first lines, `head`."""
    import pyarrow
    from pyarrow import csv

    if not head.lstrip(b"\r\n"):
        return layout
    try:
        table = csv.read_csv(pyarrow.BufferReader(head), **csv_options(layout, None))
    except pyarrow.ArrowInvalid as error:
        piece = (layout.first_byte, head)
        raise locate_csv_fault(path, layout, (), piece, error) from None
    columns = [column.combine_chunks() for column in table.columns]
    last = layout.width - 1
    others = {
        place: f"holds {enquote(first_text(column))}"
        for place, column in enumerate(columns)
        if not is_arrow_number(column.type) and not is_mistaken(column)
    }
    if layout.width > 1 and is_nothing(columns[last]) and not quote_column(layout, last):
        others[last] = NO_COLUMN
    numeric = tuple(place for place in range(layout.width) if place not in others)
    unnamed = layout.names is not None and layout.width > 1 and not quote_column(layout, 0)
    is_index = unnamed and counts_upward(columns[0])
    return replace(
        layout,
        numeric=numeric,
        truths=tuple(place for place in numeric if pyarrow.types.is_boolean(columns[place].type)),
        aside={0: COUNTING_INDEX} if is_index else {},
        others=others,
    )


def quote_column(layout: CsvLayout, place: int) -> bool:
    return layout.names is not None and layout.names[place].strip() != ""


def is_nothing(column: Any) -> bool:
    return bool(column.null_count == len(column))


def counts_upward(column: Any) -> bool:
    """Whether these are whole numbers, each larger than the one before."""
    from pyarrow import types

    if not types.is_integer(column.type) or column.null_count:
        return False
    return bool(np.all(np.diff(column.to_numpy()) > 0))


def is_mistaken(column: Any) -> bool:
    """Whether text is meant as numbers: but for a few entries, or for commas, it is."""
    if not is_text(column.type):
        return False
    entries = column.drop_null()
    numbers, commas = matching(entries, NUMBER).true_count, matching(entries, COMMAS).true_count
    wrong = len(entries) - numbers
    if commas and wrong - commas <= FEW * len(entries):
        return True
    return bool(wrong <= max(1, FEW * len(entries)) and numbers >= TIMES * wrong)


def first_text(column: Any) -> str:
    """The first entry that is no number."""
    if not is_text(column.type):
        return first_value_shown(column)
    entries = column.drop_null()
    value = entries[matching(entries, NUMBER).index(False).as_py()].as_py()
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_binary(kind))


def matching(entries: Any, pattern: str) -> Any:
    """Which entries are written so, as an Arrow array of truth values."""
    from pyarrow import compute

    return compute.match_substring_regex(entries, f"^(?:{pattern})$", ignore_case=True)
