"""Many small symmetric matrices: as rows of their lower triangles one product sums them all."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array

__all__ = ["invert", "log_determinants", "symmetric_from", "triangle_indices"]


@cache
def triangle_indices(size: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Rows and columns of the entries on and below the diagonal."""
    return np.tril_indices(size)


def symmetric_from(triangles: Float64Array, size: int) -> Float64Array:
    """(..., size (size + 1) / 2) to (..., size, size)."""
    rows, columns = triangle_indices(size)
    whole = np.empty((*triangles.shape[:-1], size, size))
    whole[..., rows, columns] = triangles
    whole[..., columns, rows] = triangles
    return whole


def invert(matrices: Float64Array) -> Float64Array:
    """The inverse of one matrix, or of each of many."""
    if matrices.shape[-1] == 1:
        return 1.0 / matrices
    inverse: Float64Array = np.linalg.inv(matrices).astype(np.float64, copy=False)
    return inverse


def log_determinants(matrices: Float64Array) -> Float64Array:
    """Of each of many positive definite matrices, half the work of an LU factorization."""
    if matrices.shape[-1] == 1:
        return np.log(matrices[..., 0, 0])
    factors = np.linalg.cholesky(matrices)
    logs: Float64Array = 2.0 * np.log(np.diagonal(factors, axis1=-2, axis2=-1)).sum(axis=-1)
    return logs
