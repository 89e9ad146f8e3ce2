"""Arrays with more than two axes as tables: some axes number the rows, the others the columns.

    pictures  (n, h, w) or (n, h, w, c)    rows=(0,)      a picture is a row, a pixel a column
    a cube    (h, w, bands)                rows=(0, 1)    a place is a row, a band a column

`flatten_axes` makes the table, a view wherever the memory allows it. The `Layout` that comes with
it folds what has a number per column (a mean, components) or per row (scores) back into its shape.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Layout", "flatten_axes"]


@dataclass(frozen=True)
class Layout:
    """The shape of one row, and the shape that the rows stand in."""

    row_shape: tuple[int, ...]  # of the rows among themselves: (n,), or (h, w) of a cube
    column_shape: tuple[int, ...]  # of the numbers of one row: (d,), or (h, w) of a picture

    @property
    def is_plain(self) -> bool:
        return len(self.row_shape) == 1 and len(self.column_shape) == 1

    def fold_columns(self, numbers: npt.ArrayLike) -> npt.NDArray[Any]:
        """(..., d) to (..., h, w): components as pictures."""
        given = np.asarray(numbers)
        return given.reshape(*given.shape[:-1], *self.column_shape)

    def fold_rows(self, numbers: npt.ArrayLike) -> npt.NDArray[Any]:
        """(n, ...) to (h, w, ...): scores as maps."""
        given = np.asarray(numbers)
        return given.reshape(*self.row_shape, *given.shape[1:])


def flatten_axes(
    array: npt.NDArray[Any], rows: tuple[int, ...] = (0,)
) -> tuple[npt.NDArray[Any], Layout]:
    """The (n, d) table whose rows are numbered by the axes `rows`, and its layout."""
    first = tuple(axis % array.ndim for axis in rows)
    others = tuple(axis for axis in range(array.ndim) if axis not in first)
    layout = Layout(
        tuple(array.shape[axis] for axis in first), tuple(array.shape[axis] for axis in others)
    )
    size = math.prod(layout.row_shape), math.prod(layout.column_shape)
    turn = getattr(array, "permute", array.transpose)  # a tensor's `transpose` takes two axes only
    return turn(*first, *others).reshape(size), layout
