"""Arrays: numpy of any real dtype, order and stride, memory maps, lists of rows, `__array__`.

Pictures, (n, h, w) or (n, h, w, c), are rows of pixels.

float32 and float64 blocks are views of the caller's memory wherever BLAS can read them as they lie.
Integers, booleans, float16, long doubles and foreign byte orders are converted block by block.
"""

from __future__ import annotations

import decimal
import math
import numbers
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from types import NoneType
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.errors import DataError, PictureError, UnsupportedData
from eigenlens.sources.block import (
    as_block,
    as_floats,
    block_dtype,
    dtype_name,
    is_blas_ready,
    spans,
)
from eigenlens.sources.columns import Picked, count_picked, part_of_columns, pick_columns
from eigenlens.sources.device.arrays import plain_tensor
from eigenlens.sources.layout import flatten_axes
from eigenlens.sources.protocol import Columns, FloatArray, IntArray
from eigenlens.sources.traits import Traits

__all__ = ["ArraySource", "accepts", "are_views", "source_from"]

FLOATS, OTHER_NUMBERS = Traits(float_stored=True), Traits()
PICTURE_AXES = (3, 4)  # a number, a height and a width; and colors
REAL_NUMBERS = (numbers.Real, decimal.Decimal, np.bool_)


@dataclass(frozen=True, eq=False)
class ArraySource:
    array: npt.NDArray[Any]
    picked: Picked
    names: tuple[str, ...] | None = None
    column_shape: tuple[int, ...] | None = None  # of a picture whose pixels the columns are

    is_sparse = False

    @cached_property
    def traits(self) -> Traits:
        stored = self.array.dtype
        usual = FLOATS if stored.kind == "f" and stored.itemsize <= 8 else OTHER_NUMBERS
        return (
            usual if self.column_shape is None else replace(usual, column_shape=self.column_shape)
        )

    @cached_property
    def shape(self) -> tuple[int, int]:
        return self.array.shape[0], count_picked(self.picked)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        return block_dtype(self.array.dtype)

    @property
    def stored_bytes(self) -> int:
        return self.shape[0] * self.shape[1] * self.array.itemsize

    def blocks(self, rows_per_block: int) -> Iterator[FloatArray]:
        for rows in spans(self.shape[0], rows_per_block, "rows_per_block"):
            yield as_block(pick_from_array(self.array[rows], self.picked), self.dtype)

    def panels(self, columns_per_panel: int) -> Iterator[FloatArray]:
        for columns in spans(self.shape[1], columns_per_panel, "columns_per_panel"):
            yield as_block(
                pick_from_array(self.array, part_of_columns(self.picked, columns)), self.dtype
            )

    def sample(self, indices: IntArray) -> FloatArray:
        with np.errstate(over="ignore"):
            rows = pick_from_array(self.array[indices], self.picked)
            if rows.dtype == object:
                return np.ascontiguousarray(as_floats(rows, np.dtype(np.float64)))
            return rows.astype(np.float64, order="C", copy=False)

    def __repr__(self) -> str:
        stored = dtype_name(self.array.dtype)
        return f"ArraySource({self.shape[0]} x {self.shape[1]}, stored as {stored})"


def are_views(source: object, dtype: np.dtype[Any]) -> bool:
    """Whether blocks of this dtype are parts of an array in memory: then no size is too large."""
    if not isinstance(source, ArraySource) or source.array.dtype != dtype:
        return False
    return isinstance(source.picked, slice) and is_blas_ready(source.array[:2, source.picked])


def pick_from_array(part: npt.NDArray[Any], picked: Picked) -> npt.NDArray[Any]:
    """The picked columns: a view where they lie side by side, else a copy in the part's order."""
    if isinstance(picked, slice):
        return part[:, picked]
    if abs(part.strides[0]) < abs(part.strides[1]):
        return np.take(part.T, picked, axis=0).T
    return np.take(part, picked, axis=1)


def accepts(data: object) -> bool:
    if isinstance(data, np.ndarray):
        return True
    if isinstance(data, list | tuple):
        # A list of paths is another kind, asked before: it must not become an array of strings.
        return not (data and isinstance(data[0], str | os.PathLike))
    # A Dask collection has `__array__` too, but would be computed whole by it.
    return hasattr(data, "__array__") and not hasattr(data, "__dask_graph__")


def source_from(data: Any, columns: Columns | None) -> ArraySource:
    array = plain_array(data)
    if array.dtype.names is not None:
        raise UnsupportedData.structured(array.dtype.names)
    if array.shape == (0,):
        raise DataError.empty(array.shape)
    if array.ndim not in (2, *PICTURE_AXES):
        raise DataError.not_two_dimensional(array.shape)
    if array.dtype.kind == "c":
        raise UnsupportedData.complex_numbers(array.dtype)
    if array.ndim in PICTURE_AXES:
        return source_of_pictures(array, columns)
    picked = pick_columns(columns, range(array.shape[1]))
    if array.dtype.kind not in "biuf":
        array = numbers_in(data, array, picked)
    return ArraySource(array, picked)


def source_of_pictures(array: npt.NDArray[Any], columns: Columns | None) -> ArraySource:
    if array.dtype.kind not in "biuf":
        raise UnsupportedData.not_numeric({"pictures": str(array.dtype)}, [])
    shape = array.shape[1:] if columns is None else None
    picked = pick_columns(columns, range(math.prod(array.shape[1:])))
    if array.flags.f_contiguous and not array.flags.c_contiguous:
        # A table in the usual order of pixels would be a copy: blocks are ordered as they are read.
        order = np.arange(math.prod(array.shape[1:])).reshape(array.shape[1:], order="F").ravel()
        return ArraySource(
            array.reshape((len(array), -1), order="F"), order[picked], column_shape=shape
        )
    return ArraySource(flatten_axes(array), picked, column_shape=shape)


def plain_array(data: Any) -> npt.NDArray[Any]:
    """The same memory as a plain ndarray: no subclass, so a memory map stays on disk."""
    if isinstance(data, np.ma.MaskedArray) and np.ma.is_masked(data):
        return np.asarray(np.ma.filled(data.astype(np.float64), np.nan))  # masked cells are missing
    plain = plain_tensor(data)
    try:
        return np.asarray(plain)
    except ValueError as error:  # numpy's word for rows of different lengths
        shapes = [np.shape(one) for one in data if isinstance(one, np.ndarray)]
        if any(len(shape) > 1 for shape in shapes):
            raise PictureError.unequal_pictures(shapes) from error
        raise DataError.ragged(error) from error


def numbers_in(data: Any, array: npt.NDArray[Any], picked: Picked) -> npt.NDArray[Any]:
    """An array of objects whose picked columns hold real numbers only; others are an error."""
    # np.asarray([[1, "a"]]) makes strings of all; as objects the first column is still a number.
    entries = np.array(data, dtype=object) if array.dtype.kind in "SU" else array
    wrong, numeric = {}, []
    for column in np.arange(array.shape[1])[picked].tolist():
        kind = kind_of_first_other(entries[:, column])
        if kind is None:
            numeric.append(column)
        else:
            wrong[str(column)] = kind
    if wrong:
        raise UnsupportedData.not_numeric(wrong, numeric)
    return entries


def kind_of_first_other(column: npt.NDArray[Any]) -> str | None:
    """What the first entry is that is no real number, if there is one."""
    if column.dtype != object:
        return str(column.dtype)
    # None is a missing number: it becomes NaN, and is treated or refused as such.
    other = (entry for entry in column if not isinstance(entry, (*REAL_NUMBERS, NoneType)))
    return next((type(entry).__name__ for entry in other), None)
