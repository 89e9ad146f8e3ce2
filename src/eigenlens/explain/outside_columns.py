"""outside_columns: columns that were no part of the fit, numbers or categories, one entry per row.

| asked for as          | read from                                                     |
|-----------------------|---------------------------------------------------------------|
| names or positions    | the data themselves: a frame, an array, a CSV or Parquet file |
| a mapping, or a frame | itself: name -> one entry per row                             |

Numbers are numbers; text, categories and truth values are categories (write numbers as text to
have them so). Entries that are missing leave their row out of what is said about that column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, IntArray
from eigenlens.errors import DataError, OptionError, UnsupportedData
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.sources import frame
from eigenlens.sources.columns import pick_columns
from eigenlens.sources.open import open_source
from eigenlens.sources.text_columns import holds_texts, text_column

__all__ = [
    "OutsideColumn",
    "column_entries",
    "is_missing",
    "named_columns",
    "numbers_at",
    "outside_columns",
    "read_columns",
]

FEW_TEXTS = 100_000
BLOCK_ENTRIES = 1 << 19


@dataclass(frozen=True, eq=False)
class OutsideColumn:
    """A column of numbers (missing: NaN), or of categories: codes into names (missing: -1)."""

    name: str
    numbers: Float64Array | None = None
    codes: IntArray | None = None
    categories: tuple[str, ...] = ()


def outside_columns(data: Any, columns: Any, count: int) -> list[OutsideColumn]:
    """The columns asked for, each with an entry for each of `count` rows."""
    given = read_columns(data, columns, count)
    if not given:
        raise OptionError.needs(
            SetOption("columns", []),
            "at least one column",
            Phrase("name one: {}", Option("columns", "[...]")),
        )
    return [to_outside_column(name, values) for name, values in given.items()]


# -- where they come from ------------------------------------------------------------------


def read_columns(data: Any, columns: Any, count: int) -> dict[str, AnyArray]:
    """By name, from the data, or from a mapping or frame: one entry for each of `count` rows."""
    if frame.accepts(columns):
        table = frame.as_frame(columns)
        given = {str(name): column_entries(table[:, i]) for i, name in enumerate(table.columns)}
    elif isinstance(columns, Mapping):
        given = {str(name): column_entries(values) for name, values in columns.items()}
    else:
        asked = [columns] if isinstance(columns, str | int) else list(columns)
        given = named_columns(data, asked) if asked else {}
    for name, values in given.items():
        if values.shape != (count,):
            raise OptionError.needs(
                f"column {name!r} of shape {values.shape}",
                f"one entry for each of the {count} rows",
                "pass a list or an array of that length",
            )
    return given


def named_columns(data: Any, asked: Sequence[Any]) -> dict[str, AnyArray]:
    """Columns of the data as they are, words too, by name."""
    if frame.accepts(data):
        table = frame.as_frame(data)
        labels = list(table.columns)
        asked_of = labels if frame.any_strings(labels) else range(len(labels))
        places = np.arange(len(labels))[pick_columns(asked, asked_of)].tolist()
        return {str(labels[place]): column_entries(table[:, place]) for place in places}
    source = open_source(data)
    texts = source.reader.left_out if holds_texts(source) else ()
    words = [name for name in asked if name in texts]
    numeric = [name for name in asked if name not in texts]
    known: Sequence[object] = source.names or range(source.shape[1])
    unknown = [name for name in numeric if isinstance(name, str) and name not in known]
    if unknown and not isinstance(known, range):
        raise UnsupportedData.unknown_columns(unknown, [*known, *texts])
    places = np.arange(source.shape[1])[pick_columns(numeric, known)].tolist()
    held = numbers_at(source, places)
    found = {str(name): column for name, column in zip(numeric, held.T, strict=True)}
    found |= {name: texts_as_objects(text_column(source, name)) for name in words}
    return {str(name): found[str(name)] for name in asked}


def texts_as_objects(texts: Any) -> AnyArray:
    """An Arrow array of text as objects; one of few rows without pandas, which Arrow imports."""
    if len(texts) > FEW_TEXTS:
        many: AnyArray = texts.to_numpy(zero_copy_only=False)
        return many
    return column_entries(texts.to_pylist())


def numbers_at(source: Any, places: Sequence[int]) -> AnyArray:
    """Some columns of all rows, in one pass; none is read where none is asked for."""
    if not places:
        return np.empty((source.shape[0], 0))
    blocks = source.blocks(max(1, BLOCK_ENTRIES // source.shape[1]))
    parts = (block.toarray() if source.is_sparse else block for block in blocks)
    return np.concatenate([np.array(part[:, places], dtype=np.float64) for part in parts])


# -- what they hold ------------------------------------------------------------------------


def column_entries(values: Any) -> AnyArray:
    """The entries of a list, an array or a series, as they are."""
    if hasattr(values, "to_native"):
        values = values.to_list()
    elif hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, np.ndarray):
        return values
    column = np.empty(len(values), dtype=object)  # np.asarray would make text of ["a", nan]
    column[:] = list(values)
    return column


def to_outside_column(name: str, values: AnyArray) -> OutsideColumn:
    count = len(values)
    if values.dtype.kind in "iuf":
        return number_column(name, values.astype(np.float64))
    if values.dtype.kind in "mMc":
        raise OptionError.needs(
            f"column {name!r} of {values.dtype}",
            "numbers or categories",
            "turn it into numbers first, or into text to have categories",
        )
    values = values.astype(object)  # single entries of other arrays are slow to make
    texts_aside = (not isinstance(entry, str) and is_missing(entry) for entry in values)
    missing = np.fromiter(texts_aside, dtype=bool, count=count)
    known = values[~missing]
    if len(known) and all(isinstance(entry, Real) and not is_truth(entry) for entry in known):
        numbers = np.full(count, np.nan)
        numbers[~missing] = known.astype(np.float64)
        return number_column(name, numbers)
    texts = [str(entry) for entry in known]
    categories = sorted(set(texts))
    code = {category: place for place, category in enumerate(categories)}
    placed = np.full(count, -1)
    placed[~missing] = [code[text] for text in texts]
    return OutsideColumn(name, None, placed, tuple(categories))


def number_column(name: str, numbers: Float64Array) -> OutsideColumn:
    infinite = np.isinf(numbers)
    if infinite.any():
        first, count = int(np.flatnonzero(infinite)[0]), int(infinite.sum())
        raise DataError.not_finite(0, count, [(first, name)], count, (len(numbers), 1))
    return OutsideColumn(name, numbers)


def is_truth(entry: object) -> bool:
    return isinstance(entry, bool | np.bool_)


def is_missing(entry: object) -> bool:
    if entry is None or type(entry).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(entry, float) and bool(np.isnan(entry))
