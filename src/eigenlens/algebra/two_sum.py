"""Sums of two floats without error: a + b = s + t, with s the rounded sum and t what it lacks.

Source   Knuth, The Art of Computer Programming, volume 2, section 4.2.2; Moller 1965.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["sum_with_tail", "two_sum"]


def two_sum(a: Float64Array, b: Float64Array) -> tuple[Float64Array, Float64Array]:
    """(s, t), entry by entry; t is 0 where the sum is exact, and where it is not finite."""
    total = a + b
    other = total - a
    lost = (a - (total - other)) + (b - other)
    return total, np.where(np.isfinite(lost), lost, 0.0)


def sum_with_tail(parts: Iterable[Float64Array]) -> tuple[Float64Array, Float64Array]:
    """The sum of several arrays as a rounded sum and a tail that is small beside it."""
    first, *others = parts
    total, tail = first, np.zeros_like(first)
    for part in others:
        total, lost = two_sum(total, part)
        tail = tail + lost
    return two_sum(total, tail)
