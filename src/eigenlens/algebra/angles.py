"""Principal angles between subspaces, accurate also when they are tiny.

    sines of angles(U, V) = singular values of (I - U U') V        (orthonormal columns)

The familiar route through cosines loses every angle below 1e-8.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["sines"]


def sines(first: Float64Array, second: Float64Array) -> Float64Array:
    """Sines of the principal angles from `second` to `first`, descending."""
    outside = second - first @ (first.T @ second)
    return np.clip(np.linalg.svd(outside, compute_uv=False), 0.0, 1.0)
