"""The matrix [[H, F'], [F, mu I]], which is larger than C, and its eigenvalues as bounds."""

from __future__ import annotations

import math

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.rounding import Rounding

__all__ = ["eigenvalue_bounds_above", "falling"]


def eigenvalue_bounds_above(
    ritz: Ritz, leftover: float, rounding: Rounding, count: int
) -> Float64Array:
    """Eigenvalues of the matrix that is larger than C, plus what rounding may have hidden.

    Infinite where products may have overflowed: then nothing is known of what is left, or hidden.
    """
    noise = float(rounding.residuals.max(initial=0.0))
    if not math.isfinite(leftover + noise):
        return np.full(count, np.inf)
    bounds = np.concatenate([larger_eigenvalues(ritz, leftover), [leftover] * count])
    bounds = np.sort(bounds)[::-1][:count]
    # Couplings lost to rounding enter as residual^2 / gap, or as they are where there is no gap.
    known = len(rounding.values)
    gaps = np.maximum(bounds - leftover, noise)
    hidden = noise * (noise / gaps) if noise > 0 else np.zeros(count)
    allowance = np.zeros(count)
    allowance[:known] = rounding.values
    if known < count:
        allowance[known:] = rounding.values.max(initial=0.0)
    return falling(bounds + allowance + hidden)


def larger_eigenvalues(ritz: Ritz, leftover: float) -> Float64Array:
    """Those of [[H, F'], [F, leftover I]], which is diagonal where nothing couples."""
    if not ritz.coupling.any():
        return np.concatenate([ritz.values, [leftover] * len(ritz.coupling)])
    width, size = len(ritz.coupling), ritz.size
    whole = np.zeros((size + width, size + width))
    whole[np.arange(size), np.arange(size)] = ritz.values
    whole[size:, :size] = ritz.coupling
    whole[:size, size:] = ritz.coupling.T
    whole[np.arange(size, size + width), np.arange(size, size + width)] = leftover
    found: Float64Array = np.asarray(np.linalg.eigvalsh(whole), dtype=np.float64)
    return found


def falling(bounds: Float64Array) -> Float64Array:
    """Bounds in falling order.

    Where rounding may move values past each other nobody knows which is which: the i-th eigenvalue
    lies below the i-th largest upper bound, and above the i-th largest lower one.
    """
    return np.sort(bounds)[::-1]
