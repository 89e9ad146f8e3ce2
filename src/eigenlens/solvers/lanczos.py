"""Lanczos: ARPACK's implicitly restarted Lanczos, one vector a pass.

Cost     one pass per multiplication, typically 2k to 10k of them, and one to read out.
Error    ARPACK's own test on residuals; then our certificate.
Choose   to compare with scikit-learn's arpack and scipy's svds; block Krylov reads the data less.
Source   Lehoucq, Sorensen and Yang 1998, through scipy.sparse.linalg.eigsh.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.orthonormal import extend
from eigenlens.algebra.ritz import descending_eigh, ritz_of_image
from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.solvers.step import Ask, Steps, step_of
from eigenlens.table.sides import Side

__all__ = ["Lanczos"]


@dataclass(frozen=True)
class Lanczos:
    """`tolerance` is ARPACK's; None: what the fit asks for. `vectors`: in its Krylov space."""

    tolerance: float | None = None
    max_passes: int = 10_000
    vectors: int | None = None

    name = "lanczos"

    def __post_init__(self) -> None:
        if self.tolerance is not None and not self.tolerance > 0:
            raise OptionError.not_positive("tolerance", self.tolerance)
        if not self.max_passes > 0:
            raise OptionError.not_positive("max_passes", self.max_passes)

    def sided(self, shape: tuple[int, int]) -> bool:
        return False

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        small = self.tolerance or ask.accuracy**0.5 / 10
        start = rng.standard_normal(side.size)
        before = side.passes
        while True:
            vectors, done = self.attempt(side, ask.rank, small, start)
            passes = max(1, side.passes - before)
            basis = extend(np.zeros((side.size, 0)), vectors, rng)[0]
            if basis.shape[1] < ask.rank:
                fresh = rng.standard_normal((side.size, ask.rank - basis.shape[1]))
                basis = np.hstack([basis, extend(basis, fresh, rng)[0]])
            ask = yield step_of(ritz_of_image(basis, side.apply(basis)), ask, passes)
            if not done:
                return
            start, small = basis.sum(axis=1), small / 100

    def attempt(
        self, side: Side, rank: int, small: float, start: Float64Array
    ) -> tuple[Float64Array, bool]:
        """Leading eigenvectors, as many as converged, and whether that was all."""
        from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

        if rank > side.size - 2:  # ARPACK wants room for at least one more vector
            return descending_eigh(side.matrix())[1][:, :rank], True
        count = min(side.size, self.vectors or max(2 * rank + 1, 20))
        restarts = max(1, self.max_passes // max(1, count - rank))
        operator = LinearOperator(
            (side.size, side.size), matvec=lambda v: side.apply(v.reshape(-1, 1))[:, 0]
        )
        try:
            _, vectors = eigsh(
                operator, k=rank, ncv=count, tol=small, v0=start, maxiter=restarts
            )
        except ArpackNoConvergence as stopped:
            return np.asarray(stopped.eigenvectors)[:, ::-1], False
        return vectors[:, ::-1], True
