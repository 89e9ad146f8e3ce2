"""Arrays of numbers that float64 cannot hold: whole numbers beyond 2^53, and long doubles.

    x - o      is computed in the numbers' own arithmetic, and rounded to float64 once

with an origin o near the data, one number per column. Timestamps in nanoseconds differ by less than
the last digit of a float64; less their origin they are exact. A whole number is taken apart into
2^32 a + b, and both parts are subtracted as floats: no difference overflows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.precision import LARGEST_EXACT
from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.array import ArraySource, pick_from_array
from eigenlens.sources.block import spans
from eigenlens.sources.columns import part_of_columns
from eigenlens.sources.protocol import FloatArray, IntArray, Source
from eigenlens.sources.traits import Traits

__all__ = ["ShiftedArraySource", "shifted_exactly"]

HALF = 32  # bits of the lower part


@dataclass(frozen=True, eq=False)
class ShiftedArraySource:
    """The same rows less `center`, which `origin` says in floats."""

    whole: ArraySource
    center: npt.NDArray[Any]  # (d,), in the numbers' own type

    is_sparse = False
    dtype = np.dtype(np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return self.whole.shape

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.whole.names

    @property
    def stored_bytes(self) -> int:
        return self.whole.stored_bytes

    @property
    def traits(self) -> Traits:
        # Differences are rounded once, relative to themselves.
        return Traits(float_stored=True, origin=self.origin)

    @property
    def origin(self) -> tuple[Float64Array, Float64Array]:
        """Two floats whose sum is the center."""
        if self.center.dtype.kind == "f":
            with np.errstate(over="ignore"):  # infinite differences are reported as such
                first = self.center.astype(np.float64)
            return first, np.where(np.isinf(first), 0, self.center - first).astype(np.float64)
        high, low = halves(self.center)
        return high, low

    def blocks(self, rows_per_block: int) -> Iterator[FloatArray]:
        for rows in spans(self.shape[0], rows_per_block, "rows_per_block"):
            yield difference(
                pick_from_array(self.whole.array[rows], self.whole.picked), self.center
            )

    def panels(self, columns_per_panel: int) -> Iterator[FloatArray]:
        for columns in spans(self.shape[1], columns_per_panel, "columns_per_panel"):
            picked = part_of_columns(self.whole.picked, columns)
            yield difference(pick_from_array(self.whole.array, picked), self.center[columns])

    def sample(self, indices: IntArray) -> FloatArray:
        return difference(
            pick_from_array(self.whole.array[indices], self.whole.picked), self.center
        )

    def __repr__(self) -> str:
        return repr(self.whole)


def shifted_exactly(source: Source) -> Source:
    """The source less its first row, where its numbers would lose digits as float64."""
    if not isinstance(source, ArraySource) or not is_wide(source.array):
        return source
    return ShiftedArraySource(source, np.array(pick_from_array(source.array[:1], source.picked)[0]))


def is_wide(array: npt.NDArray[Any]) -> bool:
    """Whether some number has no float64, as far as its type and its range tell."""
    if array.dtype.kind == "f":
        return array.dtype.itemsize > 8
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8:
        return False
    return int(array.max()) > LARGEST_EXACT or int(array.min()) < -LARGEST_EXACT


def difference(part: npt.NDArray[Any], center: npt.NDArray[Any]) -> FloatArray:
    """part - center, rounded once."""
    if part.dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):
            rounded: FloatArray = (part - center).astype(np.float64)
            return rounded
    high, low = halves(part)
    center_high, center_low = halves(center)
    found: FloatArray = (high - center_high) + (low - center_low)
    return found


def halves(whole: npt.NDArray[Any]) -> tuple[Float64Array, Float64Array]:
    """2^32 a and b, with whole = 2^32 a + b: both are exact in float64."""
    lower = whole & ((1 << HALF) - 1)
    return (whole >> HALF).astype(np.float64) * 2.0**HALF, lower.astype(np.float64)
