"""Slow, obvious implementations to compare against: extended precision, loops welcome.

Promises  answers good to about eps(longdouble) * sqrt(condition), from the stored numbers.
Knows     numpy, and the shape of a `Problem` (rows, weights, center, scale).
Ignores   everything in `eigenlens`: a reference that shares code shares its mistakes.

`EXTENDED` is False where longdouble is plain float64 (Windows, ARM): there the references are
no better than what they judge, and tests tighter than 1e-12 should skip.
"""

import numpy as np

from tests.reference.angles import orthonormal, sines
from tests.reference.exact import (
    Spectrum,
    captured,
    dense,
    divisor,
    exact_mean,
    exact_rows,
    exact_scatter,
    exact_spectrum,
    residual_norms,
)
from tests.reference.jacobi import jacobi_eigh, jacobi_svd

EXTENDED = bool(np.finfo(np.longdouble).eps < 1e-18)

__all__ = [
    "EXTENDED",
    "Spectrum",
    "captured",
    "dense",
    "divisor",
    "exact_mean",
    "exact_rows",
    "exact_scatter",
    "exact_spectrum",
    "jacobi_eigh",
    "jacobi_svd",
    "orthonormal",
    "residual_norms",
    "sines",
]
