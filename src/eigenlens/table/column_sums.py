"""Sums: weighted sums, sums of squares and row lengths, gathered while a block is in cache."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, FloatArray

__all__ = ["Sums", "state_of_sums"]

ROWS_PER_SUM = 512  # equal float32 numbers then drift by no more than 128 roundings
LONG_ROW = 2048  # numbers: from this length on, longer rows are summed no faster


class Sums:
    """Sums over rows already shifted; `lengths` of rows only where somebody will ask for them.

    They take 8 bytes per row, in memory and in every state of a checkpoint.
    """

    def __init__(self, shape: tuple[int, int], lengths: bool = False) -> None:
        self.sums = np.zeros(shape[1])
        self.squares = np.zeros(shape[1])
        self.lengths = np.zeros(shape[0]) if lengths else None

    @property
    def arrays(self) -> list[Float64Array]:
        both = [self.sums, self.squares]
        return both if self.lengths is None else [*both, self.lengths]

    def add(self, block: FloatArray, weights: Float64Array | None, columns: slice) -> None:
        for part, heavy in summable_runs(block, weights):
            self.sums[columns] += heavy @ part
            if weights is None:
                self.squares[columns] += np.einsum("ij,ij->j", part, part)
            else:
                self.squares[columns] += np.einsum("i,ij,ij->j", heavy, part, part)

    def add_sums(self, block: FloatArray, weights: Float64Array | None) -> None:
        """Sums only: whoever forms the Gram matrix has the squares on its diagonal."""
        whole = 0
        if weights is None and block.flags.c_contiguous:
            # Several rows side by side make one long row: as many sums run at once, each over
            # fewer rows, in a third of the time that narrow rows take.
            beside = max(-(-len(block) // ROWS_PER_SUM), -(-LONG_ROW // block.shape[1]))
            runs = block[: len(block) // beside * beside].reshape(-1, beside * block.shape[1])
            whole = len(runs) * beside
            sums = np.ones(len(runs), block.dtype) @ runs
            self.sums += sums.reshape(beside, -1).sum(axis=0, dtype=np.float64)
        heavy = None if weights is None else weights[whole:]
        for part, ones in summable_runs(block[whole:], heavy):
            self.sums += ones @ part

    def add_lengths(self, block: FloatArray, rows: slice, diagonal: Float64Array) -> None:
        """Squared lengths of the scaled rows, for whoever works on inner products of rows."""
        if self.lengths is None:
            return
        if np.all(diagonal == diagonal[0]):
            self.lengths[rows] += np.vecdot(block, block) * diagonal[0]
        else:
            self.lengths[rows] += np.square(block) @ diagonal.astype(block.dtype)


def state_of_sums(tally: Sums | None, *arrays: AnyArray) -> list[AnyArray]:
    """All that a pass adds to, for whoever takes it up again."""
    return [*arrays, *([] if tally is None else tally.arrays)]


def summable_runs(
    block: FloatArray, weights: Float64Array | None
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Runs of rows short enough to be summed in their own precision, with their weights."""
    for start in range(0, len(block), ROWS_PER_SUM):
        part = block[start : start + ROWS_PER_SUM]
        if weights is None:
            yield part, np.ones(len(part), part.dtype)
        else:
            yield part, weights[start : start + ROWS_PER_SUM].astype(part.dtype)
