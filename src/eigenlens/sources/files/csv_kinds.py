"""Which columns of a CSV file are numbers, and how they are written, by its first megabyte.

| what the first megabyte shows               | the column                                         |
|---------------------------------------------|----------------------------------------------------|
| numbers, truth values, missing entries      | is numbers; a decimal point may come late          |
| numbers in a style of their own             | is numbers in that style                           |
| numbers, but for a few entries              | is numbers with a mistake: an error when it is read|
| numbers in one of several styles            | is unclear: an error when it is read               |
| first, no name, whole numbers that rise     | is the index of a frame: set aside                 |
| last ones, no name, nothing in them         | are none: lines end with separators                |
| anything else                               | is text, and left out                              |

So a mistake is found wherever it stands, in the first line or the last, and said with its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors.phrasing import enquote
from eigenlens.sources.files.arrow_batches import first_value_shown, is_arrow_number
from eigenlens.sources.files.csv_cells import NUMBER
from eigenlens.sources.files.csv_fault import locate_csv_fault
from eigenlens.sources.files.csv_layout import CsvLayout, csv_options
from eigenlens.sources.files.csv_numbers import add_number_styles
from eigenlens.sources.files.text_format import TextFormat
from eigenlens.sources.roles import ROWS_LOOKED_AT, ColumnRole, judge_texts

__all__ = ["add_column_kinds"]

FEW = 0.05  # of all entries, or a single one
TIMES = 3  # as many numbers as mistakes, at least
COUNTING_INDEX = "no name, and it counts the rows: the index of a frame"
NO_COLUMN = "no name, and nothing in it: lines end with the separator"


def add_column_kinds(path: Path, layout: CsvLayout, head: bytes, said: TextFormat) -> CsvLayout:
    """The layout with what is told by its first lines, `head`."""
    import pyarrow

    if not head.lstrip(b"\r\n"):
        return layout
    layout = add_number_styles(layout, said, partial(read_head, path, head))
    columns = read_head(path, head, layout, None)
    roles = {
        place: judge_text_column(layout.name(place), column)
        for place, column in enumerate(columns)
        if not is_arrow_number(column.type)
        and place not in {*layout.styles, *layout.unclear}
        and not is_mistaken(column)
    }
    others = {place: one.reason for place, one in roles.items()}
    blank = blank_at_end(layout, columns)
    others |= dict.fromkeys(blank, NO_COLUMN)
    numeric = tuple(place for place in range(layout.width) if place not in others)
    unnamed = layout.names is not None and layout.width > 1 and not quote_column(layout, 0)
    is_index = unnamed and counts_upward(columns[0])
    return replace(
        layout,
        numeric=numeric,
        truths=tuple(place for place in numeric if pyarrow.types.is_boolean(columns[place].type)),
        aside={0: COUNTING_INDEX} if is_index else {},
        others=others,
        text_roles={place: one.role for place, one in roles.items()}
        | dict.fromkeys(blank, "empty"),
        row_names=0 if is_index else first_without_repeats(columns, others),
    )


def judge_text_column(name: str, column: Any) -> ColumnRole:
    """What a column is that does not hold numbers, by its first entries."""
    if str(column.type).startswith("binary"):  # letters of another encoding
        return ColumnRole(name, "text", f"holds {enquote(first_text(column))}")
    return judge_texts(name, column.slice(0, ROWS_LOOKED_AT).to_pylist())


def first_without_repeats(columns: Sequence[Any], places: Iterable[int]) -> int | None:
    """The first of these columns whose entries all differ."""
    for place in sorted(places):
        entries = columns[place]
        if len(entries) > 1 and not entries.null_count and len(entries.unique()) == len(entries):
            return place
    return None


def read_head(
    path: Path, head: bytes, layout: CsvLayout, as_text: Sequence[int] | None
) -> list[Any]:
    """Every column by what Arrow takes it for; or some of them as text, None for the others."""
    import pyarrow
    from pyarrow import csv

    options = csv_options(layout, None)
    if as_text is not None:
        labels = [str(place) for place in as_text]
        options["convert_options"].include_columns = labels
        options["convert_options"].column_types = dict.fromkeys(labels, pyarrow.string())
    try:
        table = csv.read_csv(pyarrow.BufferReader(head), **options)
    except pyarrow.ArrowInvalid as error:
        piece = (layout.first_byte, head)
        raise locate_csv_fault(path, layout, (), piece, error) from None
    return [column.combine_chunks() for column in table.columns]


def blank_at_end(layout: CsvLayout, columns: Sequence[Any]) -> list[int]:
    """The last columns that have neither a name nor an entry; the first of all is one always."""
    found: list[int] = []
    for place in reversed(range(1, layout.width)):
        if not is_nothing(columns[place]) or quote_column(layout, place):
            break
        found.append(place)
    return found


def quote_column(layout: CsvLayout, place: int) -> bool:
    return layout.names is not None and layout.names[place].strip() != ""


def is_nothing(column: Any) -> bool:
    return bool(column.null_count == len(column))


def counts_upward(column: Any) -> bool:
    """Whether these are whole numbers, each larger than the one before."""
    from pyarrow import types

    if not types.is_integer(column.type) or column.null_count:
        return False
    return bool(np.all(np.diff(np.from_dlpack(column)) > 0))


def is_mistaken(column: Any) -> bool:
    """Whether text is meant as numbers: but for a few entries it is."""
    if not is_text(column.type):
        return False
    entries = column.drop_null()
    numbers = matching(entries, NUMBER).true_count
    wrong = len(entries) - numbers
    return bool(wrong <= max(1, FEW * len(entries)) and numbers >= TIMES * wrong)


def first_text(column: Any) -> str:
    """The first entry that is no number."""
    if not is_text(column.type):
        return first_value_shown(column)
    entries = column.drop_null()
    is_number = np.from_dlpack(matching(entries, NUMBER).cast("uint8"))
    value = entries[int(np.argmin(is_number))].as_py()
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_binary(kind))


def matching(entries: Any, pattern: str) -> Any:
    """Which entries are written so, as an Arrow array of truth values."""
    from pyarrow import compute

    return compute.match_substring_regex(entries, f"^(?:{pattern})$", ignore_case=True)
