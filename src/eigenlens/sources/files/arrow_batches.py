"""Arrow columns: which of them are numbers, and how a batch of columns becomes rows.

Cost     one copy of each column, with its cast, into the block that is handed out. Blocks are
         F-ordered: to turn a hundred columns into C-ordered rows takes longer than their product.
Numbers  are integers, floats, decimals, truth values and columns without any value (NaN), also
         where each value is stored once (dictionaries, runs); text, dates, categories and records
         are not, and an index that pandas wrote beside its columns is no column. Lists of numbers
         are columns themselves: `list_columns.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import FileError
from eigenlens.errors.system import os_error_at
from eigenlens.sources.columns import Picked
from eigenlens.sources.files.contents import Contents
from eigenlens.sources.own_precision import float_for
from eigenlens.sources.protocol import FloatArray

__all__ = [
    "PANDAS_INDEX",
    "ArrowPart",
    "NumericFields",
    "arrow_row_blocks",
    "arrow_to_numpy",
    "explaining_arrow_errors",
    "fill_from_arrow",
    "first_value_shown",
    "is_arrow_number",
    "kind_of_value",
    "numeric_fields",
    "skip_rows",
]

ArrowPart = tuple[Sequence[Any], int]  # Arrow arrays, and how many rows they have

PANDAS_INDEX = "the index of a pandas frame"


@dataclass(frozen=True)
class NumericFields:
    """The columns of an Arrow schema that are numbers, and what the others are."""

    contents: Contents
    single: tuple[bool, ...]  # whether float32 holds all that a column has
    entry_bytes: int
    index: tuple[str, ...]
    widths: tuple[int, ...] = ()  # of columns of lists how long these are, of others 0

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.contents.names[place] for place in self.contents.numbers)

    @property
    def positions(self) -> tuple[int, ...]:
        return self.contents.numbers

    @property
    def left_out(self) -> tuple[str, ...]:
        return tuple(self.contents.names[place] for place in self.contents.others)

    def places(self, columns: Picked) -> list[int]:
        """Where in the schema the picked columns stand."""
        chosen: list[int] = np.array(self.positions, dtype=np.intp)[columns].tolist()
        return chosen

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.dtype_of(slice(None))

    def dtype_of(self, columns: Picked) -> np.dtype[Any]:
        """What the picked columns are handed out in: an `id` left out makes no number longer."""
        return float_for(np.array(self.single, dtype=bool)[columns])

    def row_bytes(self, columns: Picked) -> int:
        """Of the picked columns, as they are handed out."""
        widths = np.array(self.widths or (1,) * len(self.names), dtype=np.int64)
        return int(np.maximum(widths, 1)[columns].sum()) * self.dtype_of(columns).itemsize


def numeric_fields(schema: Any, lengths: Mapping[str, int] | None = None) -> NumericFields:
    """`lengths`: columns of lists that are to be read, with the length of their lists."""
    index, lists = index_names(schema), lengths or {}
    others = {
        place: PANDAS_INDEX if field.name in index else f"holds {kind_in_words(field.type)}"
        for place, field in enumerate(schema)
        if field.name in index or not (field.name in lists or is_arrow_number(field.type))
    }
    numeric = tuple(place for place in range(len(schema)) if place not in others)
    nested = tuple(place for place in others if is_nested(schema.field(place).type))
    widths = tuple(lists.get(schema.field(place).name, 0) for place in numeric)
    kinds = [
        kind_of_value(schema.field(place).type.value_type if width else schema.field(place).type)
        for place, width in zip(numeric, widths, strict=True)
    ]
    return NumericFields(
        contents=Contents(tuple(schema.names), numeric, others=others, nested=nested),
        single=tuple(str(kind) in ("halffloat", "float") for kind in kinds),
        entry_bytes=sum(
            entry_bytes(kind) * max(1, width) for kind, width in zip(kinds, widths, strict=True)
        ),
        index=index,
        widths=widths,
    )


def is_nested(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_nested(kind_of_value(kind)))


def kind_in_words(kind: Any) -> str:
    """What a column holds that does not hold numbers."""
    from pyarrow import types

    value = kind_of_value(kind)
    words = {
        "dates or times": types.is_temporal(value),
        "lists or records": is_nested(kind),
        "text": str(value).startswith(("string", "large_string", "utf8")),
        "bytes": "binary" in str(value),
    }
    return next((word for word, fits in words.items() if fits), str(kind))


def kind_of_value(kind: Any) -> Any:
    """What a column holds, also where each value is stored once."""
    from pyarrow import types

    stored_once = types.is_dictionary(kind) or types.is_run_end_encoded(kind)
    return kind.value_type if stored_once else kind


def is_arrow_number(kind: Any) -> bool:
    from pyarrow import types

    kind = kind_of_value(kind)
    return bool(
        types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_decimal(kind)
        or types.is_boolean(kind)
        or types.is_null(kind)
    )


def entry_bytes(kind: Any) -> int:
    from pyarrow import types

    return 0 if types.is_null(kind) else max(1, kind.bit_width // 8)


def index_names(schema: Any) -> tuple[str, ...]:
    """Columns in which pandas keeps the labels of its rows."""
    described = schema.pandas_metadata or {}
    return tuple(name for name in described.get("index_columns", ()) if isinstance(name, str))


def arrow_row_blocks(
    parts: Iterable[ArrowPart], rows: int, expected: int, dtype: np.dtype[Any]
) -> Iterator[FloatArray]:
    """Fresh blocks of `rows` rows, and a last one with the rest of the `expected` ones."""
    table, filled = np.empty((0, 0), dtype), 0
    for columns, count in parts:
        taken = 0
        while taken < count:
            if filled == table.shape[1]:
                size = min(rows, expected) if expected > 0 else rows
                table, filled = np.empty((len(columns), size), dtype), 0
            some = min(table.shape[1] - filled, count - taken)
            fill_from_arrow(table[:, filled : filled + some], columns, taken)
            filled, taken, expected = filled + some, taken + some, expected - some
            if filled == table.shape[1]:
                yield table.T
                table = np.empty((0, 0), dtype)  # the block is the caller's alone
                filled = 0
    if filled:
        yield table[:, :filled].T


def fill_from_arrow(table: FloatArray, columns: Sequence[Any], first: int) -> None:
    """Entries of Arrow arrays from `first` on as the lines of `table`; null is NaN."""
    with np.errstate(over="ignore"):
        for line, column in zip(table, columns, strict=True):
            line[:] = arrow_to_numpy(column.slice(first, len(line)))


def skip_rows(parts: Iterable[ArrowPart], skip: int) -> Iterator[ArrowPart]:
    """The parts without their first `skip` rows."""
    for columns, count in parts:
        dropped = min(skip, count)
        skip -= dropped
        if dropped == 0:
            yield columns, count
        elif dropped < count:
            yield [column.slice(dropped) for column in columns], count - dropped


def arrow_to_numpy(column: Any) -> Any:
    """An Arrow array for numpy, without a copy where its memory can be shared."""
    from pyarrow import compute, types

    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    elif types.is_run_end_encoded(column.type):
        column = compute.run_end_decode(column)
    kind = column.type
    if types.is_null(kind):
        return np.nan
    if types.is_boolean(kind) or types.is_decimal(kind):
        column = column.cast("float64")
    # Not `to_numpy`, which imports pandas: a quarter of a second for a small file.
    if not column.null_count:
        return np.from_dlpack(column)
    known = np.from_dlpack(column.is_valid().cast("uint8")).astype(bool)
    stored = np.dtype(column.type.to_pandas_dtype())
    begin, values = column.offset * stored.itemsize, column.buffers()[1]
    numbers = np.frombuffer(values, stored, len(column), begin).astype(np.float64)
    numbers[~known] = np.nan
    return numbers


def first_value_shown(values: Any) -> str:
    """The first value of an Arrow array that is one."""
    for value in values:
        if value.is_valid:
            return str(value.as_py())
    return str(values.type)


@contextmanager
def explaining_arrow_errors(path: Path, kind: str) -> Iterator[None]:
    """What Arrow or the disk says against a file, said about this file."""
    import pyarrow

    try:
        yield
    except MemoryError:
        raise
    except (pyarrow.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise os_error_at(path, "read", error) from error
        lines = str(error).splitlines() or [type(error).__name__]
        raise FileError.damaged(path, kind, lines[0].rstrip(". ")) from error
