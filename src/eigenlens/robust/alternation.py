"""Flags of cells and laws of rows in turn, over one table; the objective never rises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import ordered_map
from eigenlens.missing.flagged import CellFlags, leave_out_flagged
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellReader, ObservedCells
from eigenlens.robust.screen import CellScreen
from eigenlens.robust.split_cells import SplitCells, split_cells
from eigenlens.sources.protocol import Source

__all__ = ["Alternation"]

SETTLED = 0.0005  # share of cells that may still change sides
MOVED = 1e-3
BLOCK_ENTRIES = 1 << 17

BoolArray = npt.NDArray[np.bool_]


@dataclass(eq=False)
class Alternation:
    """Flags of the cells of one table, and the objective after every change of them."""

    source: Source
    observed: ObservedCells
    screen: CellScreen
    prior: float
    limit: float

    def __post_init__(self) -> None:
        rows, width = self.source.shape
        self.flags = CellFlags.none(rows, width)
        self.trail: list[float] = []
        self.changing = rows * width
        self.most = int(self.limit * rows)
        self.counts = np.zeros(width, dtype=np.int64)
        self.incomplete = self.lacking = 0

    def split(self) -> SplitCells:
        return split_cells(CellReader(leave_out_flagged(self.source, self.flags), self.observed))

    def run(self, law: Normal, rounds: int) -> Normal:
        """Flags and laws in turn, until few cells change sides and the law stays where it is."""
        few = SETTLED * self.source.shape[0] * self.source.shape[1]
        for turn in range(rounds):
            self.changing = self.sweep(law, fresh=turn == 0)
            reader, before = self.split(), law
            law = reader.sum(law).next_normal(law, self.prior)
            moved = np.abs(law.covariance - before.covariance).max(initial=0.0)
            if turn and self.changing <= few and moved <= MOVED:
                break
        return law

    def sweep(self, law: Normal, fresh: bool) -> int:
        """Flag every row anew from the law, or from the flags as they are; cells that changed."""
        results = self.screen_rows(law, fresh, None)
        counts = np.sum([part.flags.sum(axis=0) for part in results], axis=0)
        if (counts > self.most).any():
            results = self.screen_rows(law, False, self.most - self.counts)
            counts = np.sum([part.flags.sum(axis=0) for part in results], axis=0)
        changed, first = 0, 0
        for part in results:
            rows = slice(first, first + len(part.flags))
            changed += int((self.flags.read(rows) != part.flags).sum())
            self.flags.write(rows, part.flags)
            first = rows.stop
        self.counts = counts
        self.incomplete = sum(part.incomplete for part in results)
        self.lacking = sum(part.lacking for part in results)
        cost = sum(part.cost for part in results)
        trace = float(np.trace(law.precision))
        self.trail.append(cost + self.prior * (law.log_determinant + trace))
        return changed

    def screen_rows(
        self, law: Normal, fresh: bool, room: npt.NDArray[np.int64] | None
    ) -> list[ScreenedBlock]:
        """Block by block; in threads where columns are not full, which no order can change."""
        threads = 1 if room is not None else available_processors()
        work = partial(self.screen_block, law, fresh, room)
        with one_blas_thread():
            return list(ordered_map(work, self.blocks(), threads))

    def blocks(self) -> Iterator[tuple[int, Float64Array]]:
        first = 0
        for block in self.source.blocks(max(16, BLOCK_ENTRIES // self.source.shape[1])):
            yield first, np.asarray(block, dtype=np.float64)
            first += len(block)

    def screen_block(
        self,
        law: Normal,
        fresh: bool,
        room: npt.NDArray[np.int64] | None,
        numbered: tuple[int, Float64Array],
    ) -> ScreenedBlock:
        first, cells = numbered
        deviations = (cells - self.observed.center) / self.observed.spread - law.mean
        absent = np.isnan(deviations)
        deviations[absent] = 0.0
        begin = None if fresh else self.flags.read(slice(first, first + len(cells)))
        flags, costs = self.screen.find(law, deviations, absent, begin, room)
        lacking = (flags | absent).sum(axis=1)
        incomplete = int((lacking > 0).sum())
        return ScreenedBlock(flags, float(costs.sum()), incomplete, int(lacking.sum()))

    def count_cells(self) -> ObservedCells:
        """What is known of the table once outlying cells are missing too."""
        observed = self.observed
        return replace(
            observed,
            counts=observed.counts - self.counts,
            complete_rows=self.source.shape[0] - self.incomplete,
            holes=self.lacking - observed.empty_rows * self.source.shape[1],
        )


@dataclass(frozen=True)
class ScreenedBlock:
    """Outlying cells of a block, the sum of its rows' costs, and what its rows lack."""

    flags: BoolArray
    cost: float
    incomplete: int
    lacking: int
