"""Tally: weighted sums, sums of squares and row lengths, gathered while a block is in cache."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import Float64Array, FloatArray

__all__ = ["Tally"]

ROWS_PER_SUM = 512  # equal float32 numbers then drift by no more than 128 roundings


class Tally:
    """Sums over rows already shifted; `moments` undoes the shift."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.sums = np.zeros(shape[1])
        self.squares = np.zeros(shape[1])
        self.lengths = np.zeros(shape[0])

    @property
    def arrays(self) -> list[Float64Array]:
        return [self.sums, self.squares, self.lengths]

    def add(self, block: FloatArray, weights: Float64Array | None, columns: slice) -> None:
        for part, heavy in pieces(block, weights):
            self.sums[columns] += heavy @ part
            if weights is None:
                self.squares[columns] += np.einsum("ij,ij->j", part, part)
            else:
                self.squares[columns] += np.einsum("i,ij,ij->j", heavy, part, part)

    def add_sums(self, block: FloatArray, weights: Float64Array | None) -> None:
        """Sums only: whoever forms the Gram matrix has the squares on its diagonal.

        One product gives the sums of all runs of rows; a call per run would cost twice as much.
        """
        runs = runs_of(len(block), block.dtype)
        if weights is not None:
            runs = runs * weights.astype(block.dtype)
        self.sums += (runs @ block).sum(axis=0, dtype=np.float64)

    def add_lengths(self, block: FloatArray, rows: slice, diagonal: Float64Array) -> None:
        """Squared lengths of the scaled rows, for whoever works on inner products of rows."""
        if np.all(diagonal == diagonal[0]):
            self.lengths[rows] += np.vecdot(block, block) * diagonal[0]
        else:
            self.lengths[rows] += np.square(block) @ diagonal.astype(block.dtype)

    def moments(self, weight: float, shift: Float64Array | None) -> Moments:
        """Weight, mean, and squares about the mean."""
        step = self.sums / weight
        squares = np.maximum(self.squares - weight * step**2, 0.0)
        return Moments(weight, step if shift is None else shift + step, squares)


def pieces(
    block: FloatArray, weights: Float64Array | None
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Runs of rows short enough to be summed in their own precision, with their weights."""
    for start in range(0, len(block), ROWS_PER_SUM):
        part = block[start : start + ROWS_PER_SUM]
        if weights is None:
            yield part, np.ones(len(part), part.dtype)
        else:
            yield part, weights[start : start + ROWS_PER_SUM].astype(part.dtype)


@lru_cache(maxsize=4)
def runs_of(rows: int, dtype: np.dtype[Any]) -> FloatArray:
    """(runs, rows): each line has ones at one run of rows, as long as float32 sums may be."""
    if dtype.itemsize == 8:
        return np.ones((1, rows))
    return np.repeat(np.eye(-(-rows // ROWS_PER_SUM), dtype=dtype), ROWS_PER_SUM, axis=1)[:, :rows]
