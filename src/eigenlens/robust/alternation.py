"""Flags of cells and laws of rows in turn, over one table; the objective never rises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import ordered_map
from eigenlens.missing.flagged import CellFlags, leave_out_flagged
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellReader, ObservedCells
from eigenlens.missing.prior import Prior
from eigenlens.missing.sums import ExpectedSums, sum_over
from eigenlens.robust.scratch import Scratch
from eigenlens.robust.screen import CellScreen, measure_change, rows_with_any
from eigenlens.robust.split_cells import SplitCells
from eigenlens.sources.block import spans
from eigenlens.sources.protocol import Source

__all__ = ["MOVED", "Alternation"]

SETTLED = 0.0005  # share of cells that may still change sides
MOVED = 1e-3
FEW_NEAR = 0.9  # share of rows, up to which only these are looked at again
BLOCK_ENTRIES = 1 << 19

BoolArray = npt.NDArray[np.bool_]
Item = TypeVar("Item")
Result = TypeVar("Result")


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
        self.scratch = Scratch()
        self.nothing = SplitCells.none(rows, width)
        self.split: SplitCells | None = None

    @property
    def reader(self) -> CellReader:
        return CellReader(leave_out_flagged(self.source, self.flags), self.observed)

    def sum(self, law: Normal) -> ExpectedSums:
        """One pass of EM over the cells that are not flagged."""
        return sum_over(law, self.reader) if self.split is None else self.split.sum(law)

    def run(self, law: Normal, rounds: int, moved_at_most: float = MOVED) -> Normal:
        """Flags and laws in turn, until few cells change sides and the law stays where it is."""
        few = SETTLED * self.source.shape[0] * self.source.shape[1]
        before = law
        for turn in range(rounds):
            self.changing = self.sweep(law, before if turn else None)
            sums = self.sum(law)
            self.add_to_trail(law, sums)
            law, before = sums.next_normal(law, self.prior), law
            moved = np.abs(law.covariance - before.covariance).max(initial=0.0)
            if turn and self.changing <= few and moved <= moved_at_most:
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
        parts = list(self.map_in_order(partial(self.revise_rows, law), self.cut_places(near)))
        counts = self.counts + sum(part.counts for part in parts)
        if (counts > self.most).any():
            return None
        changed = 0
        for part in parts:
            split = split.exchange(part.places, part.values, part.before, part.after)
            self.flags.packed[part.near] = part.packed
            self.leeway[part.near] = part.leeway
            changed += part.changed
        self.counts, self.split = counts, split.join(BLOCK_ENTRIES)
        self.incomplete = self.source.shape[0] - round(split.complete.weight)
        return changed

    def cut_places(self, places: npt.NDArray[np.intp]) -> Iterator[npt.NDArray[np.intp]]:
        for part in spans(len(places), max(16, BLOCK_ENTRIES // self.source.shape[1]), "rows"):
            yield places[part]

    def revise_rows(self, law: Normal, near: npt.NDArray[np.intp]) -> RevisedRows:
        deviations, absent = self.measure(self.source.sample(near), law)
        before = self.flags.read(near)
        found = self.screen.find(law, deviations, absent, before, scratch=self.scratch)
        moved = found.flags != before
        rows = rows_with_any(moved)
        return RevisedRows(
            near,
            np.packbits(found.flags, axis=1),
            found.leeway,
            found.flags.sum(axis=0) - before.sum(axis=0),
            int(np.count_nonzero(moved)),
            near[rows],
            deviations[rows] + law.mean,
            before[rows] | absent[rows],
            found.flags[rows] | absent[rows],
        )

    def map_in_order(
        self, work: Callable[[Item], Result], items: Iterable[Item], threads: int | None = None
    ) -> Iterator[Result]:
        with one_blas_thread():
            yield from ordered_map(work, items, threads or available_processors())

    def screen_rows(
        self, law: Normal, fresh: bool, room: npt.NDArray[np.int64] | None
    ) -> tuple[list[ScreenedBlock], SplitCells | None]:
        """Block by block; in threads where columns are not full, which no order can change."""
        threads = 1 if room is not None else available_processors()
        work = partial(self.screen_block, law, fresh, room)
        results = []
        split: SplitCells | None = self.nothing
        for screened, part in self.map_in_order(work, self.blocks(), threads):
            results.append(screened)
            split = None if split is None else split.add(part)
        return results, None if split is None else split.join(BLOCK_ENTRIES)

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
    ) -> tuple[ScreenedBlock, SplitCells]:
        first, cells = numbered
        deviations, absent = self.measure(cells, law)
        begin = None if fresh else self.flags.read(slice(first, first + len(cells)))
        found = self.screen.find(law, deviations, absent, begin, room, self.scratch)
        deviations += law.mean
        part = self.nothing.separate(first, deviations, found.flags | absent)
        screened = ScreenedBlock(
            np.packbits(found.flags, axis=1),
            np.bincount(np.flatnonzero(found.flags) % cells.shape[1], minlength=cells.shape[1]),
            found.leeway,
            len(cells) - int(part.complete.weight),
        )
        return screened, part

    def measure(self, cells: FloatArray, law: Normal) -> tuple[Float64Array, BoolArray]:
        """In units from the mean of the law, 0 in absent cells; which these are."""
        observed = self.observed
        middle = observed.center + law.mean * observed.spread
        deviations = self.scratch.array("deviations", cells.shape)
        np.subtract(cells, middle, out=deviations)
        deviations *= 1.0 / observed.spread
        if not observed.holes and not observed.empty_rows:
            return deviations, np.zeros(deviations.shape, dtype=bool)
        absent = np.isnan(deviations)
        np.put(deviations, np.flatnonzero(absent), 0.0)
        return deviations, absent

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
class RevisedRows:
    """Rows `near` a change: their flags as bits, cells gained and lost by column, and leeway.

    Of those that did change, at `places`: values, and holes before and after.
    """

    near: npt.NDArray[np.intp]
    packed: npt.NDArray[np.uint8]
    leeway: Float64Array
    counts: npt.NDArray[np.int64]
    changed: int
    places: npt.NDArray[np.intp]
    values: Float64Array
    before: BoolArray
    after: BoolArray


@dataclass(frozen=True)
class ScreenedBlock:
    """Outlying cells of a block as bits, their number by column, and rows that lack any cell."""

    packed: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.int64]
    leeway: Float64Array
    incomplete: int
