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
from eigenlens.missing.observed import CellBlock, CellReader, ObservedCells
from eigenlens.missing.sums import ExpectedSums, sum_over
from eigenlens.robust.screen import CellScreen
from eigenlens.robust.split_cells import CompleteRows, SplitCells, separate_complete_rows
from eigenlens.sources.protocol import Source

__all__ = ["Alternation"]

SETTLED = 0.0005  # share of cells that may still change sides
MOVED = 1e-3
BLOCK_ENTRIES = 1 << 18


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
        self.split: SplitCells | None = None

    @property
    def reader(self) -> CellReader:
        return CellReader(leave_out_flagged(self.source, self.flags), self.observed)

    def sum(self, law: Normal) -> ExpectedSums:
        """One pass of EM over the cells that are not flagged."""
        return sum_over(law, self.reader) if self.split is None else self.split.sum(law)

    def run(self, law: Normal, rounds: int) -> Normal:
        """Flags and laws in turn, until few cells change sides and the law stays where it is."""
        few = SETTLED * self.source.shape[0] * self.source.shape[1]
        for turn in range(rounds):
            self.changing, before = self.sweep(law, fresh=turn == 0), law
            law = self.sum(law).next_normal(law, self.prior)
            moved = np.abs(law.covariance - before.covariance).max(initial=0.0)
            if turn and self.changing <= few and moved <= MOVED:
                break
        return law

    def sweep(self, law: Normal, fresh: bool) -> int:
        """Flag every row anew from the law, or from the flags as they are; cells that changed."""
        self.split = None  # its rows are those of the flags as they were
        results, split = self.screen_rows(law, fresh, None)
        counts = np.sum([part.counts for part in results], axis=0)
        if (counts > self.most).any():
            results, split = self.screen_rows(law, False, self.most - self.counts)
            counts = np.sum([part.counts for part in results], axis=0)
        packed = np.concatenate([part.packed for part in results])
        changed = int(np.bitwise_count(self.flags.packed ^ packed).sum())
        self.flags.packed[:] = packed
        self.counts, self.split = counts, split
        self.incomplete = sum(part.incomplete for part in results)
        self.lacking = sum(part.lacking for part in results)
        cost = sum(part.cost for part in results)
        trace = float(np.trace(law.precision))
        self.trail.append(cost + self.prior * (law.log_determinant + trace))
        return changed

    def screen_rows(
        self, law: Normal, fresh: bool, room: npt.NDArray[np.int64] | None
    ) -> tuple[list[ScreenedBlock], SplitCells | None]:
        """Block by block; in threads where columns are not full, which no order can change."""
        threads = 1 if room is not None else available_processors()
        work = partial(self.screen_block, law, fresh, room)
        with one_blas_thread():
            results = []
            split: SplitCells | None = SplitCells.none(self.source.shape[1])
            for screened, complete, rest in ordered_map(work, self.blocks(), threads):
                results.append(screened)
                split = None if split is None else split.add(complete, rest)
        return results, split

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
    ) -> tuple[ScreenedBlock, CompleteRows, CellBlock]:
        first, cells = numbered
        values = cells - self.observed.center
        values /= self.observed.spread
        absent = np.isnan(values)
        values[absent] = 0.0
        deviations = values - law.mean
        deviations[absent] = 0.0
        begin = None if fresh else self.flags.read(slice(first, first + len(cells)))
        flags, costs = self.screen.find(law, deviations, absent, begin, room)
        holes = flags | absent
        lacking = holes.sum(axis=1)
        screened = ScreenedBlock(
            np.packbits(flags, axis=1),
            flags.sum(axis=0),
            float(costs.sum()),
            int((lacking > 0).sum()),
            int(lacking.sum()),
        )
        return screened, *separate_complete_rows(first, values, holes, lacking)

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
    """Outlying cells of a block as bits, their number by column, costs, and what rows lack."""

    packed: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.int64]
    cost: float
    incomplete: int
    lacking: int
