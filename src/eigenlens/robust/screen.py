"""Outlying cells of a row, given a law of the rows: those that cost more kept than left out.

    cost of a row = log|S_OO| + r_O' S_OO^-1 r_O + sum of penalties of the cells left out

With every other cell as it is, keeping cell j adds r^2 / v + log v, where r is its distance from
what the kept cells expect of it and v the variance of that; leaving it out adds its penalty

    q_j = chi-square 0.99 quantile + log v_j,       v_j = its variance given all other cells

All cells that would gain change sides together where that lowers the cost of their row, else the
one with the largest gain does: the cost never rises, and ends where no single cell can lower it.
Kept cells: r = N_j / D_j and v = 1 / D_j, with N = P (completed row) and, for holes M,
D_j = P_jj - P_jM P_MM^-1 P_Mj.

Source   Raymaekers and Rousseeuw 2023, The cellwise MCD estimator (the objective).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.law import Conditional, Law
from eigenlens.missing.normal import Normal

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
        costs, settled = self.screen_complete(law, deviations, flags | absent)
        rows = np.flatnonzero(~settled)
        for sweep in range(MOST_SWEEPS if rows.size else 0):
            some, gone = deviations[rows], absent[rows]
            seen = measure_cells(law, some, flags[rows] | gone)
            paid = self.add_penalties(flags[rows])
            costs[rows] = seen.costs + paid
            gains = self.find_gains(seen, flags[rows], gone)
            if room is not None:
                hold_back(gains, flags[rows], room)
            moving = np.flatnonzero((gains > 0).any(axis=1))
            if not moving.size or sweep == MOST_SWEEPS - 1:
                break
            rows, gains = rows[moving], gains[moving]
            self.move(law, deviations, absent, flags, costs, rows, gains, room)
        return flags, costs

    def screen_complete(
        self, law: Normal, deviations: Float64Array, holes: BoolArray
    ) -> tuple[Float64Array, BoolArray]:
        """Costs of the rows without holes, and which of them have no outlying cell: most rows.

        Without holes variances are the same in every row, so cells are compared with one bound.
        """
        own = np.diag(law.precision)
        most = np.maximum(self.penalties + np.log(own), 0.0)  # of r^2 / v
        weighted = deviations @ law.precision
        outlying = (np.abs(weighted) > np.sqrt(most * own)).any(axis=1)
        costs = np.einsum("ij,ij->i", weighted, deviations) + law.log_determinant
        settled: BoolArray = np.logical_not(outlying | holes.any(axis=1))
        return costs, settled

    def begin(self, deviations: Float64Array, absent: BoolArray) -> BoolArray:
        usable = np.isfinite(self.penalties)
        flags: BoolArray = (np.abs(deviations) > WILD) & ~absent & usable
        return flags

    def add_penalties(self, flags: BoolArray) -> Float64Array:
        finite = np.where(np.isfinite(self.penalties), self.penalties, 0.0)
        sums: Float64Array = flags.astype(np.float64) @ finite
        return sums

    def find_gains(self, seen: CellResiduals, flags: BoolArray, gone: BoolArray) -> Float64Array:
        """By how much the cost of a row falls if this cell alone changes sides."""
        kept = np.square(seen.residuals) / seen.variances + np.log(seen.variances)
        gains = np.where(flags, self.penalties - kept, kept - self.penalties)
        gains[gone] = -np.inf
        return gains

    def move(
        self,
        law: Normal,
        deviations: Float64Array,
        absent: BoolArray,
        flags: BoolArray,
        costs: Float64Array,
        rows: npt.NDArray[np.intp],
        gains: Float64Array,
        room: npt.NDArray[np.intp] | None,
    ) -> None:
        """Change sides in these rows: all cells that gain, or the best one."""
        before = flags[rows]
        together = before ^ (gains > 0)
        several = (gains > 0).sum(axis=1) > 1
        found = together.copy()
        if several.any():
            chosen = rows[several]
            seen = row_costs(law, deviations[chosen], together[several] | absent[chosen])
            worse = seen + self.add_penalties(together[several]) >= costs[chosen]
            places = np.flatnonzero(several)[worse]
            single = before[places]
            best = gains[places].argmax(axis=1)
            single[np.arange(len(places)), best] ^= True
            found[places] = single
        flags[rows] = found
        if room is not None:
            room -= found.sum(axis=0) - before.sum(axis=0)


def hold_back(gains: Float64Array, flags: BoolArray, room: npt.NDArray[np.intp]) -> None:
    """No more cells of a column are left out than there is room for: those that gain most."""
    asking = (gains > 0) & ~flags
    for column in np.flatnonzero(asking.sum(axis=0) > room).tolist():
        rows = np.flatnonzero(asking[:, column])
        order = np.argsort(-gains[rows, column], kind="stable")
        gains[rows[order[max(int(room[column]), 0) :]], column] = -np.inf


def row_costs(law: Normal, deviations: Float64Array, holes: BoolArray) -> Float64Array:
    """log|S_OO| + r_O' S_OO^-1 r_O of each row."""
    kept = np.where(holes, 0.0, deviations)
    costs: Float64Array = np.einsum("ij,ij->i", kept @ law.precision, kept) + law.log_determinant
    for part in law.condition(kept, holes):
        costs[part.rows] = part.distance + part.log_determinant[part.member]
    return costs


def measure_cells(law: Normal, deviations: Float64Array, holes: BoolArray) -> CellResiduals:
    """Leave one cell out at a time; what is in the holes is compared with what is expected."""
    precision = law.precision
    own = np.diag(precision)
    filled = np.where(holes, 0.0, deviations)
    weighted = filled @ precision
    lengths = np.einsum("ij,ij->i", weighted, filled)
    costs = lengths + law.log_determinant
    inverse = np.broadcast_to(own, deviations.shape).copy()
    parts = list(law.condition_groups(filled, holes, weighted, lengths))
    for part in parts:
        costs[part.rows] = part.distance + part.log_determinant[part.member]
        filled[part.rows[:, None], part.columns] = part.expected
        inverse[part.rows] = own - explained_precision(precision, part)[part.member]
    variances = 1.0 / np.maximum(inverse, np.finfo(float).tiny)
    residuals = filled @ precision
    residuals *= variances
    for part in parts:
        places = part.rows[:, None], part.columns
        residuals[places] = deviations[places] - part.expected
        variances[places] = part.variances
    return CellResiduals(residuals, np.maximum(variances, np.finfo(float).tiny), costs)


def explained_precision(precision: Float64Array, part: Conditional) -> Float64Array:
    """(p, d): diag(P_.M P_MM^-1 P_M.) of every pattern of holes M."""
    columns = part.columns[np.unique(part.member, return_index=True)[1]]
    across = precision[columns]  # (p, m, d)
    if across.shape[1] == 1:
        explained: Float64Array = np.square(across[:, 0]) * part.covariance[:, 0]
    else:
        explained = np.einsum("pmd,pmd->pd", part.covariance @ across, across)
    return explained
