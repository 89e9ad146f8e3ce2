"""How much rows resemble those that lack a cell: weights for hidden cells.

Cells are hidden at random, but they may be missing where other columns are high, and predictions
can be worse there. With x the completed row without column j, m1 and m0 the means of rows that lack
j and of rows that have it, and S their common covariance, the odds of lacking it are

    w = exp( (m1 - m0)' S^-1 (x - (m1 + m0) / 2) )

as in a linear discriminant. A hidden cell of column j counts as much, so that errors are calibrated
on rows like those that will be filled. Where Hotelling's test at 1 % does not tell the two kinds of
rows apart, all cells count alike.

Source   Tibshirani, Foygel Barber, Candes and Ramdas 2019 (weighted conformal prediction).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array

__all__ = ["resemblance_of_rows"]

FEWEST = 10  # rows of either kind
WIDEST = 200  # columns: a system of equations for each
LARGEST_ODDS = 20.0
TEST_LEVEL = 0.01

BoolArray = npt.NDArray[np.bool_]


def resemblance_of_rows(completed: Float64Array, holes: BoolArray) -> Float64Array:
    """(n, d): weights of the rows for every column, 1 on average among the rows that have it."""
    count, width = completed.shape
    weights = np.ones(completed.shape)
    if not 1 < width <= WIDEST:
        return weights
    rows = completed - completed.mean(axis=0)
    scatter = rows.T @ rows
    sums = holes.T.astype(np.float64) @ rows  # of the rows that lack each column
    for column in np.flatnonzero(holes.any(axis=0)):
        lacking = holes[:, column]
        some = int(lacking.sum())
        if min(some, count - some) < FEWEST:
            continue
        others = np.flatnonzero(np.arange(width) != column)
        apart = sums[column, others] * (1 / some + 1 / (count - some))  # m1 - m0: sums of all are 0
        within = scatter[np.ix_(others, others)] - some * (count - some) / count * np.outer(
            apart, apart
        )
        slope = discriminant(within, apart, some, count)
        if slope is not None:
            middle = sums[column, others] * (1 / some - 1 / (count - some)) / 2
            odds = odds_of_lacking(rows[:, others] @ slope - middle @ slope)
            weights[:, column] = odds / odds[~lacking].mean()
    return weights


def discriminant(
    within: Float64Array, apart: Float64Array, some: int, count: int
) -> Float64Array | None:
    """S^-1 (m1 - m0); None where rows that lack the cell are not told from the others."""
    from scipy.special import fdtrc

    width = len(apart)
    freedom = count - width - 1
    if freedom < 1:
        return None
    covariance = within / (count - 2)
    covariance[np.diag_indices(width)] += 1e-6 * np.trace(covariance) / width + 1e-300
    slope = np.linalg.solve(covariance, apart).astype(np.float64, copy=False)
    distance = some * (count - some) / count * float(slope @ apart)
    statistic = distance * freedom / (width * (count - 2))
    return slope if fdtrc(width, freedom, max(statistic, 0.0)) < TEST_LEVEL else None


def odds_of_lacking(exponents: Float64Array) -> Float64Array:
    limit = np.log(LARGEST_ODDS)
    found: Float64Array = np.exp(np.clip(exponents, -limit, limit))
    return found
