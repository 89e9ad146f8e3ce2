"""Frames with columns of lists: each is as many columns as its lists are long.

Cost     a block of the frame goes through Arrow, without a copy where the frame is one of Arrow's
         or of polars'; lists of Python objects in pandas are converted block by block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.errors import FieldError
from eigenlens.sources.block import as_block, spans
from eigenlens.sources.columns import Picked, count_picked, part_of_columns, pick_columns
from eigenlens.sources.files.arrow_batches import is_arrow_number, kind_of_value
from eigenlens.sources.files.contents import Contents
from eigenlens.sources.files.list_columns import (
    ExpandedColumns,
    fill_rows,
)
from eigenlens.sources.files.list_lengths import is_list_of_numbers, length_of_first
from eigenlens.sources.own_precision import float_for
from eigenlens.sources.protocol import Columns, FloatArray, IntArray
from eigenlens.sources.traits import Traits

if TYPE_CHECKING:
    from narwhals.stable.v2 import DataFrame

__all__ = ["ListFrameSource", "holds_lists", "list_labels", "open_list_frame"]

ROWS_LOOKED_AT = 100
LISTS = ("List", "Array")


@dataclass(frozen=True, eq=False)
class ListFrameSource:
    frame: DataFrame[Any]
    expanded: ExpandedColumns
    picked: Picked
    single: tuple[bool, ...]  # of each column read: whether float32 holds it
    left_out: Mapping[str, str] = field(default_factory=dict)  # columns by name: why

    is_sparse = False

    @property
    def shape(self) -> tuple[int, int]:
        return self.frame.shape[0], count_picked(self.picked)

    @property
    def dtype(self) -> np.dtype[Any]:
        return float_for(self.single)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(np.array(self.expanded.labels, dtype=object)[self.picked].tolist())

    @property
    def stored_bytes(self) -> int:
        return self.shape[0] * self.shape[1] * self.dtype.itemsize

    @cached_property
    def traits(self) -> Traits:
        return Traits(left_out=self.left_out)

    def blocks(self, rows_per_block: int) -> Iterator[FloatArray]:
        for rows in spans(self.shape[0], rows_per_block, "rows_per_block"):
            yield as_block(self.rows(self.frame[rows], self.picked, rows.start), self.dtype)

    def panels(self, columns_per_panel: int) -> Iterator[FloatArray]:
        for columns in spans(self.shape[1], columns_per_panel, "columns_per_panel"):
            part = part_of_columns(self.picked, columns)
            yield as_block(self.rows(self.frame, part, 0), self.dtype)

    def sample(self, indices: IntArray) -> FloatArray:
        some = self.frame[np.asarray(indices, dtype=np.int64)]
        return self.rows(some, self.picked, 0).astype(np.float64, order="C")

    def rows(self, part: DataFrame[Any], columns: Picked, first: int) -> FloatArray:
        import pyarrow

        needed, steps = self.expanded.stored_for(columns)
        names = [self.expanded.names[place] for place in needed.tolist()]
        try:
            table = part[names].to_arrow().combine_chunks()
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
            raise FieldError.not_readable(
                "a column of lists", "columns of numbers", error
            ) from error
        arrays = [plain_array_of(table.column(name)) for name in names]
        return fill_rows(self.expanded, arrays, steps, self.dtype, first)

    def __repr__(self) -> str:
        kind = self.frame.implementation.name.lower()
        return f"ListFrameSource({self.shape[0]} x {self.shape[1]}, {kind})"


def plain_array_of(column: Any) -> Any:
    """A column of one chunk as an Arrow array."""
    import pyarrow

    return column.chunk(0) if column.num_chunks else pyarrow.array([], column.type)


def holds_lists(frame: DataFrame[Any], kinds: Sequence[Any]) -> bool:
    """Whether some columns may be lists of numbers; pandas knows them as objects only."""
    names = [type(kind).__name__ if not isinstance(kind, type) else kind.__name__ for kind in kinds]
    if any(name in LISTS for name in names):
        return True
    objects = [place for place, name in enumerate(names) if name == "Object"]
    return any(is_sequence(first_value(frame, place)) for place in objects)


def first_value(frame: DataFrame[Any], place: int) -> Any:
    some = frame[:ROWS_LOOKED_AT][:, place].to_list()
    return next((value for value in some if value is not None), None)


def is_sequence(value: Any) -> bool:
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)


def open_list_frame(frame: DataFrame[Any], columns: Columns | None) -> ListFrameSource | None:
    """None where no column is a list of numbers after all."""
    head = arrow_head(frame)
    if head is None:
        return None
    lists = {one.name: length_in(head, one.name) for one in head.schema if is_list(one)}
    asked = [columns] if isinstance(columns, str) else columns
    chosen = set(head.column_names)
    if isinstance(asked, list | tuple) and all(isinstance(one, str) for one in asked):
        chosen = {str(one).partition("[")[0] for one in asked} | set(map(str, asked))
    lists = {name: length for name, length in lists.items() if name in chosen and length}
    if not lists:
        return None
    held = [one for one in head.schema if one.name in lists or is_arrow_number(one.type)]
    others = {one.name: "" for one in head.schema if one not in held and one.name in chosen}
    if others:
        return None  # what does not hold numbers is refused by whoever asks for it
    widths = tuple(lists.get(one.name, 0) for one in held)
    expanded = ExpandedColumns(tuple(one.name for one in held), widths)
    single = [value_kind(one) in ("halffloat", "float") for one in held]
    labels = Contents(expanded.labels, (), lists=expanded.lists)
    picked = pick_columns(labels.expand_lists(columns), expanded.labels)
    by_column = np.repeat(single, np.maximum(widths, 1))[picked]
    return ListFrameSource(frame, expanded, picked, tuple(by_column.tolist()))


def list_labels(frame: DataFrame[Any]) -> list[str]:
    """The columns that lists of numbers are read as."""
    head = arrow_head(frame)
    lists = [] if head is None else [one.name for one in head.schema if is_list(one)]
    widths = tuple(length_in(head, name) for name in lists)
    return list(ExpandedColumns(tuple(lists), widths).labels)


def arrow_head(frame: DataFrame[Any]) -> Any:
    import pyarrow

    try:
        return frame[:ROWS_LOOKED_AT].to_arrow()
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
        return None


def is_list(one: Any) -> bool:
    return is_list_of_numbers(one.type)


def length_in(head: Any, name: str) -> int:
    return length_of_first(head.column(name).combine_chunks())


def value_kind(one: Any) -> str:
    return str(kind_of_value(one.type.value_type if is_list(one) else one.type))
