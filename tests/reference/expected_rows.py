"""Rows whose second moments are the expected covariance matrix, in extended precision.

    C* = A'A / divisor,   A = completed rows, and below them a root of every row's uncertainty

The law of the rows is taken as it is stored; what it says about the holes is computed here, row by
row, as the textbook writes it.
"""

import numpy as np

from tests.reference.exact import weight_vector

__all__ = ["expected_memberships", "expected_rows"]


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


def expected_memberships(problem, model):
    """The same for an indicator table, whose law is one of contrasts (src: missing/contrasts.py).

    An observed category has its indicators as they are; a missing one the shares and what the law
    expects beside them. Another orthonormal basis than the one that was used would be another law,
    so it is built by the same reflection.
    """
    completer = model.missing.completer
    contrasts, inner = completer.law.contrasts, completer.law.inner
    shares, numbers = extended(contrasts.shares), contrasts.numbers
    back, forth = basis_of_contrasts(contrasts, shares)
    spread = np.concatenate([extended(completer.spread)[:numbers], np.ones_like(shares)])
    units = (problem.features - extended(completer.center)) / spread
    turned = turn(units, forth) - extended(inner.mean)
    weights = weight_vector(len(units), problem.weights)
    filled, spreads = [], [np.zeros((1, back.shape[0]), np.longdouble)]
    for row, told, weight in zip(units, turned, weights, strict=True):
        expected, root = complete_row(told, law_covariance(inner))
        levels = back @ (expected + extended(inner.mean))
        filled.append(np.where(np.isnan(row), levels, row))
        spreads.append(np.sqrt(weight) * root @ back.T)
    filled, total = np.array(filled), weights.sum()
    mean = weights @ filled / total
    apart = filled - mean
    apart = (apart - weights @ apart / total) * np.sqrt(weights)[:, None]
    deviations = np.vstack([apart, *spreads])
    squares = (deviations * deviations).sum(0) / total
    expected_shares = (mean[numbers:] + shares) * problem.divided_by
    squares[numbers:] = expected_shares
    return deviations / np.sqrt(squares)


def turn(units, forth):
    """Units of indicators as contrasts, NaN where any of a column is."""
    holes = np.isnan(units)
    turned = np.where(holes, 0, units) @ forth.T
    turned[(holes.astype(float) @ (forth.T != 0)) > 0] = np.nan
    return turned


def basis_of_contrasts(contrasts, shares):
    """P^1/2 H of all columns, and H' P^-1/2."""
    numbers, starts = contrasts.numbers, contrasts.starts
    back = np.zeros((contrasts.encoding.width, contrasts.width), np.longdouble)
    forth = np.zeros_like(back.T)
    back[:numbers, :numbers] = forth[:numbers, :numbers] = np.eye(numbers)
    first = 0
    for place, count in enumerate(contrasts.encoding.levels_of):
        p = shares[first : first + count]
        first += count
        root = np.sqrt(p / p.sum())
        mirror, largest = root.copy(), int(np.argmax(root))
        mirror[largest] += 1
        whole = np.eye(count) - 2 * np.outer(mirror, mirror) / (mirror @ mirror)
        basis = np.delete(whole, largest, axis=1)
        rows = contrasts.encoding.span_of(place)
        columns = slice(int(starts[place]), int(starts[place + 1]))
        back[rows, columns] = root[:, None] * basis
        forth[columns, rows] = (basis / root[:, None]).T
    return back, forth


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
