"""Dimension at one scale, from the distances of two neighbors; and the classical yardstick.

    mu = r[2k] / r[k]      has the density  d (mu^d - 1)^(k-1) / (B(k, k) mu^((2k-1) d + 1))
    d  solves              N + (k-1) sum h(d log mu) = (2k-1) d sum log mu,   h(x) = x / (1 - e^-x)
    I  = (N + (k-1) sum x^2 e^-x / (1 - e^-x)^2) / d^2,  x = d log mu:  the Fisher information

k = 1 is TwoNN. Only the density within the 2k nearest neighbors has to be even, so small k sees
noise and large k sees curvature.

Cost     a dozen evaluations over the anchors.
Source   Denti, Doimo, Laio, Mira 2022 (Gride); Facco et al. 2017 (TwoNN); Levina and Bickel 2004,
         with the averaging of MacKay and Ghahramani.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["GrideEstimate", "gride", "levina_bickel"]

LEAST_STEP = 1e-10
MOST_STEPS = 60


@dataclass(frozen=True)
class GrideEstimate:
    value: float
    error: float  # as if all ratios were independent


def gride(log_ratios: Float64Array, rank: int) -> GrideEstimate:
    """The most likely dimension given log(r[2 rank] / r[rank]) of some anchors."""
    count, total = len(log_ratios), float(log_ratios.sum())
    if count == 0 or not total > 0:
        return GrideEstimate(np.inf, np.inf)
    # 1 + x/2 <= h(x) <= 1 + x for x >= 0 gives both ends.
    high = count / total
    low = high * rank / (1.5 * rank - 0.5)
    value = solve_score(log_ratios, rank, low, high)
    x = value * log_ratios
    information = (count + (rank - 1) * float(score_curvature(x).sum())) / value**2
    return GrideEstimate(value, information**-0.5)


def solve_score(log_ratios: Float64Array, rank: int, low: float, high: float) -> float:
    """Newton's steps on the score, which falls with the dimension, kept inside the bracket."""
    count, total = len(log_ratios), float(log_ratios.sum())
    value = high if rank == 1 else 0.5 * (low + high)
    for _ in range(MOST_STEPS if rank > 1 else 0):
        x = value * log_ratios
        score = (
            count + (rank - 1) * float(bernoulli_ratio(x).sum()) - (2 * rank - 1) * value * total
        )
        low, high = (value, high) if score > 0 else (low, value)
        # score = value * s(value) with s the derivative of the log likelihood and s' = -I.
        information = count + (rank - 1) * float(score_curvature(x).sum())
        step = value * score / information
        moved = value + step
        value = moved if low < moved < high else 0.5 * (low + high)
        if abs(step) <= LEAST_STEP * value:
            break
    return value


def bernoulli_ratio(x: Float64Array) -> Float64Array:
    """x / (1 - e^-x), 1 at 0."""
    tiny = x < 1e-8
    safe = np.where(tiny, 1.0, x)
    found: Float64Array = np.where(tiny, 1.0 + 0.5 * x, safe / -np.expm1(-safe))
    return found


def score_curvature(x: Float64Array) -> Float64Array:
    """x^2 e^-x / (1 - e^-x)^2 = (x/2)^2 / sinh(x/2)^2, 1 at 0."""
    half = 0.5 * np.clip(x, 1e-8, 700.0)
    found: Float64Array = np.square(half / np.sinh(half))
    return found


def levina_bickel(distances: Float64Array, count: int) -> GrideEstimate:
    """Maximum likelihood from the `count` nearest neighbors, local inverses averaged.

    1 / d = mean over anchors of  sum_{j < K} log(r[K] / r[j]) / (K - 1)

    K - 1 makes the inverse unbiased, and inverses are averaged. K - 2 belongs to averaging the
    dimensions themselves; here it would make K = 4 read a third too low.
    """
    near = distances[:, :count]
    sums = np.log(near[:, -1:] / near[:, :-1]).mean(axis=1)
    mean = float(sums.mean())
    if not mean > 0:
        return GrideEstimate(np.inf, np.inf)
    return GrideEstimate(1 / mean, float(sums.std(ddof=1)) / len(sums) ** 0.5 / mean**2)
