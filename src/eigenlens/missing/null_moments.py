"""Tables with the holes and the columns of the data, and none of their structure.

The observed cells of every column change places among themselves; the holes stay where they are.
The same engine then expects a covariance matrix, so what it makes of pure noise with these holes is
seen, and parallel analysis compares the data with that.

Cost     ten passes over the rows for each table, in memory. Of long tables a sample is used: fewer
         rows have larger noise, so that no component is kept for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from eigenlens.missing.contrasts import Contrasts
from eigenlens.missing.expectation import moments_in_data_units
from eigenlens.missing.gaussian import Gaussian
from eigenlens.missing.lowrank import LowRank
from eigenlens.missing.observed import CellReader, as_dense, observe_cells
from eigenlens.sources.array import ArraySource
from eigenlens.sources.moments_only import MomentsSource
from eigenlens.sources.traits import traits_of

__all__ = ["NullLevels", "NullMoments"]

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
        together = traits_of(self.reader.source).together
        source = ArraySource(permute_observed(cells, rng, together), slice(0, cells.shape[1]))
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


@dataclass(frozen=True)
class NullLevels:
    """The same for categories, whose engine sees contrasts: `draw` gives moments of indicators."""

    draw_contrasts: Callable[[int], MomentsSource]
    contrasts: Contrasts

    def draw(self, key: int) -> MomentsSource:
        found = self.draw_contrasts(key)
        origin = np.zeros(self.contrasts.numbers)
        return replace(found, moments=self.contrasts.moments_of_levels(found.moments, origin))


def permute_observed(
    cells: np.ndarray, rng: np.random.Generator, together: np.ndarray | None = None
) -> np.ndarray:
    """Every column's observed cells in another order, the same for those `together` with it."""
    shuffled = cells.copy()
    first = np.arange(cells.shape[1]) if together is None else together
    for place in np.unique(first):
        seen = np.flatnonzero(~np.isnan(cells[:, place]))
        kin = np.flatnonzero(first == place)
        shuffled[np.ix_(seen, kin)] = cells[np.ix_(rng.permutation(seen), kin)]
    return shuffled
