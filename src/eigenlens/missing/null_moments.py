"""Tables with the holes and the columns of the data, and none of their structure.

The observed cells of every column change places among themselves; the holes stay where they are.
The same engine then expects a covariance matrix, so what it makes of pure noise with these holes is
seen, and parallel analysis compares the data with that.

Cost     ten passes over the rows for each table, in memory. Of long tables a sample is used: fewer
         rows have larger noise, so that no component is kept for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.missing.expectation import moments_in_data_units
from eigenlens.missing.gaussian import Gaussian
from eigenlens.missing.lowrank import LowRank
from eigenlens.missing.observed import CellReader, as_dense, observe_cells
from eigenlens.sources.array import ArraySource
from eigenlens.sources.moments_only import MomentsSource

__all__ = ["NullMoments"]

MOST_ROWS = 20_000
DRIFT = 64.0  # roundings of its scatter: a null table is compared to a few digits


@dataclass(frozen=True)
class NullMoments:
    """`draw(key)`: another table for every key."""

    reader: CellReader
    engine: Gaussian | LowRank

    def draw(self, key: int) -> MomentsSource:
        rng = np.random.default_rng(key)
        cells, weights = self.some_rows(rng)
        source = ArraySource(permute_observed(cells, rng), slice(0, cells.shape[1]))
        reader = CellReader(source, observe_cells(source, weights), weights)
        law, sums = self.engine.expect_roughly(reader)
        moments = moments_in_data_units(law.mean, sums, reader.observed)
        return MomentsSource(moments, None, cells.nbytes, DRIFT, reader.observed.rows)

    def some_rows(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray | None]:
        source, weights = self.reader.source, self.reader.weights
        count = source.shape[0]
        if count <= MOST_ROWS:
            blocks = [as_dense(block) for block in source.blocks(count)]
            return np.concatenate(blocks), weights
        rows = np.sort(rng.choice(count, MOST_ROWS, replace=False))
        cells = np.asarray(source.sample(rows), dtype=np.float64)
        return cells, None if weights is None else weights[rows]


def permute_observed(cells: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Every column's observed cells in another order."""
    shuffled = cells.copy()
    for column in shuffled.T:
        seen = ~np.isnan(column)
        column[seen] = rng.permutation(column[seen])
    return shuffled
