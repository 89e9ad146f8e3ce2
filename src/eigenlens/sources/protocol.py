"""Source: what eigenlens asks of anything that holds rows of numbers.

Write your own by giving a class these eight names; no base class is needed, and `eigenlens.fit`
takes an instance as it is. Data are read several times, so `blocks`, `panels` and `sample` must
give the same numbers at every call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import FloatArray, IntArray

__all__ = ["Block", "Columns", "DataLike", "FloatArray", "IntArray", "Source"]

# A FloatArray or, where `is_sparse`, a scipy csr_array or csc_array (scipy has no types to name).
Block: TypeAlias = Any

# What `data` may be: see `eigenlens.fit`; kinds are asked in turn (`open.py`), so any object is.
DataLike: TypeAlias = Any
# What `columns=` may be: names, positions, a mask with one truth value per column, or a slice.
Columns: TypeAlias = Sequence[str] | Sequence[int] | Sequence[bool] | npt.NDArray[Any] | slice


@runtime_checkable
class Source(Protocol):
    """Rows of numbers, n of them with d columns, that can be read again and again."""

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d), both at least 1."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """What blocks arrive in: float32 for float16 and float32 data, else float64."""

    @property
    def names(self) -> tuple[str, ...] | None:
        """One name per column, or None where columns have positions only."""

    @property
    def is_sparse(self) -> bool:
        """Whether blocks are scipy sparse arrays."""

    @property
    def stored_bytes(self) -> int:
        """How many bytes one pass over the data reads."""

    def blocks(self, rows_per_block: int) -> Iterator[Block]:
        """Consecutive row blocks (rows, d); the last may be shorter.

        A dense block that may be written to is fresh, and the caller's to overwrite until the next
        one is asked for; a view of the user's memory is always read-only.
        """

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        """Consecutive column panels (n, columns); the last may be narrower. Else as `blocks`."""

    def sample(self, indices: IntArray) -> FloatArray:
        """The rows at `indices` (from 0 to n - 1, any order), as a dense float64 copy."""
