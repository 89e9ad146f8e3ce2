"""Lanczos: ARPACK's implicitly restarted Lanczos, one vector a pass.

Cost     one pass per multiplication, typically 2k to 10k of them, and one to read out.
Error    ARPACK's own test on residuals; then our certificate.
Choose   to compare with scikit-learn's arpack and scipy's svds; block Krylov reads the data less.
Source   Lehoucq, Sorensen and Yang 1998, through scipy.sparse.linalg.eigsh.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from eigenlens.algebra.orthonormal import extend_basis
from eigenlens.algebra.precision import EPS
from eigenlens.algebra.ritz import ritz_of_image
from eigenlens.algebra.typing import Float64Array
from eigenlens.solvers.covariance import all_eigenvectors
from eigenlens.solvers.options import check_options
from eigenlens.solvers.step import Ask, Steps, make_step
from eigenlens.solvers.stopping import StopRule
from eigenlens.table.sides import Side, exposure_of

__all__ = ["Lanczos"]


@dataclass(frozen=True)
class Lanczos:
    """`tolerance` is ARPACK's; None: what the fit asks for. `vectors`: in its Krylov space.

    `stop`: looked at whenever ARPACK comes back, as in `Lanczos(stop=WallClock(60))`.
    """

    tolerance: float | None = None
    max_passes: int = 10_000
    vectors: int | None = None
    stop: StopRule | None = None

    name = "lanczos"
    forms_matrix = False

    def __post_init__(self) -> None:
        check_options(self, {"max_passes": 1, "vectors": 1}, positive=["tolerance"])

    def sided(self, shape: tuple[int, int]) -> bool:
        return False

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        small = self.tolerance or ask.accuracy**0.5 / 10
        start = rng.standard_normal(side.size)
        passes = 0
        while ask.rank <= side.size - 2:
            product = CountedProduct(
                side, self.max_passes - passes, self.columns(ask.rank, side.size)
            )
            vectors, done = run_arpack(product, ask.rank, small, start, rng)
            passes += product.used
            basis = extend_basis(np.zeros((side.size, 0)), vectors, rng)[0]
            if basis.shape[1] < ask.rank:
                fresh = rng.standard_normal((side.size, ask.rank - basis.shape[1]))
                basis = np.hstack([basis, extend_basis(basis, fresh, rng)[0]])
            image = side.apply(basis)
            ritz = ritz_of_image(basis, image, exposure_of(side, basis))
            ask = yield make_step(ritz, ask, passes)
            if not done or (small <= EPS and ask.rank <= basis.shape[1]):
                return  # at machine precision another attempt adds nothing
            start, small = basis.sum(axis=1), max(small / 100, EPS)
        # ARPACK wants room for at least one more vector: without it, the whole matrix.
        yield replace(all_eigenvectors(side.matrix(), ask, side), passes=passes + 1)

    def columns(self, rank: int, size: int) -> int:
        """How many vectors ARPACK keeps; it wants room for more than it is asked for."""
        return min(size, max(self.vectors or max(2 * rank + 1, 20), rank + 2))


class OutOfPassesError(Exception):
    """Ends ARPACK in the middle of its work; never leaves this file."""


class CountedProduct:
    """Products one vector at a time, as many as are left; it remembers the last few vectors."""

    def __init__(self, side: Side, left: int, columns: int) -> None:
        self.side = side
        self.left = left
        self.columns = columns
        self.used = 0
        self.recent: deque[Float64Array] = deque(maxlen=columns)

    def __call__(self, vector: Float64Array) -> Float64Array:
        if self.used >= self.left:
            raise OutOfPassesError
        self.used += 1
        self.recent.append(vector.ravel().copy())
        return self.side.apply(vector.reshape(-1, 1))[:, 0]


def run_arpack(
    product: CountedProduct, rank: int, small: float, start: Float64Array, rng: np.random.Generator
) -> tuple[Float64Array, bool]:
    """Leading eigenvectors, or what there is of them, and whether more could be had."""
    from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, LinearOperator, eigsh

    size = product.side.size
    operator = LinearOperator((size, size), matvec=product, dtype=np.float64)
    options = {"k": rank, "ncv": product.columns, "tol": small, "v0": start}
    try:
        return eigsh(operator, **options, maxiter=product.left)[1][:, ::-1], True
    except OutOfPassesError:
        return np.column_stack(product.recent), False
    except ArpackNoConvergence as stopped:
        return np.asarray(stopped.eigenvectors)[:, ::-1], False
    except ArpackError:
        # Its Krylov space was exhausted, as when all eigenvalues are equal: one product with
        # random vectors then has what there is to find.
        return product.side.apply(rng.standard_normal((size, rank))), False
