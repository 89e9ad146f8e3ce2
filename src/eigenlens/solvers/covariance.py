"""Covariance: form C = A'A / divisor in one pass, then take its leading eigenvectors.

Cost     n d^2 flops and one pass, then O(d^3) for all or O(d^2 k) for a few of many eigenvectors.
Error    eps ||C|| on every eigenvalue: those below d eps times the largest lose their digits.
Choose   when d x d fits in memory and d is not much larger than what a few passes would cost.
Differs  from the textbook: for few of many eigenvectors, block Krylov on the matrix at hand; one
         Cholesky factorization then proves the answer (certificate), cheaper than all eigenvectors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.ritz import descending_eigh, ritz_of_eigenvectors
from eigenlens.algebra.typing import Float64Array
from eigenlens.solvers.krylov import BlockKrylov
from eigenlens.solvers.options import check_options
from eigenlens.solvers.step import Ask, Step, Steps, step_of
from eigenlens.solvers.stopping import Tolerance
from eigenlens.table.sides import MatrixSide, Side

__all__ = ["Covariance", "steps_on_matrix"]

FEW = 8  # block Krylov where fewer than one in FEW eigenvectors are asked for


@dataclass(frozen=True)
class Covariance:
    """All eigenvectors up to the size `all_below`, where they cost less than anything else.

    `tolerance`: relative error of eigenvalues, where few of many are found; None: what the fit asks
    for. Products with a matrix at hand are cheap, so a smaller one costs little.
    """

    all_below: int = 400
    tolerance: float | None = None

    name = "covariance"
    forms_matrix = True

    def __post_init__(self) -> None:
        check_options(self, {"all_below": 0}, positive=["tolerance"])

    def sided(self, shape: tuple[int, int]) -> bool:
        return False

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        yield from steps_on_matrix(side, ask, self.all_below, rng, self.tolerance)


def steps_on_matrix(
    side: Side,
    ask: Ask,
    all_below: int,
    rng: np.random.Generator,
    tolerance: float | None = None,
) -> Steps:
    """Eigenvectors of the side's whole matrix: all of them, or the leading ones by Krylov."""
    matrix = side.matrix()
    if len(matrix) > all_below and FEW * ask.rank < len(matrix):
        inner = BlockKrylov().steps(MatrixSide(matrix, side), ask, rng)
        step = next(inner)
        close = Tolerance(min(ask.accuracy / 10, tolerance or np.inf))
        while step.values.size < ask.rank or not close(step.leading(ask.rank)):
            step = inner.send(ask)
        ask = yield with_matrix(step, matrix)
    ask = yield all_eigenvectors(matrix, ask)


def all_eigenvectors(matrix: Float64Array, ask: Ask) -> Step:
    values, vectors = descending_eigh(matrix)
    return step_of(ritz_of_eigenvectors(np.maximum(values, 0.0), vectors), ask, 1, matrix)


def with_matrix(step: Step, matrix: Float64Array) -> Step:
    return Step(1, step.values, step.errors, step.read_out, matrix)
