"""Rows multiplied by a precision matrix once, from which any cells may then be left out.

With r = deviations, 0 in the cells hidden at first, g = P r and holes M that hold all of these:

    t = P_MM^-1 g_M                          r_M - t is what the other cells of the row expect
    cost = r'g - g_M't + log|P_MM| - log|P|
    N = g - P_.M t,   D_j = P_jj - P_jM P_MM^-1 P_Mj        of a cell j that is not in M:

its distance from what the other kept cells expect is N_j / D_j, and the variance of that 1 / D_j.
Cells that are far out are hidden at first, so that no digits are lost to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.missing.law import Conditional
from eigenlens.missing.normal import Normal
from eigenlens.missing.patterns import PatternGroup, group_by_pattern
from eigenlens.robust.scratch import Scratch

__all__ = ["LeftOut", "PulledRows"]

LONG = 1e8  # r'g of rows with cells so far out that their products lose digits

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LeftOut:
    """Rows with as many holes each: N, what is in the holes, and D of each pattern of holes."""

    rows: IntArray
    columns: IntArray  # (r, m), the holes
    member: IntArray  # the pattern of each row
    costs: Float64Array  # (r,)
    pulls: Float64Array  # (r, d), N
    precisions: Float64Array  # (p, d), D
    residuals: Float64Array  # (r, m), of the holes
    variances: Float64Array  # (r, m)


class PulledRows:
    """`deviations` (b, d) of rows from the mean of `law`; `hidden`: cells that count as 0."""

    def __init__(
        self,
        law: Normal,
        deviations: Float64Array,
        hidden: BoolArray,
        scratch: Scratch | None = None,
    ) -> None:
        scratch = scratch or Scratch()
        self.law, self.deviations, self.hidden = law, deviations, hidden
        self.own = np.diag(law.precision)
        self.base = scratch.array("base", deviations.shape)
        np.copyto(self.base, deviations)
        np.put(self.base, np.flatnonzero(hidden), 0.0)
        self.pulls = scratch.array("pulls", deviations.shape)
        np.matmul(self.base, law.precision, out=self.pulls)
        self.lengths = np.einsum("ij,ij->i", self.base, self.pulls)

    def follow(self, rows: npt.NDArray[np.intp], holes: BoolArray) -> None:
        """Hide other cells of rows where hidden ones are no holes, or holes hold far cells."""
        hidden = self.hidden[rows]
        stale = np.zeros(len(rows), dtype=bool)
        stale[np.flatnonzero(hidden & ~holes) // holes.shape[1]] = True
        long = np.flatnonzero(self.lengths[rows] > LONG)
        stale[long] |= (hidden[long] != holes[long]).any(axis=1)
        if stale.any():
            some, gone = rows[stale], holes[stale]
            self.hidden[some] = gone
            self.base[some] = base = np.where(gone, 0.0, self.deviations[some])
            self.pulls[some] = pulls = base @ self.law.precision
            self.lengths[some] = np.einsum("ij,ij->i", base, pulls)

    def find_costs(self, rows: npt.NDArray[np.intp], holes: BoolArray) -> Float64Array:
        """log|S_OO| + r_O' S_OO^-1 r_O of these rows."""
        self.follow(rows, holes)
        costs = self.lengths[rows] + self.law.log_determinant
        for group in group_by_pattern(holes):
            part = self.condition(group, rows)
            costs[group.rows] = part.distance + part.log_determinant[part.member]
        return np.asarray(costs)

    def condition(self, group: PatternGroup, rows: npt.NDArray[np.intp]) -> Conditional:
        """By the smaller matrix; what is expected in the holes is relative to r if by precision."""
        here = replace(group, rows=rows[group.rows])
        if group.is_small:
            return self.law.by_precision(here, self.pulls, self.lengths)
        return self.law.by_covariance(here, self.base)

    def leave_out(self, rows: npt.NDArray[np.intp], holes: BoolArray) -> Iterator[LeftOut]:
        """Of these rows, those that have holes; `rows` of the parts count from the first of them.

        What is hidden has followed the holes.
        """
        precision = self.law.precision
        for group in group_by_pattern(holes):
            part = self.condition(group, rows)
            columns, places = part.columns, part.rows[:, None]
            before = self.base[places, columns]
            apart = -part.expected if group.is_small else before - part.expected
            left = self.own - explain_precision(precision, group.columns, part.covariance)
            pulls = self.pulls[part.rows]
            if columns.shape[1] == 1:
                moved = precision[columns[:, 0]]
                moved *= apart
                pulls -= moved
            else:
                moved = np.zeros((len(part.rows), len(precision)))
                np.put_along_axis(moved, columns, apart, axis=1)
                pulls -= moved @ precision
            yield LeftOut(
                group.rows,
                columns,
                part.member,
                part.distance + part.log_determinant[part.member],
                pulls,
                np.maximum(left, np.finfo(float).tiny),
                self.deviations[places, columns] - before + apart,
                part.variances,
            )


def explain_precision(
    precision: Float64Array, columns: IntArray, covariance: Float64Array
) -> Float64Array:
    """(p, d): diag(P_.M P_MM^-1 P_M.) of every pattern of holes M."""
    across = precision[columns]  # (p, m, d)
    if across.shape[1] == 1:
        explained: Float64Array = np.square(across[:, 0]) * covariance[:, 0]
    else:
        explained = np.einsum("pmd,pmd->pd", covariance @ across, across)
    return explained
