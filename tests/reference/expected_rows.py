"""Rows whose second moments are the expected covariance matrix, in extended precision.

    C* = A'A / divisor,   A = completed rows, and below them a root of every row's uncertainty

The law of the rows is taken as it is stored; what it says about the holes is computed here, row by
row, as the textbook writes it.
"""

import numpy as np

from tests.reference.exact import weight_vector

__all__ = ["expected_rows"]


def expected_rows(problem, model):
    """A (longdouble): the completed rows and the roots, centered, scaled and weighted."""
    completer = model.missing.completer
    center, spread = extended(completer.center), extended(completer.spread)
    units = (extended(problem.rows) - center) / spread - extended(completer.law.mean)
    covariance = law_covariance(completer.law)
    weights = weight_vector(len(units), problem.weights)
    seen = ~np.isnan(units).all(axis=1)
    parts = [complete_row(row, covariance) for row in units[seen]]
    weights = weights[seen]
    filled = np.array([part[0] for part in parts])
    roots = [np.sqrt(w) * part[1] for w, part in zip(weights, parts, strict=True)]
    mean = weights @ filled / weights.sum()
    apart = filled - mean
    apart = (apart - weights @ apart / weights.sum()) * np.sqrt(weights)[:, None]
    spreads = np.vstack([np.zeros((1, units.shape[1]), np.longdouble), *roots])
    deviations = np.vstack([apart, spreads]) * spread
    scale = scale_of(problem, deviations, weights)
    if not problem.center:
        values = (filled + extended(completer.law.mean)) * spread + center
        deviations = np.vstack([values * np.sqrt(weights)[:, None], spreads * spread])
    return deviations / scale


def scale_of(problem, deviations, weights):
    if isinstance(problem.scale, str):
        return np.sqrt((deviations * deviations).sum(0) / (weights.sum() - 1))
    return np.longdouble(1) if problem.scale is None else extended(problem.scale)


def complete_row(row, covariance):
    """The row with its holes at what is expected, and a root of what stays uncertain."""
    holes = np.isnan(row)
    if not holes.any():
        return row, np.zeros((0, len(row)), np.longdouble)
    seen, filled = ~holes, row.copy()
    among = cholesky(covariance[np.ix_(seen, seen)])
    across = solve_lower(among, covariance[np.ix_(seen, holes)])
    filled[holes] = across.T @ solve_lower(among, row[seen])
    left = covariance[np.ix_(holes, holes)] - across.T @ across
    root = np.zeros((int(holes.sum()), len(row)), np.longdouble)
    root[:, holes] = cholesky(left).T
    return filled, root


def law_covariance(law):
    if hasattr(law, "covariance"):
        return extended(law.covariance)
    loadings = extended(law.loadings)
    return loadings @ loadings.T + np.longdouble(law.noise) * np.eye(len(loadings))


def extended(numbers):
    return np.asarray(numbers).astype(np.longdouble)


def cholesky(matrix):
    size = len(matrix)
    root = np.zeros((size, size), np.longdouble)
    for j in range(size):
        root[j, j] = np.sqrt(matrix[j, j] - root[j, :j] @ root[j, :j])
        root[j + 1 :, j] = (matrix[j + 1 :, j] - root[j + 1 :, :j] @ root[j, :j]) / root[j, j]
    return root


def solve_lower(root, right):
    solved = np.array(right, np.longdouble)
    for j in range(len(root)):
        solved[j] = (solved[j] - root[j, :j] @ solved[:j]) / root[j, j]
    return solved
