"""Arrays with more than two axes as tables: some axes number the rows, the others the columns.

    pictures  (n, h, w) or (n, h, w, c)    rows=(0,)      a picture is a row, a pixel a column
    a cube    (h, w, bands)                rows=(0, 1)    a place is a row, a band a column

The table is a view wherever the memory allows it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy.typing as npt

__all__ = ["flatten_axes"]


def flatten_axes(array: npt.NDArray[Any], rows: tuple[int, ...] = (0,)) -> npt.NDArray[Any]:
    """The (n, d) table whose rows are numbered by the axes `rows`."""
    first = tuple(axis % array.ndim for axis in rows)
    others = tuple(axis for axis in range(array.ndim) if axis not in first)
    size = (math.prod(array.shape[axis] for axis in axes) for axes in (first, others))
    turn = getattr(array, "permute", array.transpose)  # a tensor's `transpose` takes two axes only
    return turn(*first, *others).reshape(tuple(size))
