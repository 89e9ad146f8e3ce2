"""Roles of columns, by heading and by values: what is a measurement, and what only looks like one.

| role         | a column is it when                                                               |
|--------------|-----------------------------------------------------------------------------------|
| empty        | no cell has a value                                                               |
| constant     | all cells have the same value                                                     |
| identifier   | text that differs in every row; whole numbers that count the rows, if the column  |
|              | is the first or is headed like a number of rows; different whole numbers headed   |
|              | "id"                                                                              |
| code         | few different whole numbers under a heading such as year, class or cluster        |
| date         | dates, times, or text written as dates                                            |
| group        | truth values, categories, and text with few different values                      |
| text         | any other text                                                                    |
| measurement  | any other numbers                                                                 |

Only measurements (and constants, which change nothing) are analyzed unless columns are asked for by
name. A role is judged from the first rows, so that a large file is not read for it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import count_things, enquote, join_names
from eigenlens.sources.files.stored import StoredSource, to_dense_block
from eigenlens.sources.protocol import Source

__all__ = [
    "ANALYZED",
    "ColumnRole",
    "columns_set_aside",
    "judge_numbers",
    "judge_texts",
    "list_by_role",
    "roles_set_aside",
]

ANALYZED = ("measurement", "constant")
ROWS_LOOKED_AT = 2000
MOST_CODES = 20
MOST_GROUPS = 20

COUNTER_HEADINGS = {
    "", "row", "rows", "rownames", "row names", "rowname", "rownum", "row number", "row id",
    "index", "idx", "no", "nr", "num", "number", "obs", "observation", "unnamed: 0", "case", "n",
}  # fmt: skip
IDENTIFIER_HEADINGS = {"id", "ids", "uid", "uuid", "key", "identifier", "record id", "sample id"}
CODE_HEADINGS = {
    "year", "yr", "month", "week", "weekday", "day", "hour", "quarter", "class", "classes",
    "label", "labels", "target", "cluster", "group", "batch", "fold", "code", "category", "type",
    "zip", "zipcode", "zip code", "postcode", "replicate", "block", "plate",
}  # fmt: skip
DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{1,2}:\d{2}")


@dataclass(frozen=True)
class ColumnRole:
    name: str
    role: str
    reason: str

    @property
    def is_analyzed(self) -> bool:
        return self.role in ANALYZED


def list_by_role(columns: Iterable[ColumnRole]) -> str:
    """Names and roles of columns: "'id' (row names), 'species' and 'sex' (groups)"."""
    names: dict[str, list[str]] = {}
    for one in columns:
        names.setdefault(one.role, []).append(one.name)
    return ", ".join(
        f"{join_names(name_columns(role, some))} ({describe_role(role, len(some))})"
        for role, some in names.items()
    )


def name_columns(role: str, names: Sequence[str]) -> list[str]:
    """Those without a name are counted, but for an index, which is the first column."""
    named = [enquote(name) for name in names if name.strip()]
    rest = len(names) - len(named)
    if not rest:
        return named
    if role == "identifier":
        return ["the first column", *named]
    return [*named, f"{count_things(rest, 'column')} without a name"]


def describe_role(role: str, count: int) -> str:
    """A role in a sentence about one column or several."""
    words = {
        "identifier": "row names",
        "code": "a code, not a measurement",
        "group": "groups",
        "date": "dates or times",
        "empty": "no values",
        "constant": "the same in every row",
    }
    several = {"code": "codes, not measurements"}
    return several.get(role, words.get(role, role)) if count > 1 else words.get(role, role)


def plain_heading(name: str) -> str:
    """Without case and separators: "Row_ID" and "row.id" are the same."""
    return re.sub(r"[\s._-]+", " ", name).strip().lower()


def judge_numbers(name: str, values: Float64Array, is_first: bool = False) -> ColumnRole:
    """The role of a column of numbers, by its first values; NaN is missing."""
    known, heading = values[np.isfinite(values)], plain_heading(name)
    if not known.size:
        return ColumnRole(name, "empty", "no cell has a value")
    levels = np.unique(known)
    if levels.size == 1:
        return ColumnRole(name, "constant", f"every cell is {levels[0]:g}")
    whole = bool((known == np.floor(known)).all())
    if whole and counts_rows(values) and (is_first or heading in COUNTER_HEADINGS):
        return ColumnRole(name, "identifier", "it counts the rows")
    if whole and heading in COUNTER_HEADINGS and is_first and levels.size == known.size:
        return ColumnRole(name, "identifier", "whole numbers, different in every row")
    if whole and heading in IDENTIFIER_HEADINGS and levels.size == known.size:
        return ColumnRole(name, "identifier", "whole numbers, different in every row")
    repeated = levels.size <= min(MOST_CODES, known.size // 2)
    if whole and repeated and heading in CODE_HEADINGS:
        return ColumnRole(name, "code", f"{levels.size} different whole numbers")
    return ColumnRole(name, "measurement", "numbers")


def counts_rows(values: Float64Array) -> bool:
    """Whether each is one more than the one before, from 0 or 1 on."""
    return bool(len(values) > 2 and values[0] in (0.0, 1.0) and (np.diff(values) == 1).all())


def judge_texts(name: str, values: Sequence[Any]) -> ColumnRole:
    """The role of a column that does not hold numbers, by its first values; None is missing."""
    known = [value for value in values if value is not None and str(value).strip()]
    if not known:
        return ColumnRole(name, "empty", "no cell has a value")
    kinds = datetime.date | datetime.time | datetime.timedelta | np.datetime64
    if all(isinstance(value, kinds) for value in known):
        return ColumnRole(name, "date", "dates or times")
    texts = [str(value) for value in known]
    if all(DATE.match(text) for text in texts):
        return ColumnRole(name, "date", f"written as dates, such as {enquote(texts[0])}")
    levels = set(texts)
    if len(levels) == 1:
        return ColumnRole(name, "constant", f"every cell is {enquote(texts[0])}")
    if len(levels) == len(texts) and len(texts) == len(values):
        return ColumnRole(name, "identifier", "text that differs in every row")
    if len(levels) <= min(MOST_GROUPS, len(texts) // 2):
        return ColumnRole(name, "group", f"text with {len(levels)} different values")
    return ColumnRole(name, "text", f"text with {len(levels)} different values")


def first_values(source: Source, places: list[int]) -> Float64Array:
    """The first rows of some columns; of a file no others are decoded."""
    if isinstance(source, StoredSource) and source.names is not None:
        some = source.only([source.names[place] for place in places])
        with closing(some.blocks(ROWS_LOOKED_AT)) as blocks:
            return to_dense_block(next(blocks)).astype(np.float64)
    rows = np.arange(min(source.shape[0], ROWS_LOOKED_AT))
    return np.asarray(source.sample(rows), dtype=np.float64)[:, places]


def columns_set_aside(source: Source) -> Mapping[str, str]:
    """Columns of numbers that are no measurements, by name: why. Few values are read."""
    return {one.name: f"{one.role}: {one.reason}" for one in roles_set_aside(source)}


def roles_set_aside(source: Source) -> list[ColumnRole]:
    """The roles of columns of numbers that are no measurements."""
    names = source.names
    if names is None or len(names) < 2:
        return []
    headings = COUNTER_HEADINGS | IDENTIFIER_HEADINGS | CODE_HEADINGS
    places = [
        place for place, name in enumerate(names) if not place or plain_heading(name) in headings
    ]
    values = first_values(source, places)
    judged = [
        judge_numbers(names[place], values[:, number], is_first=place == 0)
        for number, place in enumerate(places)
    ]
    return [one for one in judged if not one.is_analyzed and one.role != "empty"]
