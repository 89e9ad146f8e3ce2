"""Outlying cells of a row, given a law of the rows: those that cost more kept than left out.

    cost of a row = log|S_OO| + r_O' S_OO^-1 r_O + sum of penalties of the cells left out

With every other cell as it is, keeping cell j adds r^2 / v + log v, where r is its distance from
what the kept cells expect of it and v the variance of that; leaving it out adds its penalty

    q_j = chi-square 0.99 quantile + log v_j,       v_j = its variance given all other cells

The strain of a cell is |r| / sqrt(v (q_j - log v)) if it is kept, and one over that if it is left
out: above 1 it would gain by changing sides. All cells that would gain change sides together where
that lowers the cost of their row, else the one with the largest gain does: the cost never rises,
and ends where no single cell can lower it.
What a cell is compared with is in `pulled_rows.py`.

Source   Raymaekers and Rousseeuw 2023, The cellwise MCD estimator (the objective).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.missing.law import Law
from eigenlens.missing.normal import Normal
from eigenlens.robust.pulled_rows import PulledRows
from eigenlens.robust.scratch import Scratch

__all__ = [
    "CellResiduals",
    "CellScreen",
    "ScreenedRows",
    "measure_cells",
    "measure_change",
    "rows_with_any",
]

CHI_99 = 6.6348966010212145  # chi-square with one degree of freedom
WILD = 4.0  # spreads: such cells are left out to begin with
MOST_SWEEPS = 12
REACH = 4.0  # deviations
TINY = float(np.finfo(float).tiny)

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class CellResiduals:
    """Of every cell: its distance from what the kept other cells of its row expect, and variance.

    `costs` (b,) are those of the rows, without penalties.
    """

    residuals: Float64Array
    variances: Float64Array
    costs: Float64Array


@dataclass(frozen=True)
class ScreenedRows:
    """Outlying cells, the costs of the rows with them left out, and how far rows are from a change.

    `leeway` (b,): cells gain under laws that differ by more, as `measure_change` says.
    """

    flags: BoolArray
    costs: Float64Array
    leeway: Float64Array


@dataclass(frozen=True, eq=False)
class CellScreen:
    """`penalties` (d,), infinite for columns whose cells are never outlying."""

    penalties: Float64Array

    @classmethod
    def from_law(cls, law: Normal, usable: BoolArray) -> CellScreen:
        own = -np.log(np.diag(law.precision))
        return cls(np.where(usable, CHI_99 + own, np.inf))

    def find_outlying(self, law: Law, deviations: Float64Array, absent: BoolArray) -> BoolArray:
        """Of rows that may be new; a law of low rank has no screen."""
        if not isinstance(law, Normal):
            return np.zeros(absent.shape, dtype=bool)
        return self.find(law, deviations, absent).flags

    def find(
        self,
        law: Normal,
        deviations: Float64Array,
        absent: BoolArray,
        first: BoolArray | None = None,
        room: npt.NDArray[np.intp] | None = None,
        scratch: Scratch | None = None,
    ) -> ScreenedRows:
        """`absent` cells are missing, and not outlying; `first`: where to begin.

        `room` (d,): how many more cells of each column may be left out, which is counted down.
        """
        scratch = scratch or Scratch()
        flags = self.begin(deviations, absent, scratch) if first is None else first.copy()
        held = PulledRows(law, deviations, flags | absent, scratch)
        costs = held.lengths + law.log_determinant
        strains = self.strain_whole_rows(held, scratch)
        rows = np.flatnonzero(strains > 1)
        for sweep in range(MOST_SWEEPS if rows.size else 0):
            gone, before = absent[rows], flags[rows]
            found, own = self.strain(held, rows, before, gone)
            costs[rows] = own + self.add_penalties(before)
            strains[rows] = largest_of_rows(found)
            gaining = found > 1
            if room is not None:
                gaining &= self.hold_back(held, rows, before, gone, room)
            moving = rows_with_any(gaining)
            if not moving.size or sweep == MOST_SWEEPS - 1:
                break
            rows, gone, before = rows[moving], gone[moving], before[moving]
            after = self.choose_moves(held, rows, before, gone, gaining[moving], costs[rows])
            flags[rows] = after
            if room is not None:
                room -= after.sum(axis=0) - before.sum(axis=0)
        return ScreenedRows(flags, costs, self.measure_leeway(held, strains))

    def limits_of(
        self, precisions: Float64Array, columns: IntArray | slice = slice(None)
    ) -> Float64Array:
        """How far kept cells may be, |r| / sqrt(v), for 1 / v of each."""
        return np.sqrt(np.maximum(self.penalties[columns] + np.log(precisions), TINY))

    def strain_whole_rows(self, held: PulledRows, scratch: Scratch) -> Float64Array:
        """The largest strain of a cell of each row, infinite in rows with holes.

        Without holes variances are the same in every row, so cells are compared with one bound.
        """
        strains = np.abs(held.pulls, out=scratch.array("sizes", held.pulls.shape))
        strains *= 1.0 / (self.limits_of(held.own) * np.sqrt(held.own))
        largest = largest_of_rows(strains)
        largest[rows_with_any(held.hidden)] = np.inf
        return largest

    def strain(
        self,
        held: PulledRows,
        rows: npt.NDArray[np.intp],
        flags: BoolArray,
        gone: BoolArray,
    ) -> tuple[Float64Array, Float64Array]:
        """Strains of the cells of these rows, and the costs of the rows, without penalties."""
        holes = flags | gone
        held.follow(rows, holes)
        strains, costs = np.empty(holes.shape), held.lengths[rows] + held.law.log_determinant
        whole = np.ones(len(rows), dtype=bool)
        for part in held.leave_out(rows, holes):
            costs[part.rows], whole[part.rows] = part.costs, False
            own = np.abs(part.pulls, out=part.pulls)
            limits = self.limits_of(part.precisions) * np.sqrt(part.precisions)
            own *= (1.0 / limits)[part.member]
            back = self.limits_of(1.0 / part.variances, part.columns)
            back /= np.sqrt(np.maximum(np.square(part.residuals) / part.variances, TINY))
            np.put_along_axis(own, part.columns, back, axis=1)
            strains[part.rows] = own
        some = np.flatnonzero(whole)
        limits = self.limits_of(held.own) * np.sqrt(held.own)
        strains[some] = np.abs(held.pulls[rows[some]]) * (1.0 / limits)
        np.put(strains, np.flatnonzero(gone), 0.0)
        return strains, costs

    def weigh(
        self,
        held: PulledRows,
        rows: npt.NDArray[np.intp],
        flags: BoolArray,
        gone: BoolArray,
    ) -> Float64Array:
        """By how much the cost of a row falls if this cell alone changes sides."""
        holes = flags | gone
        held.follow(rows, holes)
        gains = np.square(held.pulls[rows]) / held.own - (self.penalties + np.log(held.own))
        for part in held.leave_out(rows, holes):
            own = np.square(part.pulls) / part.precisions[part.member]
            own -= (self.penalties + np.log(part.precisions))[part.member]
            kept = np.square(part.residuals) / part.variances + np.log(part.variances)
            np.put_along_axis(own, part.columns, self.penalties[part.columns] - kept, axis=1)
            gains[part.rows] = own
        gains[gone] = -np.inf
        return np.asarray(gains)

    def measure_leeway(self, held: PulledRows, strains: Float64Array) -> Float64Array:
        """Of each row: by how much |r| / sqrt(v) may change until a cell gains."""
        least = float(self.limits_of(held.own).min())
        sizes = np.sqrt(np.maximum(held.lengths, 0.0) / held.deviations.shape[1])
        return np.asarray(least * (1.0 - strains) / np.maximum(sizes, 1.0))

    def begin(self, deviations: Float64Array, absent: BoolArray, scratch: Scratch) -> BoolArray:
        sizes = np.abs(deviations, out=scratch.array("sizes", deviations.shape))
        flags: BoolArray = sizes > WILD
        flags &= ~absent
        flags[:, ~np.isfinite(self.penalties)] = False
        return flags

    def add_penalties(self, flags: BoolArray | IntArray) -> Float64Array:
        finite = np.where(np.isfinite(self.penalties), self.penalties, 0.0)
        sums: Float64Array = flags.astype(np.float64) @ finite
        return sums

    def choose_moves(
        self,
        held: PulledRows,
        rows: npt.NDArray[np.intp],
        before: BoolArray,
        gone: BoolArray,
        gaining: BoolArray,
        costs: Float64Array,
    ) -> BoolArray:
        """Flags of these rows once all cells that gain have changed sides, or the best one."""
        after = before ^ gaining
        lines = np.flatnonzero(gaining) // gaining.shape[1]
        several = np.flatnonzero(np.bincount(lines, minlength=len(gaining)) > 1)
        if several.size:
            together = after[several]
            found = held.find_costs(rows[several], together | gone[several])
            worse = several[found + self.add_penalties(together) >= costs[several]]
            gains = self.weigh(held, rows[worse], before[worse], gone[worse])
            gains[~gaining[worse]] = -np.inf
            after[worse] = before[worse]
            after[worse, gains.argmax(axis=1)] ^= True
        return after

    def hold_back(
        self,
        held: PulledRows,
        rows: npt.NDArray[np.intp],
        flags: BoolArray,
        gone: BoolArray,
        room: npt.NDArray[np.intp],
    ) -> BoolArray:
        """Cells that may change sides: of a column without room for all, those that gain most."""
        gains = self.weigh(held, rows, flags, gone)
        asking, free = (gains > 0) & ~flags, np.ones(flags.shape, dtype=bool)
        for column in np.flatnonzero(asking.sum(axis=0) > room).tolist():
            lines = np.flatnonzero(asking[:, column])
            order = np.argsort(-gains[lines, column], kind="stable")
            free[lines[order[max(int(room[column]), 0) :]], column] = False
        return free


def measure_change(law: Normal, other: Normal) -> float:
    """By how much |r| / sqrt(v) of the cells of ordinary rows differ at most, nearly always.

    By g = P r of rows from the law: REACH deviations of their change, and the mean's.
    """
    moved = (other.precision - law.precision) @ law.factor
    shift = np.abs(other.precision @ (other.mean - law.mean))
    changes = REACH * np.linalg.norm(moved, axis=1) + shift
    return float((changes / np.sqrt(np.diag(law.precision))).max())


def rows_with_any(cells: BoolArray) -> npt.NDArray[np.intp]:
    """Rows of which any cell is true, where few cells are."""
    return np.flatnonzero(np.bincount(np.flatnonzero(cells) // cells.shape[1]))


def largest_of_rows(numbers: Float64Array) -> Float64Array:
    """Found as quickly as their places, which takes numpy half as long as the maximum itself."""
    return np.asarray(numbers[np.arange(len(numbers)), numbers.argmax(axis=1)])


def row_costs(law: Normal, deviations: Float64Array, holes: BoolArray) -> Float64Array:
    """log|S_OO| + r_O' S_OO^-1 r_O of each row."""
    return PulledRows(law, deviations, holes).find_costs(np.arange(len(holes)), holes)


def measure_cells(law: Normal, deviations: Float64Array, holes: BoolArray) -> CellResiduals:
    """Leave one cell out at a time; what is in the holes is compared with what is expected."""
    held = PulledRows(law, deviations, holes)
    residuals = held.pulls / held.own
    variances = np.broadcast_to(1.0 / held.own, holes.shape).copy()
    costs = held.lengths + law.log_determinant
    for part in held.leave_out(np.arange(len(holes)), holes):
        costs[part.rows] = part.costs
        own = (1.0 / part.precisions)[part.member]
        left = part.pulls * own
        np.put_along_axis(left, part.columns, part.residuals, axis=1)
        np.put_along_axis(own, part.columns, part.variances, axis=1)
        residuals[part.rows], variances[part.rows] = left, own
    return CellResiduals(residuals, np.maximum(variances, np.finfo(float).tiny), costs)
