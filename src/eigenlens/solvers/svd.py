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
        # A fifth of a second to load, for this solver only.
        from scipy.linalg.lapack import dgesvd, dgesvd_lwork

        # gesvd is slower than gesdd but does not fail to converge (scikit-learn issue 7113).
        triangle = side.triangle()
        room = int(dgesvd_lwork(*triangle.shape)[0])  # for blocked kernels; the default has none
        _, singular, right, failed = dgesvd(triangle, compute_uv=1, lwork=room)
        if failed:
            raise np.linalg.LinAlgError(f"dgesvd ended with info={failed}")
        ritz = ritz_of_eigenvectors(singular**2, np.ascontiguousarray(right.T), True)
        yield make_step(ritz, ask, 1)
