"""Shares: rows to train on, rows to stop by, rows to judge by. Each row has one part only.

    judge   a fifth of the rows, at most MOST_HELD
    stop    a fifth of the others, at most as many
    train   the rest: in memory where there is room, else read block by block at every epoch

Rows are prepared, (row - mean) / scale, and divided by the network's unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, IntArray
from eigenlens.errors import SplitError
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Block, Source

__all__ = [
    "MIN_TRAINING_ROWS",
    "RowSplit",
    "prepare_network_rows",
    "refuse_too_few_to_split",
    "split_rows",
]

MIN_TRAINING_ROWS = 15
PART = 5
MOST_HELD = 10_000
HELD_ENTRIES = 1 << 24
ROWS_PER_BLOCK_ENTRIES = 1 << 22


@dataclass(frozen=True, eq=False)
class RowSplit:
    source: Source
    model: Subspace
    unit: float
    judge: Float64Array
    stop: Float64Array
    trained_on: IntArray  # ascending
    train: Float64Array | None  # None: too many to hold

    @property
    def loss_of_pca(self) -> float:
        """Over all rows, from the eigenvalues that were left out."""
        n = self.source.shape[0]
        left = self.model.total_variance - float(self.model.eigenvalues.sum())
        return max(left, 0.0) * (n - 1) / n / self.unit**2

    def batches(self, size: int, rng: np.random.Generator) -> Iterator[AnyArray]:
        """All rows to train on, in new order: of the whole where it is held, else of each block."""
        for rows in [self.train] if self.train is not None else self.blocks():
            order = rng.permutation(len(rows))
            for start in range(0, len(rows), size):
                yield rows[order[start : start + size]]

    def blocks(self) -> Iterator[Float64Array]:
        start = 0
        for block in self.source.blocks(max(1, ROWS_PER_BLOCK_ENTRIES // self.source.shape[1])):
            low, high = np.searchsorted(self.trained_on, [start, start + block.shape[0]])
            chosen = self.trained_on[low:high] - start
            start += block.shape[0]
            if len(chosen):
                yield prepare_network_rows(block[chosen], self.model, self.unit)


def split_rows(
    source: Source, model: Subspace, unit: float, held_bytes: int, rng: np.random.Generator
) -> RowSplit:
    n, d = source.shape
    refuse_too_few_to_split(n)
    order = rng.permutation(n)
    most = max(4, min(MOST_HELD, HELD_ENTRIES // d))
    judges = min(n // PART, most)
    stops = min((n - judges) // PART, most)
    judge, stop = order[:judges], order[judges : judges + stops]
    train = np.sort(order[judges + stops :])
    rows = None
    if 8 * len(train) * d <= held_bytes:
        rows = prepare_network_rows(source.sample(train), model, unit)
    return RowSplit(
        source,
        model,
        unit,
        prepare_network_rows(source.sample(judge), model, unit),
        prepare_network_rows(source.sample(stop), model, unit),
        train,
        rows,
    )


def refuse_too_few_to_split(n: int) -> None:
    if n < MIN_TRAINING_ROWS:
        purpose = "training on some rows, stopping by others and judging by the rest"
        raise SplitError.too_few(n, MIN_TRAINING_ROWS, purpose)


def prepare_network_rows(rows: Block, model: Subspace, unit: float) -> Float64Array:
    dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
    ready = dense.astype(np.float64)
    if model.mean is not None:
        ready -= model.mean
    ready /= unit if model.scale is None else unit * model.scale
    return ready
