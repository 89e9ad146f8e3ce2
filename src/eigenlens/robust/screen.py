"""Outlying cells of a row, given a law of the rows: those that cost more kept than left out.

    cost of a row = log|S_OO| + r_O' S_OO^-1 r_O + sum of penalties of the cells left out

With every other cell as it is, keeping cell j adds r^2 / v + log v, where r is its distance from
what the kept cells expect of it and v the variance of that; leaving it out adds its penalty

    q_j = chi-square 0.99 quantile + log v_j,       v_j = its variance given all other cells

All cells that would gain change sides together where that lowers the cost of their row, else the
one with the largest gain does: the cost never rises, and ends where no single cell can lower it.
What a cell is compared with is in `pulled_rows.py`.

Source   Raymaekers and Rousseeuw 2023, The cellwise MCD estimator (the objective).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.law import Law
from eigenlens.missing.normal import Normal
from eigenlens.robust.pulled_rows import PulledRows

__all__ = ["CellResiduals", "CellScreen", "measure_cells"]

CHI_99 = 6.6348966010212145  # chi-square with one degree of freedom
WILD = 4.0  # spreads: such cells are left out to begin with
MOST_SWEEPS = 12

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class CellResiduals:
    """Of every cell: its distance from what the kept other cells of its row expect, and variance.

    `costs` (b,) are those of the rows, without penalties.
    """

    residuals: Float64Array
    variances: Float64Array
    costs: Float64Array


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
        return self.find(law, deviations, absent)[0]

    def find(
        self,
        law: Normal,
        deviations: Float64Array,
        absent: BoolArray,
        first: BoolArray | None = None,
        room: npt.NDArray[np.intp] | None = None,
    ) -> tuple[BoolArray, Float64Array]:
        """Outlying cells, and the costs of the rows with them left out.

        `absent` cells are missing, and not outlying; `first`: where to begin; `room` (d,): how many
        more cells of each column may be left out, which is counted down.
        """
        flags = self.begin(deviations, absent) if first is None else first.copy()
        held = PulledRows(law, deviations, flags | absent)
        costs = held.lengths + law.log_determinant
        rows = self.rows_to_look_at(held)
        for sweep in range(MOST_SWEEPS if rows.size else 0):
            gone, before = absent[rows], flags[rows]
            gains, own = self.weigh(held, rows, before, gone)
            costs[rows] = own + self.add_penalties(before)
            if room is not None:
                hold_back(gains, before, room)
            gaining = gains > 0
            moving = rows_with_any(gaining)
            if not moving.size or sweep == MOST_SWEEPS - 1:
                break
            rows, gone, before = rows[moving], gone[moving], before[moving]
            after = self.choose_moves(
                held, rows, before, gone, gains[moving], gaining[moving], costs[rows]
            )
            flags[rows] = after
            if room is not None:
                room -= after.sum(axis=0) - before.sum(axis=0)
        return flags, costs

    def rows_to_look_at(self, held: PulledRows) -> npt.NDArray[np.intp]:
        """Rows with holes or an outlying cell; most rows have neither.

        Without holes variances are the same in every row, so cells are compared with one bound.
        """
        most = np.maximum(self.penalties + np.log(held.own), 0.0)  # of r^2 / v
        outlying = np.abs(held.pulls) > np.sqrt(most * held.own)
        outlying |= held.hidden
        return rows_with_any(outlying)

    def weigh(
        self,
        held: PulledRows,
        rows: npt.NDArray[np.intp],
        flags: BoolArray,
        gone: BoolArray,
    ) -> tuple[Float64Array, Float64Array]:
        """By how much the cost of a row falls if this cell alone changes sides; the costs now."""
        holes = flags | gone
        held.follow(rows, holes)
        gains = np.square(held.pulls[rows])
        gains /= held.own
        gains -= self.penalties + np.log(held.own)
        costs = held.lengths[rows] + held.law.log_determinant
        for part in held.leave_out(rows, holes):
            costs[part.rows] = part.costs
            own = np.square(part.pulls)
            own *= (1.0 / part.precisions)[part.member]
            own -= (self.penalties + np.log(part.precisions))[part.member]
            kept = np.square(part.residuals) / part.variances + np.log(part.variances)
            np.put_along_axis(own, part.columns, self.penalties[part.columns] - kept, axis=1)
            gains[part.rows] = own
        gains[gone] = -np.inf
        return gains, costs

    def begin(self, deviations: Float64Array, absent: BoolArray) -> BoolArray:
        usable = np.isfinite(self.penalties)
        flags: BoolArray = (np.abs(deviations) > WILD) & ~absent & usable
        return flags

    def add_penalties(self, flags: BoolArray) -> Float64Array:
        finite = np.where(np.isfinite(self.penalties), self.penalties, 0.0)
        sums: Float64Array = flags.astype(np.float64) @ finite
        return sums

    def choose_moves(
        self,
        held: PulledRows,
        rows: npt.NDArray[np.intp],
        before: BoolArray,
        gone: BoolArray,
        gains: Float64Array,
        gaining: BoolArray,
        costs: Float64Array,
    ) -> BoolArray:
        """Flags of these rows once all cells that gain have changed sides, or the best one."""
        after = before ^ gaining
        several = np.flatnonzero(gaining.sum(axis=1) > 1)
        if several.size:
            together = after[several]
            found = held.find_costs(rows[several], together | gone[several])
            worse = several[found + self.add_penalties(together) >= costs[several]]
            after[worse] = before[worse]
            after[worse, gains[worse].argmax(axis=1)] ^= True
        return after


def hold_back(gains: Float64Array, flags: BoolArray, room: npt.NDArray[np.intp]) -> None:
    """No more cells of a column are left out than there is room for: those that gain most."""
    asking = (gains > 0) & ~flags
    for column in np.flatnonzero(asking.sum(axis=0) > room).tolist():
        rows = np.flatnonzero(asking[:, column])
        order = np.argsort(-gains[rows, column], kind="stable")
        gains[rows[order[max(int(room[column]), 0) :]], column] = -np.inf


def rows_with_any(cells: BoolArray) -> npt.NDArray[np.intp]:
    """Rows of which any cell is true, where few cells are."""
    return np.unique(np.flatnonzero(cells) // cells.shape[1])


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
