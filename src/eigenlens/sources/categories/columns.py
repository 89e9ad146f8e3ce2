"""Mixed tables: data that hold columns of numbers and of categories, in one shape for all kinds.

| kind    | data                                                                        |
|---------|-----------------------------------------------------------------------------|
| frame   | pandas, polars and pyarrow frames; arrays, whose columns are x0, x1, ...    |
| file    | CSV, Parquet and Arrow files, one or several                                |

A Dask frame is counted and opened part by part (`dask_frame.py`), each part as a frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from eigenlens.errors import DataError
from eigenlens.sources import frame
from eigenlens.sources.categories.codes import as_arrow, to_dictionary
from eigenlens.sources.files import path
from eigenlens.sources.files.arrow_batches import explaining_arrow_errors
from eigenlens.sources.files.column_file import ColumnReader
from eigenlens.sources.files.contents import contents_of
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.roles import ROWS_LOOKED_AT, ColumnRole, judge_numbers, judge_texts
from eigenlens.sources.text_columns import arrow_columns, holds_texts, readers_of, text_batches

__all__ = ["FileTable", "FrameTable", "MixedTable", "frame_of_array", "mixed_table_of"]

CATEGORY_ROLES = ("group", "text", "code", "truth")
AT_ONCE = 1 << 16


class MixedTable(Protocol):
    @property
    def rows(self) -> int: ...

    @property
    def names(self) -> tuple[str, ...]:
        """Of all columns, as they stand."""

    def judge(self, names: Sequence[str]) -> list[ColumnRole]:
        """Their roles, by their first rows."""

    def values(self, names: Sequence[str]) -> Iterator[list[Any]]:
        """Arrow arrays of these columns, for consecutive rows."""

    def numbers(self, names: Sequence[str]) -> Source:
        """These columns as numbers."""


@dataclass(frozen=True, eq=False)
class FrameTable:
    data: Any

    @cached_property
    def frame(self) -> Any:
        return frame.as_frame(self.data)

    @property
    def rows(self) -> int:
        return int(self.frame.shape[0])

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(map(str, self.frame.columns))

    @cached_property
    def dictionaries(self) -> dict[str, Any]:
        """What was converted already: levels are counted first and looked up then."""
        return {}

    def judge(self, names: Sequence[str]) -> list[ColumnRole]:
        kinds = dict(zip(self.names, self.frame.schema.dtypes(), strict=True))
        head = self.frame[:ROWS_LOOKED_AT]
        return [self.judge_column(head, name, kinds[name]) for name in names]

    def judge_column(self, head: Any, name: str, kind: Any) -> ColumnRole:
        values = head[:, self.names.index(name)]
        if str(kind) == "Boolean":
            return ColumnRole(name, "truth", "truth values")
        if kind.is_numeric() and not kind.is_decimal():
            numbers = frame.source_from(head.select(name), None).sample(np.arange(len(values)))
            return judge_numbers(name, numbers[:, 0].astype(np.float64), name == self.names[0])
        if str(kind).startswith(("Categorical", "Enum")):
            return ColumnRole(name, "group", "categories")
        return judge_words(name, values.to_list(), self.rows)

    def values(self, names: Sequence[str]) -> Iterator[list[Any]]:
        for name in names:
            if name not in self.dictionaries:
                column = self.frame[:, self.names.index(name)]
                self.dictionaries[name] = to_dictionary(as_arrow(column))
        yield [self.dictionaries[name] for name in names]

    def numbers(self, names: Sequence[str]) -> Source:
        return open_source(self.data, list(names))


@dataclass(frozen=True, eq=False)
class FileTable:
    source: StoredSource

    @property
    def rows(self) -> int:
        return self.source.shape[0]

    @cached_property
    def names(self) -> tuple[str, ...]:
        contents = contents_of(self.source.reader)
        return tuple(
            name for place, name in enumerate(contents.names) if place not in contents.aside
        )

    @cached_property
    def texts(self) -> tuple[str, ...]:
        contents = contents_of(self.source.reader)
        return tuple(contents.names[place] for place in contents.others)

    @cached_property
    def truths(self) -> tuple[str, ...]:
        layout = getattr(getattr(self.source.reader, "first", self.source.reader), "layout", None)
        places = getattr(layout, "truths", ())
        return tuple(contents_of(self.source.reader).names[place] for place in places)

    def judge(self, names: Sequence[str]) -> list[ColumnRole]:
        first = next(self.values(names, ROWS_LOOKED_AT)) if names else []
        return [self.judge_column(*pair) for pair in zip(names, first, strict=True)]

    def judge_column(self, name: str, values: Any) -> ColumnRole:
        from pyarrow import types

        head = values[:ROWS_LOOKED_AT]
        if types.is_boolean(head.type):
            return ColumnRole(name, "truth", "truth values")
        if types.is_dictionary(head.type):
            return ColumnRole(name, "group", "categories")
        if name in self.texts:
            return judge_words(name, head.to_pylist(), self.rows)
        numbers = head.to_numpy(zero_copy_only=False).astype(np.float64)
        return judge_numbers(name, numbers, name == self.names[0])

    def values(self, names: Sequence[str], at_once: int = AT_ONCE) -> Iterator[list[Any]]:
        """Text as it is written, and numbers as numbers, side by side."""
        return file_values(self.source, names, self.texts, self.truths, at_once)

    def numbers(self, names: Sequence[str]) -> Source:
        return self.source.only(list(names))


def judge_words(name: str, head: Sequence[Any], rows: int) -> ColumnRole:
    """By the first rows; whether values differ in every row only all rows can tell."""
    found = judge_texts(name, head)
    if found.role in ("identifier", "constant") and rows > len(head):
        return ColumnRole(name, "text", "text")
    return found


def mixed_table_of(data: Any) -> MixedTable | None:
    """None: the data hold numbers only, or are read elsewhere."""
    if isinstance(data, np.ndarray):
        return FrameTable(frame_of_array(data)) if data.dtype.kind in "OUS" else None
    if isinstance(data, StoredSource):
        return FileTable(data) if holds_texts(data) else None
    if path.accepts(data):
        source = path.source_from(data, None, texts=True)
        return FileTable(source) if holds_texts(source) else None
    if not isinstance(data, Source) and frame.accepts(data):
        return FrameTable(data)
    return None


def frame_of_array(array: Any) -> Any:
    """An array of objects or text as an Arrow table."""
    import pyarrow

    if array.ndim != 2:
        raise DataError.not_two_dimensional(array.shape)
    return pyarrow.table(
        {f"x{place}": as_arrow(list(array[:, place])) for place in range(array.shape[1])}
    )


def file_values(
    source: StoredSource,
    names: Sequence[str],
    texts: Sequence[str],
    truths: Sequence[str],
    at_once: int,
) -> Iterator[list[Any]]:
    """Columns as they are stored; of CSV files text and numbers, `at_once` rows at a time."""
    readers = readers_of(source)
    if all(isinstance(reader, ColumnReader) for reader in readers):
        for reader in readers:
            with explaining_arrow_errors(reader.path, reader.file.kind):
                yield from arrow_columns(reader, names)
        return
    words = [name for name in names if name in texts]
    numbers = [name for name in names if name not in texts]
    streams: list[Iterator[list[Any]]] = []
    if words:
        streams.append(regroup_arrow(text_batches(source, words), at_once))
    if numbers:
        streams.append(
            number_batches(source.only(numbers), [n in truths for n in numbers], at_once)
        )
    for parts in zip(*streams, strict=True):
        found = dict(zip([*words, *numbers], [one for part in parts for one in part], strict=True))
        yield [found[name] for name in names]


def number_batches(
    source: StoredSource, truths: Sequence[bool], at_once: int
) -> Iterator[list[Any]]:
    import pyarrow

    for block in source.blocks(at_once):
        columns = [pyarrow.array(column, from_pandas=True) for column in np.asarray(block).T]
        yield [
            column.cast(pyarrow.bool_()) if truth else column
            for column, truth in zip(columns, truths, strict=True)
        ]


def regroup_arrow(batches: Iterator[list[Any]], at_once: int) -> Iterator[list[Any]]:
    """The same rows, `at_once` at a time."""
    import pyarrow

    waiting: list[Any] | None = None
    for batch in batches:
        whole = batch
        if waiting is not None:
            whole = [pyarrow.concat_arrays(pair) for pair in zip(waiting, batch, strict=True)]
        first = 0
        while len(whole[0]) - first >= at_once:
            yield [column[first : first + at_once] for column in whole]
            first += at_once
        waiting = [column[first:] for column in whole]
    if waiting is not None and len(waiting[0]):
        yield waiting
