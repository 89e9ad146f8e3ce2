"""Power sums: how evenly variance is spread over all eigenvalues, as far as a search has seen it.

    squares = sum of t^2 / (sum of t)^2       cubes = sum of t^3 / (sum of t)^3

    all eigenvalues are known   both
    the matrix is               squares, from its entries; cubes would take p^3 work

Shares, because squares of large numbers overflow. What components leave of these sums, the limits
of the distance to the subspace rest on (`explain/left_out_spectrum.py`).
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array

__all__ = ["power_sums"]


def power_sums(
    ritz: Ritz, size: int, total: float, matrix: Float64Array | None
) -> list[float | None] | None:
    """[squares, cubes] of a symmetric matrix of that size and trace; None where not known."""
    if ritz.size == size:
        shares = np.maximum(ritz.values, 0.0) / total
        return [float((shares**2).sum()), float((shares**3).sum())]
    if matrix is not None:
        return [float(np.vdot(matrix, matrix)) / total**2, None]
    return None
