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

from eigenlens.algebra.ritz import ritz_of_eigenvectors
from eigenlens.algebra.typing import Float64Array
from eigenlens.machine.torch_device import TorchDevice
from eigenlens.solvers.cost import ALL_WORTH, expected_passes, leading_seconds
from eigenlens.solvers.krylov import BlockKrylov
from eigenlens.solvers.options import check_options
from eigenlens.solvers.rates import eigen_seconds
from eigenlens.solvers.step import Ask, Step, Steps, block_columns, make_step, next_step
from eigenlens.solvers.stopping import Tolerance
from eigenlens.table.device_eigen import decompose_on_device, device_for_eigenvectors
from eigenlens.table.sides import FeatureSide, MatrixSide, RowSide, Side

__all__ = ["Covariance", "steps_on_matrix"]


@dataclass(frozen=True)
class Covariance:
    """All eigenvectors up to the size `all_below`; None: where they cost less than a few of them.

    `tolerance`: relative error of eigenvalues, where few of many are found; None: what the fit asks
    for. Products with a matrix at hand are cheap, so a smaller one costs little.
    """

    all_below: int | None = None
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
    all_below: int | None,
    rng: np.random.Generator,
    tolerance: float | None = None,
) -> Steps:
    """Eigenvectors of the side's whole matrix: the leading ones by Krylov, or all of them.

    Krylov is given up once it has cost as much as all of them would (a flat spectrum needs them),
    and where so many more components are asked for than at first that it is no longer worth a try.
    """
    matrix = side.matrix()
    steps_allowed = count_krylov_steps(side, len(matrix), ask, all_below)
    if steps_allowed:
        width = block_columns(ask.rank, len(matrix))
        inner = BlockKrylov().steps(MatrixSide(matrix, side), ask, rng)
        step: Step | None = next(inner)
        while step is not None and steps_allowed > 0:
            close = Tolerance(min(ask.accuracy / 10, tolerance or np.inf))
            if step.values.size >= ask.rank and close(step.leading(ask.rank)):
                ask = yield add_matrix(step, matrix)
            if ask.rank > width and not count_krylov_steps(side, len(matrix), ask, all_below):
                break
            step = next_step(inner, ask)
            steps_allowed -= 1
    ask = yield all_eigenvectors(matrix, ask, side)


def count_krylov_steps(side: Side, size: int, ask: Ask, all_below: int | None) -> int:
    """How many steps of Krylov on the matrix are worth a try before all eigenvectors are found."""
    if all_below is None and device_beside(side, size) is not None:
        return 0
    width, passes = block_columns(min(ask.rank, size), size), expected_passes(ask.accuracy)
    everything, leading = eigen_seconds(size), leading_seconds(size, width, passes)
    if all_below is None:
        worth = leading < ALL_WORTH * everything
    else:
        worth = size > all_below and 8 * ask.rank < size
    return max(int(2 * passes * everything / leading), 2 * passes) if worth else 0


def all_eigenvectors(matrix: Float64Array, ask: Ask, side: Side) -> Step:
    # The lower triangle is all that is read: where scales were rounded the upper one differs by it.
    device = device_beside(side, len(matrix))
    found = np.linalg.eigh(matrix) if device is None else decompose_on_device(matrix, device)
    values, vectors = found
    return make_step(ritz_of_eigenvectors(values[::-1], vectors[:, ::-1]), ask, 1, matrix)


def device_beside(side: Side, size: int) -> TorchDevice | None:
    """The device that decomposes a matrix of this size sooner than the host, if there is one."""
    if not isinstance(side, FeatureSide | RowSide):
        return None
    return device_for_eigenvectors(side.table.source, size)


def add_matrix(step: Step, matrix: Float64Array) -> Step:
    return Step(1, step.values, step.errors, step.read_out, matrix)
