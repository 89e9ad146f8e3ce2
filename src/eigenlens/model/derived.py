"""Derived quantities: each formula once.

    explained ratio    t_i / tr C
    noise variance     (tr C - sum t_i) / (dimensions - k)     maximum likelihood if dimensions = d
    covariance         V diag(t - s2) V' + s2 I                the probabilistic model's
    precision          V diag(1/t) V' + (I - V V') / s2        its inverse
    log likelihood     of a Gaussian with that covariance      (Tipping and Bishop)

With y = V'x and r = x - V y, for s2 the noise variance,

    log p(x) = -1/2 [ d log 2 pi + sum log t_i + (d-k) log s2 + sum y_i^2 / t_i + |r|^2 / s2 ].
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = [
    "floor_variances",
    "log_likelihood",
    "mean_noise_variance",
    "model_covariance",
    "model_precision",
]

VARIANCE_FLOOR = float(np.finfo(np.float64).eps)


def mean_noise_variance(total: float, captured: float, dimensions: int, rank: int) -> float:
    """The average variance of the directions left out; 0 when none is."""
    if dimensions <= rank:
        return 0.0
    return max(total - captured, 0.0) / (dimensions - rank)


def model_covariance(
    components: Float64Array, eigenvalues: Float64Array, noise: float
) -> Float64Array:
    """(d, d), from components (k, d)."""
    result: Float64Array = (components.T * (eigenvalues - noise)) @ components
    result[np.diag_indices(len(result))] += noise
    return result


def model_precision(
    components: Float64Array, eigenvalues: Float64Array, noise: float
) -> Float64Array:
    """(d, d), without inverting anything; variances have the floor of `log_likelihood`."""
    along, across = floor_variances(eigenvalues, noise)
    rank, dimensions = components.shape
    if rank == dimensions:
        return np.asarray((components.T / along) @ components)
    outside = np.eye(dimensions) - components.T @ components
    return np.asarray(outside / across + (components.T / along) @ components)


def floor_variances(eigenvalues: Float64Array, noise: float) -> tuple[Float64Array, float]:
    """Variances as at least eps times the largest: a degenerate Gaussian has no density."""
    floor = VARIANCE_FLOOR * max(
        float(eigenvalues.max(initial=0.0)), noise, np.finfo(np.float64).tiny
    )
    return np.maximum(eigenvalues, floor), max(noise, floor)


def log_likelihood(
    squared_scores: Float64Array,
    squared_residuals: Float64Array,
    eigenvalues: Float64Array,
    noise: float,
    dimensions: int,
) -> Float64Array:
    """Per row, from squared scores (n, k) and squared distances to the subspace (n,)."""
    rank = len(eigenvalues)
    along, across = floor_variances(eigenvalues, noise)
    constant = dimensions * np.log(2 * np.pi) + np.log(along).sum()
    distance = squared_scores @ (1 / along)
    if dimensions > rank:
        constant += (dimensions - rank) * np.log(across)
        distance = distance + squared_residuals / across
    result: Float64Array = -0.5 * (constant + distance)
    return result
