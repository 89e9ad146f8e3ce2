"""Neighbors: the nearest rows of some anchors among all rows, exactly, in one pass.

    |x - a|^2 = |x|^2 + |a|^2 - 2 x'a    for all rows, a tile at a time: it picks candidates
    |x - a|^2 from the difference        for these only: it decides

The expanded form is one matrix product, but rounds by eps |x|^2: a pair of twins may come out as 0
or as 1e-7. So it may only pick, with that much to spare; what is kept is never rounded so.

Cost     anchors x rows x columns multiply-adds, in BLAS, or by stored entries where rows are
         sparse. Candidates become rare: about anchors x count x log(rows) differences in all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray

__all__ = ["Neighbors", "NumberedRows", "nearest_rows"]

TILE_ENTRIES = 1 << 20  # of a matrix of squared distances: 8 MB
DIFFERENCE_ENTRIES = 1 << 20
SPARE = 8 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class NumberedRows:
    numbers: IntArray  # which rows of the data these are
    rows: Any  # (rows, d) float64, dense or a csr_array

    def tiles(self, step: int) -> Iterator[NumberedRows]:
        for start in range(0, len(self.numbers), step):
            part = slice(start, start + step)
            yield NumberedRows(self.numbers[part], self.rows[part])


@dataclass(frozen=True, eq=False)
class Neighbors:
    distances: Float64Array  # (anchors, count), ascending; the anchor itself is not among them
    n_rows: int  # how many rows they were looked for in

    @property
    def count(self) -> int:
        return int(self.distances.shape[1])

    def log_ratios(self, rank: int) -> Float64Array:
        """log(r[2 rank] / r[rank]) of every anchor."""
        found: Float64Array = np.log(self.distances[:, 2 * rank - 1] / self.distances[:, rank - 1])
        return found


def nearest_rows(anchors: NumberedRows, blocks: Iterable[NumberedRows], count: int) -> Neighbors:
    """The `count` nearest rows of every (dense) anchor; `blocks` hold each row once."""
    search = NeighborSearch(anchors, count)
    n_rows = 0
    step = max(4 * count, TILE_ENTRIES // len(anchors.numbers))
    for block in blocks:
        for tile in block.tiles(step):
            search.take(tile)
            n_rows += len(tile.numbers)
    return Neighbors(np.sqrt(search.settled()), n_rows)


@dataclass(eq=False)
class NeighborSearch:
    """The nearest found so far, and candidates that are yet to be sorted in."""

    anchors: NumberedRows
    count: int
    kept: Float64Array = field(init=False)  # squares, (anchors, count), ascending
    waiting: list[tuple[IntArray, Float64Array]] = field(default_factory=list)
    n_waiting: int = 0

    def __post_init__(self) -> None:
        rows = self.anchors.rows
        self.kept = np.full((len(rows), self.count), np.inf)
        self.lengths = np.square(rows).sum(axis=1)
        self.widened = np.hstack([-2 * rows, np.ones((len(rows), 1))])

    def take(self, tile: NumberedRows) -> None:
        squares, longest = self.expanded(tile)
        limit = self.kept[:, -1] - self.lengths
        spare = SPARE * tile.rows.shape[1] * (longest + self.lengths)
        if np.isinf(limit[0]) and squares.shape[1] > self.count:
            # Nobody is known yet. Of `count` + 1, to leave room for the anchor itself.
            limit = np.partition(squares, self.count, axis=1)[:, self.count] + spare
        hits = np.flatnonzero(squares <= (limit + spare)[:, None])
        if not hits.size:
            return
        which, columns = np.divmod(hits, squares.shape[1])
        others = tile.numbers[columns] != self.anchors.numbers[which]
        which, columns = which[others], columns[others]
        self.waiting.append((which, self.differences(tile, which, columns)))
        self.n_waiting += len(which)
        if np.isinf(limit[0]) or self.n_waiting > self.kept.size:
            self.sort_in()

    def expanded(self, tile: NumberedRows) -> tuple[Float64Array, float]:
        """|x|^2 - 2 x'a, (anchors, rows), and the largest |x|^2."""
        rows = tile.rows
        if isinstance(rows, np.ndarray):
            lengths = np.square(rows).sum(axis=1)
            product = self.widened @ np.hstack([rows, lengths[:, None]]).T
        else:
            lengths = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
            product = np.ascontiguousarray((rows @ self.widened[:, :-1].T).T)
            product += lengths
        return product, float(lengths.max())

    def differences(self, tile: NumberedRows, which: IntArray, columns: IntArray) -> Float64Array:
        found = np.empty(len(which))
        step = max(1, DIFFERENCE_ENTRIES // tile.rows.shape[1])
        for start in range(0, len(which), step):
            part = slice(start, start + step)
            rows = tile.rows[columns[part]]
            apart = rows if isinstance(rows, np.ndarray) else rows.toarray()
            apart = apart - self.anchors.rows[which[part]]
            found[part] = np.einsum("ij,ij->i", apart, apart)
        return found

    def sort_in(self) -> None:
        filled = np.isfinite(self.kept)
        which = np.concatenate([np.nonzero(filled)[0], *(one for one, _ in self.waiting)])
        squares = np.concatenate([self.kept[filled], *(two for _, two in self.waiting)])
        order = np.argsort(which, kind="stable")
        which, squares = which[order], squares[order]
        place = np.arange(len(which)) - np.searchsorted(which, np.arange(len(self.kept)))[which]
        # One line per anchor, the ends of short lines left infinite.
        lines = np.full((len(self.kept), max(self.count, int(place.max(initial=0)) + 1)), np.inf)
        lines[which, place] = squares
        lines.sort(axis=1)
        self.kept[:] = lines[:, : self.count]
        self.waiting, self.n_waiting = [], 0

    def settled(self) -> Float64Array:
        self.sort_in()
        return self.kept
