"""Stored CSR: row chunks of a sparse matrix whose entries lie in a file, row after row.

    row i  has  values[indptr[i] : indptr[i+1]]  in the columns  indices[indptr[i] : indptr[i+1]]

`indptr` is in memory, n + 1 whole numbers; values and indices are read as they are needed, and
nothing is ever dense. Indices are checked as they arrive: scipy trusts them, and would crash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.errors import FileError
from eigenlens.sources.columns import Picked, takes_all
from eigenlens.sources.files.choose_array import StoredArray
from eigenlens.sources.protocol import Block, IntArray
from eigenlens.sources.sparse import add_repeated, to_float_values

__all__ = ["Entries", "StoredCsr", "count_stored_entries", "csr_chunks"]

KIND = "a sparse matrix"
MOST_ENTRIES = 1 << 21  # read at once where most of them belong to columns that are not asked for

# Values and column indices of the entries from one number to another; asked for in order.
Entries = Callable[[int, int], tuple[npt.NDArray[Any], npt.NDArray[Any]]]


@dataclass(frozen=True, eq=False)
class StoredCsr:
    """What is known of the matrix before its entries are read."""

    label: str
    shape: tuple[int, int]
    offsets: IntArray  # indptr
    n_entries: int  # as many as are stored

    def __post_init__(self) -> None:
        rows, offsets = self.shape[0], self.offsets
        if offsets.shape != (rows + 1,):
            reason = f"{rows} rows need {rows + 1} numbers in indptr, and it has {offsets.shape}"
            raise FileError.damaged(self.label, KIND, reason)
        if offsets[0] != 0 or np.any(np.diff(offsets) < 0):
            raise FileError.damaged(self.label, KIND, "indptr does not rise from 0")
        if offsets[-1] > self.n_entries:
            reason = f"indptr announces {offsets[-1]} entries, but {self.n_entries} are stored"
            raise FileError.damaged(self.label, KIND, reason)


def count_stored_entries(label: str, values: StoredArray, indices: StoredArray) -> int:
    """How many entries there are both a value and a column of."""
    if len(values.shape) != 1 or len(indices.shape) != 1 or indices.dtype.kind not in "iu":
        reason = f"data {values.shape} and indices {indices.shape} {indices.dtype} are no entries"
        raise FileError.damaged(label, KIND, reason)
    return min(values.shape[0], indices.shape[0])


def csr_chunks(
    matrix: StoredCsr, entries: Entries, columns: Picked, start: int, rows: int
) -> Iterator[Block]:
    whole = takes_all(columns, matrix.shape[1])
    offsets = matrix.offsets
    while start < matrix.shape[0]:
        stop = min(start + rows, matrix.shape[0])
        if not whole:
            room = np.searchsorted(offsets, offsets[start] + MOST_ENTRIES, side="right") - 1
            stop = min(stop, max(start + 1, int(room)))
        block = csr_block(matrix, offsets[start : stop + 1], entries)
        start = stop
        yield block if whole else block[:, columns]
        del block  # else it would live until the next one is read


def csr_block(matrix: StoredCsr, offsets: IntArray, entries: Entries) -> Block:
    from scipy.sparse import csr_array

    columns = matrix.shape[1]
    values, indices = entries(int(offsets[0]), int(offsets[-1]))
    if indices.size and not (indices.min() >= 0 and indices.max() < columns):
        wrong = indices[(indices < 0) | (indices >= columns)][0]
        reason = f"an entry lies in column {wrong}, and there are {columns}, from 0 on"
        raise FileError.damaged(matrix.label, KIND, reason)
    parts = to_float_values(values), indices, offsets - offsets[0]
    block = csr_array(parts, shape=(len(offsets) - 1, columns))
    if not block.has_canonical_format:
        block = add_repeated(block)  # sums of squares need each entry once
        if parts[0].dtype == np.float32 and np.any(block.data != block.data.astype(np.float32)):
            reason = "entries stored several times add up to numbers that float32 cannot hold"
            raise FileError.damaged(matrix.label, KIND, f"{reason}; write each entry once")
    return block
