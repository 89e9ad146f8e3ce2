"""Columns of lists: lists of d numbers are d columns, `embedding[0]`, `embedding[1]`, ...

    columns=["embedding"]     all columns of the lists        columns=["embedding[3]"]   one of them

Cost     where lists are all there is, blocks are views of what Arrow has decoded; else one copy.
Traps    all lists of a column must have the same length. A list that is missing is a row of NaN.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import FieldError
from eigenlens.sources.block import spans
from eigenlens.sources.columns import Picked, count_picked, side_by_side
from eigenlens.sources.files.arrow_batches import (
    arrow_to_numpy,
    explaining_arrow_errors,
    skip_rows,
)
from eigenlens.sources.files.column_file import ColumnReader
from eigenlens.sources.files.contents import Contents
from eigenlens.sources.protocol import FloatArray, IntArray

__all__ = [
    "ExpandedColumns",
    "ListReader",
    "fill_rows",
    "read_lists",
]


# -- lists as rows -------------------------------------------------------------------------


def rows_of_lists(column: Any, width: int, name: str, first: int) -> FloatArray:
    """Lists as rows (n, width), a view where nothing is missing; `first`: the row they begin at."""
    from pyarrow import types

    if not types.is_fixed_size_list(column.type):
        refuse_other_lengths(column, width, name, first)
    flat = arrow_to_numpy(column.flatten())  # lists that are missing are not in it
    if not column.null_count:
        return np.asarray(flat).reshape(len(column), width)
    rows = np.full((len(column), width), np.nan)
    rows[known_lists(column)] = np.reshape(flat, (-1, width))
    return rows


def refuse_other_lengths(column: Any, width: int, name: str, first: int) -> None:
    # By numpy: to compare with a number, pyarrow would import pandas.
    wrong = np.diff(arrow_to_numpy(column.offsets)) != width
    if column.null_count:
        wrong &= known_lists(column)
    if wrong.any():
        place = int(wrong.argmax())
        raise FieldError.other_length(name, first + place, width, len(column[place]))


def known_lists(column: Any) -> Any:
    return arrow_to_numpy(column.is_valid()).astype(bool)


@dataclass(frozen=True)
class ExpandedColumns:
    """Stored columns as the columns of the table: `widths` says how many each is, 0: a number."""

    names: tuple[str, ...]
    widths: tuple[int, ...]

    @cached_property
    def starts(self) -> IntArray:
        """Where the columns of each begin, and the end of the last."""
        return np.concatenate([[0], np.cumsum(np.maximum(self.widths, 1))]).astype(np.intp)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        each = (
            [f"{name}[{place}]" for place in range(width)] if width else [name]
            for name, width in zip(self.names, self.widths, strict=True)
        )
        return tuple(label for part in each for label in part)

    @property
    def lists(self) -> dict[str, range]:
        spots = zip(self.names, self.widths, self.starts.tolist(), strict=False)
        return {name: range(start, start + width) for name, width, start in spots if width}

    def stored_for(self, columns: Picked) -> tuple[IntArray, list[tuple[int, Picked, Picked]]]:
        """Which stored columns are needed; of each, its columns, and where they go."""
        wanted = np.arange(self.starts[-1])[columns]
        owner = np.searchsorted(self.starts, wanted, side="right") - 1
        needed = np.unique(owner)
        steps = []
        for place in needed.tolist():
            goes = np.flatnonzero(owner == place)
            steps.append(
                (place, side_by_side(wanted[goes] - self.starts[place]), side_by_side(goes))
            )
        return needed, steps


def fill_rows(
    expanded: ExpandedColumns,
    arrays: Sequence[Any],
    steps: Sequence[tuple[int, Picked, Picked]],
    dtype: np.dtype[Any],
    first: int,
) -> FloatArray:
    """Arrow arrays of the stored columns as rows; `first`: the row they begin at."""
    place, inside, _ = steps[0]
    if len(steps) == 1 and expanded.widths[place]:  # the usual table of embeddings: no copy
        rows = rows_of_lists(arrays[0], expanded.widths[place], expanded.names[place], first)
        return rows[:, inside]
    total = sum(count_picked(goes) for _, _, goes in steps)
    table = np.empty((len(arrays[0]), total), dtype)
    with np.errstate(over="ignore"):
        for (place, inside, goes), array in zip(steps, arrays, strict=True):
            width = expanded.widths[place]
            if width:
                rows = rows_of_lists(array, width, expanded.names[place], first)
                table[:, goes] = rows[:, inside]
            else:
                table[:, goes] = np.reshape(arrow_to_numpy(array), (-1, 1))
    return table


# -- files ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ListReader:
    """`inner` reads the columns as they are stored, lists among them."""

    inner: ColumnReader
    expanded: ExpandedColumns

    is_sparse = False
    by_columns = False

    @property
    def path(self) -> Path:
        return self.inner.path

    @property
    def label(self) -> str:
        return self.inner.label

    @property
    def shape(self) -> tuple[int, int]:
        return self.inner.shape[0], int(self.expanded.starts[-1])

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.inner.dtype

    def dtype_of(self, columns: Picked) -> np.dtype[Any]:
        return self.inner.dtype_of(self.expanded.stored_for(columns)[0])

    @property
    def names(self) -> tuple[str, ...]:
        return self.expanded.labels

    @property
    def starts(self) -> tuple[int, ...]:
        return self.inner.starts

    @property
    def stored_bytes(self) -> int:
        return self.inner.stored_bytes

    @property
    def working_bytes(self) -> int:
        return self.inner.working_bytes

    @property
    def left_out(self) -> tuple[str, ...]:
        return self.inner.left_out

    @cached_property
    def contents(self) -> Contents:
        """In the order of the file, with the columns of a list in its place."""
        whole, lists = self.inner.contents, self.expanded.lists
        names: list[str] = []
        numbers: list[int] = []
        others: dict[int, str] = {}
        places: dict[str, range] = {}
        unread = {whole.names[at] for at in whole.nested}
        for place, name in enumerate(whole.names):
            if place in whole.others:
                others[len(names)] = whole.others[place]
                names.append(name)
                continue
            labels = [self.names[at] for at in lists[name]] if name in lists else [name]
            spot = range(len(names), len(names) + len(labels))
            if name in lists:
                places[name] = spot
            numbers.extend(spot)
            names.extend(labels)
        nested = tuple(at for at in others if names[at] in unread)
        return Contents(tuple(names), tuple(numbers), {}, others, places, nested)

    def fingerprint(self) -> str:
        return f"{self.inner.fingerprint()} {self.expanded.widths}"

    def first_text(self, column: str) -> str:
        return self.inner.first_text(column)

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[FloatArray]:
        if start >= self.shape[0]:
            return
        needed, steps = self.expanded.stored_for(columns)
        group = bisect_right(self.starts, start) - 1
        file, dtype = self.inner.file, self.inner.dtype_of(needed)
        with explaining_arrow_errors(self.path, file.kind):
            parts = file.parts(side_by_side(needed), group, rows)
            for arrays, count in skip_rows(parts, start - self.starts[group]):
                for span in spans(count, rows, "rows"):
                    some = [array.slice(span.start, span.stop - span.start) for array in arrays]
                    yield fill_rows(self.expanded, some, steps, dtype, start + span.start)
                start += count


def read_lists(reader: ColumnReader) -> ColumnReader | ListReader:
    """The reader with its columns of lists as columns of numbers, where it has any."""
    widths = reader.fields.widths
    if not any(widths):
        return reader
    return ListReader(reader, ExpandedColumns(reader.names, widths))
