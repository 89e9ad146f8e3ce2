"""Derived quantities: each formula once.

    explained ratio    t_i / tr C
    noise variance     (tr C - sum t_i) / (dimensions - k)      maximum likelihood when dimensions = d
    log likelihood     of the Gaussian with covariance V diag(t - s2) V' + s2 I   (Tipping and Bishop)

With y = V'x and r = x - V y, for s2 the noise variance,

    log p(x) = -1/2 [ d log 2 pi + sum log t_i + (d-k) log s2 + sum y_i^2 / t_i + |r|^2 / s2 ].
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["degrees_of_freedom", "log_likelihood", "noise_variance"]

FLOOR = float(np.finfo(np.float64).eps)


def noise_variance(total: float, captured: float, dimensions: int, rank: int) -> float:
    """The average variance of the directions left out; 0 when none is."""
    if dimensions <= rank:
        return 0.0
    return max(total - captured, 0.0) / (dimensions - rank)


def degrees_of_freedom(dimensions: int, rank: int) -> int:
    """Free parameters of the probabilistic model: mean, noise, and a covariance of rank k."""
    return dimensions + 1 + dimensions * rank - rank * (rank - 1) // 2


def log_likelihood(
    squared_scores: Float64Array,
    squared_residuals: Float64Array,
    eigenvalues: Float64Array,
    noise: float,
    dimensions: int,
) -> Float64Array:
    """Per row, from squared scores (n, k) and squared distances to the subspace (n,).

    Variances are taken as at least eps times the largest: a degenerate Gaussian has no density.
    """
    rank = len(eigenvalues)
    floor = FLOOR * max(float(eigenvalues.max(initial=0.0)), noise, np.finfo(np.float64).tiny)
    along = np.maximum(eigenvalues, floor)
    across = max(noise, floor)
    constant = dimensions * np.log(2 * np.pi) + np.log(along).sum()
    distance = squared_scores @ (1 / along)
    if dimensions > rank:
        constant += (dimensions - rank) * np.log(across)
        distance = distance + squared_residuals / across
    result: Float64Array = -0.5 * (constant + distance)
    return result
