"""SVD: a triangle with the table's own singular values, built block by block, then LAPACK.

    A / sqrt(divisor) = Q R,   R = U S V'   =>   eigenvalues S^2, components V.

Cost     2 n d^2 flops (twice the covariance route), one pass for the mean and one for R.
Error    eps ||A|| on singular values: small eigenvalues keep half their digits more than from C.
Choose   for small tables, for all components, for whitening.
Source   TSQR: Demmel, Grigori, Hoemmen and Langou 2012.
Differs  from LAPACK on a centered copy: no copy of the table is ever made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.ritz import ritz_of_eigenvectors
from eigenlens.algebra.typing import Float64Array
from eigenlens.solvers.step import Ask, Steps, make_step
from eigenlens.table.sides import Side

__all__ = ["SVD"]


@dataclass(frozen=True)
class SVD:
    name = "svd"
    forms_matrix = True

    def sided(self, shape: tuple[int, int]) -> bool:
        return shape[0] < shape[1]

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        singular, right = decompose_triangle(side.triangle())
        ritz = ritz_of_eigenvectors(singular**2, np.ascontiguousarray(right.T), True)
        yield make_step(ritz, ask, 1)


def decompose_triangle(triangle: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Singular values and right singular vectors, as rows."""
    try:
        _, singular, right = np.linalg.svd(triangle)
    except np.linalg.LinAlgError:  # gesdd may fail to converge (scikit-learn issue 7113)
        from scipy.linalg import svd  # a sixth of a second to load

        _, singular, right = svd(triangle, lapack_driver="gesvd", check_finite=False)
    return singular, right
