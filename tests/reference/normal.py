"""Conditional moments of a normal law, row by row, as the textbook writes them."""

import numpy as np

__all__ = ["condition_row", "expected_moments", "observed_deviance"]


def condition_row(row, mean, covariance):
    """Completed row and the covariance of its holes, embedded in a (d, d) matrix of zeros."""
    holes = np.isnan(row)
    seen = ~holes
    filled, spread = row.copy(), np.zeros_like(covariance)
    gain = covariance[np.ix_(holes, seen)] @ np.linalg.inv(covariance[np.ix_(seen, seen)])
    filled[holes] = mean[holes] + gain @ (row[seen] - mean[seen])
    left = covariance[np.ix_(holes, holes)] - gain @ covariance[np.ix_(seen, holes)]
    spread[np.ix_(holes, holes)] = left
    return filled, spread


def expected_moments(rows, mean, covariance, weights=None):
    """Mean and covariance matrix (divisor: sum of weights) of the rows as they are expected."""
    weights = np.ones(len(rows)) if weights is None else weights
    parts = [condition_row(row, mean, covariance) for row in rows]
    filled = np.array([part[0] for part in parts])
    spread = np.tensordot(weights, np.array([part[1] for part in parts]), axes=1)
    center = weights @ filled / weights.sum()
    apart = filled - center
    return center, (apart.T @ (apart * weights[:, None]) + spread) / weights.sum()


def observed_deviance(rows, mean, covariance):
    """Minus twice the log-likelihood of the observed cells, without the terms in 2 pi."""
    total = 0.0
    for row in rows:
        seen = ~np.isnan(row)
        part = covariance[np.ix_(seen, seen)]
        apart = row[seen] - mean[seen]
        total += np.linalg.slogdet(part)[1] + apart @ np.linalg.solve(part, apart)
    return total
