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
    weights = np.ones(completed.shape)
    if completed.shape[1] > WIDEST:
        return weights
    for column in np.flatnonzero(holes.any(axis=0)):
        others = np.delete(completed, column, axis=1)
        odds = odds_of_lacking(others, holes[:, column])
        if odds is not None:
            weights[:, column] = odds / odds[~holes[:, column]].mean()
    return weights


def odds_of_lacking(rows: Float64Array, lacking: BoolArray) -> Float64Array | None:
    """None where rows that lack the cell are not told from the others."""
    from scipy.special import fdtrc

    some, rest, width = int(lacking.sum()), int((~lacking).sum()), rows.shape[1]
    freedom = some + rest - width - 1
    if min(some, rest) < FEWEST or freedom < 1 or not width:
        return None
    one, other = rows[lacking].mean(axis=0), rows[~lacking].mean(axis=0)
    within = rows - np.where(lacking[:, None], one, other)
    covariance = within.T @ within / (len(rows) - 2)
    covariance[np.diag_indices(width)] += 1e-6 * np.trace(covariance) / width + 1e-300
    slope = np.linalg.solve(covariance, one - other)
    distance = some * rest / (some + rest) * float(slope @ (one - other))
    statistic = distance * freedom / (width * (some + rest - 2))
    if not fdtrc(width, freedom, max(statistic, 0.0)) < TEST_LEVEL:
        return None
    exponents = (rows - (one + other) / 2) @ slope
    limit = np.log(LARGEST_ODDS)
    found: Float64Array = np.exp(np.clip(exponents, -limit, limit))
    return found
