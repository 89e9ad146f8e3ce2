"""Drops: how far a spectrum falls from one eigenvalue to the next, beyond what noise would.

    drop(k) = ln t_k - ln t_{k+1} - expected(m, f)        k = 1 ... r - 1

expected(m, f) is the drop between the two largest eigenvalues of white noise in the m = r - k + 1
directions from k on and f = n - 1 - k degrees of freedom: with their means -1.21 and -3.26 in units
of the Tracy-Widom law, and its center and unit. Within a quarter of simulated means for
2 to 15 directions and 20 to 1000 rows (`tests/rank/test_small_table.py`).

A drop is clear if it is four times as large as any that follows, and as its standard error
2 / sqrt(n), that of the logarithm of a ratio of two eigenvalues of normal rows.

Source   Johnstone 2001 for center and unit; Bornemann 2010 for the means.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["drops_beyond_noise", "expected_noise_drop", "has_clear_drop", "is_clear_drop"]

CLEAR = 4.0
LARGEST_MEAN, SECOND_MEAN = -1.2065, -3.2624  # of the two largest, in Tracy-Widom units
STRUCTURE = 4.0  # times the next eigenvalue: less is no sign of structure inside an exact rank


def expected_noise_drop(directions: int, freedom: float) -> float:
    """Between the two largest eigenvalues of white noise."""
    one, two = np.sqrt(max(freedom, 1.0) - 0.5), np.sqrt(directions - 0.5)
    center = (one + two) ** 2
    unit = (one + two) * (1 / one + 1 / two) ** (1 / 3)
    # Of very few rows the law of the edge would put the second value below zero.
    second = max(center + SECOND_MEAN * unit, center / 20)
    return float(np.log((center + LARGEST_MEAN * unit) / second))


def drops_beyond_noise(values: Float64Array, freedom: float) -> Float64Array:
    """For k = 1 ... r - 1, at the indices from 0; all values above 0."""
    size = len(values)
    noise = [expected_noise_drop(size - k + 1, freedom - k) for k in range(1, size)]
    drops: Float64Array = -np.diff(np.log(values)) - np.array(noise)
    return drops


def is_clear_drop(drops: Float64Array, k: int, freedom: float) -> bool:
    """Whether what follows the drop after k is even beside it."""
    after = float(drops[k:].max(initial=0.0))
    return bool(drops[k - 1] >= CLEAR * max(after, 2 / np.sqrt(freedom)))


def has_clear_drop(values: Float64Array, freedom: float) -> bool:
    """Whether some leading values stand clear of the others, of which there are two or more.

    Values of a solver at work may be out of order, or 0.
    """
    values = np.sort(values[values > 0])[::-1]
    drops = drops_beyond_noise(values, freedom)
    return any(
        drops[k - 1] >= np.log(STRUCTURE) and is_clear_drop(drops, k, freedom)
        for k in range(1, len(values) - 1)
    )
