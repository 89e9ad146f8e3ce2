"""How much each of some candidates counts, by the hidden cells it predicted.

    log weight  =  TEMPER * sum log p(r)         r / (c s) ~ Student with 4 degrees of freedom

r is the error of a hidden cell, s the standard error the candidate gives it, and c the factor that
fits the candidate's errors best. Small tables have few cells to hide: there several candidates do
about as well, and the best of them is so by chance. What is pooled over all of them is steadier.
The tails keep one outlying cell from deciding. TEMPER is below 1 because cells of a row, and rounds
that share most of their cells, do not say independent things.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array

__all__ = ["weigh_predictions"]

TEMPER = 0.3
FREEDOM = 4.0
SCALE_STEPS = 20

Prediction = tuple[Float64Array, Float64Array]


def weigh_predictions(predictions: Sequence[Prediction]) -> Float64Array:
    """Weights that sum to 1, from the errors and standard errors of the same hidden cells."""
    scores = TEMPER * np.array([log_density(errors, sizes) for errors, sizes in predictions])
    weights = np.exp(scores - scores.max())
    found: Float64Array = weights / weights.sum()
    return found


def log_density(errors: Float64Array, sizes: Float64Array) -> float:
    """Without constants, the standard errors calibrated as a whole."""
    ratios = errors / sizes
    scale = student_scale(ratios)
    tails = np.log1p(np.square(ratios / scale) / FREEDOM)
    return float(-np.sum(np.log(sizes * scale) + (FREEDOM + 1) / 2 * tails))


def student_scale(ratios: Float64Array) -> float:
    """The likeliest scale, by EM; more than nothing where all predictions are exact."""
    scale = 1.0
    for _ in range(SCALE_STEPS):
        squares = np.square(ratios)
        heavy = (FREEDOM + 1) / (FREEDOM + squares / scale**2)
        scale = max(float(np.sqrt((heavy * squares).mean())), EPS)
    return scale
