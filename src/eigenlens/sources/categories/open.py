"""open_categories: data whose categorical columns take part, as a source of indicator rows.

| categories=  | numbers                        | categories                                   |
|--------------|--------------------------------|----------------------------------------------|
| "auto"       | measurements                   | text, categories, truth values, codes        |
| names        | other columns of numbers       | the columns named, whatever they hold        |
| "counts"     | all columns, as counts         | none                                         |

Dates, identifiers, constants and free text are left out, each with its reason, unless they are
named. Where no column holds categories the data are opened as without the option.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import CategoryError, OptionError, UnsupportedData
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.sources.categories.codes import LevelCounter
from eigenlens.sources.categories.columns import FileTable, MixedTable, mixed_table_of
from eigenlens.sources.categories.counts import profiles_of
from eigenlens.sources.categories.dask_frame import (
    count_parts,
    distribute_categories,
    distribute_codes,
    head_of_collection,
)
from eigenlens.sources.categories.encode import encoded_source
from eigenlens.sources.categories.encoding import Encoding
from eigenlens.sources.categories.learn import learn_column, why_no_category
from eigenlens.sources.columns import pick_columns
from eigenlens.sources.dask import collection
from eigenlens.sources.measurements import open_measurements
from eigenlens.sources.protocol import Columns, DataLike, Source
from eigenlens.sources.reading import ReadArguments, Reading
from eigenlens.sources.traits import peek_rows

__all__ = ["CategoriesLike", "CategoryRequest", "Division", "open_categories"]

CategoriesLike = str | Sequence[str] | Sequence[int]
WORDS = ("drop", "auto", "counts")
CATEGORY_ROLES = ("group", "text", "code", "truth")
PEEKED = 256


@dataclass(frozen=True)
class CategoryRequest:
    """What was asked for: which columns are categories, which levels are rare, what is missing."""

    categories: CategoriesLike = "drop"
    rare: float = 0.01
    missing: Any = "error"

    def __post_init__(self) -> None:
        if isinstance(self.categories, str) and self.categories not in WORDS:
            raise OptionError.unknown(
                "categories", self.categories, (*WORDS, "a list of column names")
            )
        if not 0 <= self.rare < 1:
            raise OptionError.needs(
                SetOption("rare", self.rare),
                "a share of the rows, from 0 to below 1",
                Phrase("pass {} to keep every level", SetOption("rare", 0)),
            )

    @property
    def named(self) -> list[Any] | None:
        """The columns named as categories."""
        return None if isinstance(self.categories, str) else list(self.categories)


@dataclass(frozen=True)
class Division:
    """Which columns hold numbers, which may hold categories, and why others take no part."""

    numbers: tuple[str, ...]
    candidates: tuple[str, ...]
    named: bool
    left_out: Mapping[str, str]


def open_categories(
    data: DataLike,
    columns: Columns | None,
    request: CategoryRequest,
    reading: ReadArguments | None = None,
    on_cluster: bool = False,
) -> Source:
    """The columns asked for, or all that can take part, with categories as indicators.

    `on_cluster`: rows of files are dealt out to the workers.
    """
    if request.categories == "drop":
        if request.missing == "level":
            raise OptionError.needs(
                SetOption("missing", "level"),
                "categories: a missing number has no level",
                Phrase("pass {} too", SetOption("categories", "auto")),
                Phrase("pass {} to estimate missing numbers", SetOption("missing", "auto")),
            )
        return open_measurements(data, columns, reading)
    how = Reading(**(reading or {}))
    if request.categories == "counts":
        if how.normalize is not None:
            raise OptionError.excludes("categories", "normalize")
        return profiles_of(open_measurements(data, columns, reading))
    if collection.accepts(data) and collection.is_frame(data):
        return open_dask_categories(data, columns, request, reading)
    table = mixed_table_of(data)
    if table is None:
        if request.named is not None:
            raise OptionError.needs(
                Option("categories"),
                "a frame, an array of objects, or a CSV, Parquet or Arrow file",
                "pass the table as one of these",
            )
        return open_measurements(data, columns, reading)
    parts = divide_columns(table, columns, request)
    counters = count_levels(table, parts.candidates)
    learned = learn_encoding(parts, counters, table.rows, request)
    if learned is None:
        return open_measurements(data, columns, reading)
    how.refuse_beside("categories")
    encoding, left_out = learned
    source = encoded_source(table, encoding, left_out=left_out)
    if source.numbers is not None:
        source = source.less_origin(origin_of(source.numbers))
    return distribute_codes(source) if on_cluster and isinstance(table, FileTable) else source


def open_dask_categories(
    data: DataLike, columns: Columns | None, request: CategoryRequest, reading: ReadArguments | None
) -> Source:
    parts = divide_columns(head_of_collection(data), columns, request)
    lengths, counters, origin = count_parts(data, parts.numbers, parts.candidates)
    learned = learn_encoding(parts, counters, sum(lengths), request)
    if learned is None:
        return open_measurements(data, columns, reading)
    Reading(**(reading or {})).refuse_beside("categories")
    return distribute_categories(data, learned[0], lengths, origin, learned[1])


def divide_columns(
    table: MixedTable, columns: Columns | None, request: CategoryRequest
) -> Division:
    """By roles where nothing is named."""
    places = np.arange(len(table.names))
    chosen = [table.names[place] for place in places[pick_columns(columns, table.names)].tolist()]
    roles = {one.name: one for one in table.judge(chosen)}
    named = request.named
    if named is not None:
        known = {name: name for name in table.names} | dict(enumerate(table.names))
        unknown = [one for one in named if one not in known]
        if unknown:
            raise UnsupportedData.unknown_columns(unknown, list(table.names))
        candidates = [known[one] for one in named]
    else:
        candidates = [name for name in chosen if roles[name].role in CATEGORY_ROLES]
    others = [name for name in chosen if name not in candidates]
    wanted = ("measurement", "code") if columns is not None or named else ("measurement",)
    numbers = [name for name in others if roles[name].role in wanted]
    left = {
        name: f"{roles[name].role}: {roles[name].reason}" for name in others if name not in numbers
    }
    return Division(tuple(numbers), tuple(candidates), named is not None, left)


def count_levels(table: MixedTable, names: Sequence[str]) -> dict[str, LevelCounter]:
    """The levels of every candidate, in one pass."""
    counters = {name: LevelCounter() for name in names}
    if names:
        for batch in table.values(names):
            for counter, values in zip(counters.values(), batch, strict=True):
                counter.add(values)
    return counters


def learn_encoding(
    parts: Division, counters: Mapping[str, LevelCounter], rows: int, request: CategoryRequest
) -> tuple[Encoding, dict[str, str]] | None:
    """The encoding, and what is left out; None: no column holds categories."""
    left_out, kept = dict(parts.left_out), []
    for name, counter in counters.items():
        why = why_no_category(counter, rows)
        if why is not None and not parts.named:
            left_out[name] = why
            continue
        kept.append(learn_column(name, counter, rows, request.rare, request.missing))
    if not kept:
        if counters and not parts.numbers:  # nothing is left: the first column says why
            name, counter = next(iter(counters.items()))
            learn_column(name, counter, rows, request.rare, request.missing)
        if left_out and not parts.numbers:
            raise CategoryError.nothing_left(left_out)
        return None
    method = "famd" if parts.numbers else "mca"
    return Encoding(method, parts.numbers, tuple(kept)), left_out


def origin_of(numbers: Source) -> Float64Array:
    """Near the mean of every column of numbers: the mean of a few rows."""
    sample = np.where(np.isfinite(seen := peek_rows(numbers, PEEKED)), seen, np.nan)
    known = np.isfinite(sample).sum(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.nansum(sample, axis=0) / np.maximum(known, 1)
    return np.where(np.isfinite(mean), mean, 0.0)
