"""Flags of cells and laws of rows in turn, over one table; the objective never rises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import ordered_map
from eigenlens.missing.flagged import CellFlags, leave_out_flagged
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellBlock, CellReader, ObservedCells
from eigenlens.missing.prior import Prior
from eigenlens.missing.sums import ExpectedSums, sum_over
from eigenlens.robust.screen import CellScreen, measure_change
from eigenlens.robust.split_cells import CompleteRows, SplitCells, separate_complete_rows
from eigenlens.sources.protocol import Source

__all__ = ["Alternation"]

SETTLED = 0.0005  # share of cells that may still change sides
MOVED = 1e-3
FEW_NEAR = 0.5  # share of rows, up to which only these are looked at again
BLOCK_ENTRIES = 1 << 19

BoolArray = npt.NDArray[np.bool_]


@dataclass(eq=False)
class Alternation:
    """Flags of the cells of one table, and the objective after every change of them."""

    source: Source
    observed: ObservedCells
    screen: CellScreen
    prior: Prior
    limit: float

    def __post_init__(self) -> None:
        rows, width = self.source.shape
        self.flags = CellFlags.none(rows, width)
        self.trail: list[float] = []
        self.changing = rows * width
        self.most = int(self.limit * rows)
        self.counts = np.zeros(width, dtype=np.int64)
        self.incomplete = 0
        self.leeway = np.zeros(rows)
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
        before = law
        for turn in range(rounds):
            self.changing = self.sweep(law, before if turn else None)
            sums = self.sum(law)
            self.add_to_trail(law, sums)
            law, before = sums.next_normal(law, self.prior), law
            moved = np.abs(law.covariance - before.covariance).max(initial=0.0)
            if turn and self.changing <= few and moved <= MOVED:
                break
        return law

    def add_to_trail(self, law: Normal, sums: ExpectedSums) -> None:
        cost = sums.deviance + self.screen.add_penalties(self.counts)
        self.trail.append(float(cost) + self.prior.penalize(law))

    def sweep(self, law: Normal, before: Normal | None) -> int:
        """Flag rows anew, or from the flags of the law `before`; how many cells changed sides."""
        if before is not None and self.split is not None:
            self.leeway -= measure_change(before, law)
            near = np.flatnonzero(self.leeway <= 0)
            if len(near) <= FEW_NEAR * len(self.leeway):
                changed = self.revise(law, near, self.split)
                if changed is not None:
                    return changed
        self.split = None  # its rows are those of the flags as they were
        results, split = self.screen_rows(law, before is None, None)
        counts = np.sum([part.counts for part in results], axis=0)
        if (counts > self.most).any():
            results, split = self.screen_rows(law, False, self.most - self.counts)
            counts = np.sum([part.counts for part in results], axis=0)
        packed = np.concatenate([part.packed for part in results])
        changed = int(np.bitwise_count(self.flags.packed ^ packed).sum())
        self.flags.packed[:] = packed
        self.counts, self.split = counts, split
        self.leeway = np.concatenate([part.leeway for part in results])
        self.incomplete = sum(part.incomplete for part in results)
        return changed

    def revise(self, law: Normal, near: npt.NDArray[np.intp], split: SplitCells) -> int | None:
        """Look at these rows only: the others stay as they are; None where a column is full."""
        values, deviations, absent = self.measure(self.source.sample(near), law)
        before = self.flags.read(near)
        found = self.screen.find(law, deviations, absent, before)
        counts = self.counts + found.flags.sum(axis=0) - before.sum(axis=0)
        if (counts > self.most).any():
            return None
        rows = np.flatnonzero((found.flags != before).any(axis=1))
        gone = absent[rows]
        self.split = split.exchange(
            near[rows], values[rows], before[rows] | gone, found.flags[rows] | gone
        )
        self.incomplete = self.source.shape[0] - round(self.split.complete.weight)
        self.flags.packed[near] = np.packbits(found.flags, axis=1)
        self.counts, self.leeway[near] = counts, found.leeway
        return int(np.count_nonzero(found.flags != before))

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
        values, deviations, absent = self.measure(cells, law)
        begin = None if fresh else self.flags.read(slice(first, first + len(cells)))
        found = self.screen.find(law, deviations, absent, begin, room)
        complete, rest = separate_complete_rows(first, values, found.flags | absent)
        screened = ScreenedBlock(
            np.packbits(found.flags, axis=1),
            np.bincount(np.flatnonzero(found.flags) % cells.shape[1], minlength=cells.shape[1]),
            found.leeway,
            len(cells) - int(complete.weight),
        )
        return screened, complete, rest

    def measure(
        self, cells: FloatArray, law: Normal
    ) -> tuple[Float64Array, Float64Array, BoolArray]:
        """In units, and from the mean, 0 in absent cells; which these are."""
        values = np.asarray(cells, dtype=np.float64) - self.observed.center
        values /= self.observed.spread
        absent = np.isnan(values)
        holes = np.flatnonzero(absent)
        deviations = values - law.mean
        np.put(values, holes, 0.0)
        np.put(deviations, holes, 0.0)
        return values, deviations, absent

    def count_cells(self) -> ObservedCells:
        """What is known of the table once outlying cells are missing too."""
        observed = self.observed
        return replace(
            observed,
            counts=observed.counts - self.counts,
            complete_rows=self.source.shape[0] - self.incomplete,
            holes=observed.holes + self.flags.count,
        )


@dataclass(frozen=True)
class ScreenedBlock:
    """Outlying cells of a block as bits, their number by column, and rows that lack any cell."""

    packed: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.int64]
    leeway: Float64Array
    incomplete: int
