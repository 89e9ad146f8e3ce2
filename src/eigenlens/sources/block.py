"""Cutting a table into blocks, and making a block ready for BLAS with the least copying."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.errors import OptionError
from eigenlens.sources.protocol import FloatArray

__all__ = ["as_block", "as_floats", "block_dtype", "dtype_name", "is_blas_ready", "spans"]

dtype_name = cache(str)  # numpy finds the name of a dtype anew each time


def spans(total: int, step: int, name: str) -> Iterator[slice]:
    """Consecutive slices of at most `step` that cover range(total)."""
    if not step > 0:
        raise OptionError.not_positive(name, step)
    for start in range(0, total, step):
        yield slice(start, min(start + step, total))


def block_dtype(stored: np.dtype[Any]) -> np.dtype[Any]:
    """float32 where it loses nothing a float had, else float64."""
    single = stored.kind == "f" and stored.itemsize <= 4
    return np.dtype(np.float32 if single else np.float64)


def as_block(part: npt.NDArray[Any], dtype: np.dtype[Any]) -> FloatArray:
    """`part` itself as a read-only view where BLAS can take it as it lies, else a fresh copy."""
    if part.dtype == dtype and part.flags.aligned and is_blas_ready(part):
        view = part.view()
        view.flags.writeable = False
        return view
    # A long double beyond 1.8e308 becomes infinite here and is reported as such, not warned about.
    with np.errstate(over="ignore"):
        return as_floats(part, dtype)


def as_floats(part: npt.NDArray[Any], dtype: np.dtype[Any]) -> FloatArray:
    """A copy; whole numbers of Python that no float can hold become infinite too."""
    try:
        return part.astype(dtype, order="K")
    except OverflowError:
        near: npt.NDArray[Any] = np.frompyfunc(float_or_infinite, 1, 1)(part)
        return near.astype(dtype, order="K")


def float_or_infinite(entry: Any) -> float:
    try:
        return float(entry)
    except OverflowError:
        return math.inf if entry > 0 else -math.inf


def is_blas_ready(part: npt.NDArray[Any]) -> bool:
    """Whether numpy's matmul hands `part` to BLAS without copying it.

    BLAS wants one axis without gaps and along the other a fixed distance of whole numbers, at least
    the length of the first: C, F and slices of them, but nothing reversed, repeated or skipping.
    """
    item, (down, across), (rows, columns) = part.itemsize, part.strides, part.shape
    if across == item and down % item == 0 and down >= item * columns:
        return True
    return down == item and across % item == 0 and across >= item * rows
