"""Reading `columns=`: names, positions, a mask or a slice become positions in the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.errors import DataError, OptionError, UnsupportedData
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.sources.protocol import Columns, IntArray

__all__ = [
    "Picked",
    "column_span",
    "count_picked",
    "part_of_columns",
    "pick_columns",
    "repeated_labels",
    "takes_all",
]

# A slice wherever the columns lie side by side: a slice of an array is a view, a list of positions
# is a copy.
Picked = slice | IntArray


def pick_columns(columns: Columns | None, labels: Sequence[object]) -> Picked:
    """Positions of `columns` among `labels`, which is a range where columns have no names."""
    if columns is None:
        return slice(0, len(labels))
    if isinstance(columns, slice):
        positions: IntArray = np.arange(len(labels))[columns]
    else:
        positions = positions_of_list(columns, labels)
    twice = repeated_labels([labels[position] for position in positions.tolist()])
    if twice:
        raise DataError.duplicate_names(twice)
    return side_by_side(positions)


def positions_of_list(columns: Columns, labels: Sequence[object]) -> IntArray:
    asked = np.empty(0, dtype=np.intp) if is_empty(columns) else np.asarray(columns)
    if isinstance(columns, str | bytes) or asked.ndim != 1:
        raise OptionError.needs(
            SetOption("columns", columns),
            "a list",
            Phrase("pass names, positions, a mask or a slice: {}", Option("columns", "[...]")),
        )
    if asked.dtype.kind == "b":
        return positions_of_mask(asked, len(labels))
    if asked.dtype.kind in "iu":
        unknown = asked[(asked < -len(labels)) | (asked >= len(labels))]
        if unknown.size:
            raise UnsupportedData.unknown_columns(unknown.tolist(), range(len(labels)))
        return np.asarray(asked % len(labels), dtype=np.intp)
    return positions_of_names(list(columns), labels)  # type: ignore[arg-type]


def is_empty(columns: Columns) -> bool:
    return not isinstance(columns, slice) and np.ndim(columns) == 1 and len(columns) == 0


def positions_of_mask(mask: npt.NDArray[Any], n_columns: int) -> IntArray:
    if mask.size != n_columns:
        raise OptionError.needs(
            f"a mask of {mask.size} columns",
            f"one truth value for each of the {n_columns} columns of the table",
            Phrase("pass such a mask, or positions: {}", Option("columns", "np.flatnonzero(mask)")),
        )
    return np.flatnonzero(mask)


def positions_of_names(asked: list[object], labels: Sequence[object]) -> IntArray:
    where = {} if isinstance(labels, range) else {label: i for i, label in enumerate(labels)}
    unknown = [name for name in asked if name not in where]
    if unknown:
        raise UnsupportedData.unknown_columns(unknown, labels)
    return np.array([where[name] for name in asked], dtype=np.intp)


def repeated_labels(labels: Sequence[object]) -> list[object]:
    return [label for label, count in Counter(labels).items() if count > 1]


def side_by_side(positions: IntArray) -> Picked:
    if positions.size and np.all(np.diff(positions) == 1):
        return slice(int(positions[0]), int(positions[-1]) + 1)
    return positions


def count_picked(picked: Picked) -> int:
    return picked.stop - picked.start if isinstance(picked, slice) else picked.size


def part_of_columns(picked: Picked, span: slice) -> Picked:
    """The picked columns number `span.start` to `span.stop`."""
    if isinstance(picked, slice):
        return slice(picked.start + span.start, picked.start + span.stop)
    return picked[span]


def column_span(columns: Picked) -> tuple[int, int]:
    """The first of them in the file, and the one after the last."""
    if isinstance(columns, slice):
        return columns.start, columns.stop
    return (int(columns.min()), int(columns.max()) + 1) if columns.size else (0, 0)


def takes_all(columns: Picked, count: int) -> bool:
    """Whether these are all `count` columns in their order."""
    return isinstance(columns, slice) and columns == slice(0, count)
