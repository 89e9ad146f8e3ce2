"""The columns of a table that are analyzed when nobody names any: its measurements.

Text, dates and categories of a frame are left out, as those of a file are; so are row counters,
identifiers and codes, in frames and files alike. What is left out is known by name, with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from eigenlens.errors import FieldError
from eigenlens.sources import frame
from eigenlens.sources.annotated import is_anndata
from eigenlens.sources.array import ArraySource
from eigenlens.sources.files.contents import contents_of
from eigenlens.sources.files.plink_file import BedReader
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.frame import FrameSource
from eigenlens.sources.list_frame import ListFrameSource, is_sequence
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Columns, DataLike, Source
from eigenlens.sources.reading import ReadArguments, Reading
from eigenlens.sources.roles import (
    ROWS_LOOKED_AT,
    ColumnRole,
    columns_set_aside,
    judge_numbers,
    judge_texts,
)
from eigenlens.sources.text_columns import holds_texts, text_column

MOST_IDENTIFIERS = 3  # columns that may be all row numbers and codes

__all__ = ["judge_columns", "open_measurements"]


def open_measurements(
    data: DataLike, columns: Columns | None, reading: ReadArguments | None = None
) -> Source:
    """The columns asked for, else those that are measurements, read as `reading` says."""
    how = Reading(**(reading or {}))
    if is_anndata(data):
        return how.finish(how.open_annotated(data, columns))
    if reading:
        how.refuse_unless_anndata()
    return how.finish(open_table(how.lay_out(data), columns))


def open_table(data: DataLike, columns: Columns | None) -> Source:
    if columns is not None:
        return open_source(data, columns)
    if isinstance(data, np.ndarray | ArraySource):  # numbers only, and quickly told from the others
        return open_source(data)
    if not isinstance(data, Source) and frame.accepts(data):
        return open_frame(data)
    source = open_source(data)
    if isinstance(data, Source) or not isinstance(source, StoredSource):
        return source
    if isinstance(source.reader, BedReader):
        return source  # genotypes, whatever the variants are called
    aside = columns_set_aside(source)
    kept = [name for name in source.names or () if name not in aside]
    refuse_only_identifiers(source, len(kept))
    if not aside or not kept:
        return source
    others = {**source.elsewhere, **source.traits.left_out, **aside}
    return replace(source.only(kept), chosen=False, elsewhere=others)


def refuse_only_identifiers(source: StoredSource, kept: int) -> None:
    """Where lists were left out, their row numbers must not be analyzed in their place."""
    contents, names = contents_of(source.reader), source.names
    if not contents.nested or kept > MOST_IDENTIFIERS or names is None:
        return
    roles = numbers_judged(source, {name: place == 0 for place, name in enumerate(names)})
    if not any(one.role == "measurement" for one in roles):
        nested = [contents.names[place] for place in contents.nested]
        raise FieldError.only_identifiers(source.reader.label, names, nested)


def open_frame(data: Any) -> Source:
    table = frame.as_frame(data)
    if not frame.any_strings(table.columns):
        return open_source(data)
    texts = {one.name: one for one in judge_frame_texts(table)}
    numbers = [name for name in table.columns if name not in texts]
    if not numbers or len(set(table.columns)) < len(table.columns):
        return open_source(data)  # which says what is wrong
    source = open_source(data, numbers) if texts else open_source(data)
    aside = columns_set_aside(source)
    kept = [name for name in numbers if name not in aside]
    left = {name: f"{one.role}: {one.reason}" for name, one in texts.items()}
    if aside and kept:
        source, left = open_source(data, kept), {**left, **aside}
    kinds = FrameSource | ListFrameSource
    return replace(source, left_out=left) if isinstance(source, kinds) else source


def judge_frame_texts(table: Any) -> list[ColumnRole]:
    """Columns of a frame that do not hold numbers or truth values."""
    kinds = zip(table.columns, table.schema.dtypes(), strict=True)
    names = [name for name, kind in kinds if frame.is_text_kind(kind)]
    head = table[:ROWS_LOOKED_AT]
    values = {name: head[name].to_list() for name in names}
    return [judge_texts(str(name), some) for name, some in values.items() if not numbers_in(some)]


def numbers_in(values: list[Any]) -> bool:
    """Whether objects are numbers all the same: then opening them says what to do."""
    known = [value for value in values if value is not None]
    return bool(known) and all(isinstance(value, Real) or holds_numbers(value) for value in known)


def holds_numbers(value: Any) -> bool:
    """Whether it is a list of numbers, by the first of them."""
    return is_sequence(value) and len(value) > 0 and isinstance(value[0], Real)


def judge_columns(data: DataLike) -> list[ColumnRole]:
    """The role of every column, in the order of the table."""
    if not isinstance(data, Source) and frame.accepts(data):
        return judge_frame(data)
    source = open_source(data)
    if not isinstance(source, StoredSource):
        names = source.names or tuple(str(place) for place in range(source.shape[1]))
        return numbers_judged(source, dict.fromkeys(names, True))
    contents = contents_of(source.reader)
    numbers = {contents.names[place]: place == 0 for place in contents.numbers}
    whole = source.only(contents.numbers) if source.reader.names is not None else source
    found = dict(zip(contents.numbers, numbers_judged(whole, numbers), strict=True))
    for place, why in contents.others.items():
        name = contents.names[place]
        # Columns without a name would be read as the first of them.
        blank = contents.roles.get(place) == "empty"
        known = ColumnRole(name, "empty", why)
        found[place] = known if blank else judge_file_text(source, name, why)
    return [found[place] for place in sorted(found)]


def judge_frame(data: Any) -> list[ColumnRole]:
    table = frame.as_frame(data)
    texts = {one.name: one for one in judge_frame_texts(table)}
    numbers = [name for name in table.columns if str(name) not in texts]
    found = dict(texts)
    if numbers:
        source = open_source(data, numbers if texts else None)
        first = {str(name): name == table.columns[0] for name in numbers}
        found |= {one.name: one for one in numbers_judged(source, first)}
    return [found[str(name)] for name in table.columns]


def numbers_judged(source: Source, first: Mapping[str, bool]) -> list[ColumnRole]:
    rows = np.arange(min(source.shape[0], ROWS_LOOKED_AT))
    values = np.asarray(source.sample(rows), dtype=np.float64)
    names = source.names or tuple(first)
    is_first = [first.get(name, False) for name in names] if source.names else [False] * len(names)
    return [
        judge_numbers(name, column, one)
        for name, column, one in zip(names, values.T, is_first, strict=True)
    ]


def judge_file_text(source: StoredSource, name: str, why: str) -> ColumnRole:
    if not holds_texts(source):
        return ColumnRole(name, "text", why)
    return judge_texts(name, text_column(source, name)[:ROWS_LOOKED_AT].to_pylist())
