"""Power iteration with deflation, as in the textbook: one eigenvector after the other.

    v <- P C v / |P C v|,  P v = v - sum v_j (v_j'v)   until the eigenvalue's change is small.

Cost     one pass per multiplication, for one vector: k components may take hundreds of passes.
Error    falls by t[i+1] / t[i] per pass; "stopped changing" is not "close", the certificate tells.
Choose   to teach, to check, or for the first component of a strongly elongated cloud.
Source   Golub and Van Loan, section 8.2.1; deflation: Hotelling 1933.
Differs  from the textbook: when asked for more accuracy after all components were found, it sweeps
         over them again from where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenlens.algebra.orthonormal import extend_basis
from eigenlens.algebra.precision import EPS
from eigenlens.algebra.ritz import Ritz, ritz_of_image
from eigenlens.algebra.typing import Float64Array
from eigenlens.solvers.options import check_options
from eigenlens.solvers.start import first_columns
from eigenlens.solvers.step import Ask, Step, Steps
from eigenlens.solvers.stopping import StopRule
from eigenlens.table.sides import Side, exposure_of

__all__ = ["PowerIteration"]


@dataclass(frozen=True)
class PowerIteration:
    """`tolerance` on the relative change of an eigenvalue; None: what the fit asks for.

    `stop`: a rule besides it, as in `PowerIteration(stop=WallClock(60))`. `start`: the first
    vectors to begin with; None: random ones.
    """

    tolerance: float | None = None
    max_passes: int = 10_000
    stop: StopRule | None = None
    start: Any = field(default=None, repr=False, compare=False)

    name = "power"
    forms_matrix = False

    def __post_init__(self) -> None:
        check_options(self, {"max_passes": 1}, positive=["tolerance"])

    def sided(self, shape: tuple[int, int]) -> bool:
        return False

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        small = self.tolerance or ask.accuracy / 10
        begun = first_columns(self.start, side.size, ask.rank, rng)
        basis = extend_basis(np.zeros((side.size, 0)), begun, rng)[0]
        values = np.zeros(ask.rank)
        changes = np.full(ask.rank, np.inf)
        passes = 0
        while True:
            for index in range(len(values)):
                noise = side.size * EPS * float(values.max())
                for value, change in iterate_column(
                    side, basis, index, values[index], small, noise
                ):
                    passes += 1
                    values[index], changes[index] = value, change if change > noise else 0.0
                    ask = yield step_of_columns(side, basis, values, changes, passes)
            small /= 10
            missing = ask.rank - len(values)
            if missing > 0:
                basis = np.hstack([basis, fresh_columns(basis, missing, rng)])
                values = np.append(values, np.zeros(missing))
                changes = np.append(changes, np.full(missing, np.inf))


def iterate_column(
    side: Side, basis: Float64Array, index: int, value: float, small: float, noise: float
) -> Iterator[tuple[float, float]]:
    """Multiply column `index`, kept orthogonal to those before it, until its value settles.

    A value that is zero but for rounding never settles, so changes below `noise` do not count.
    Works in place on `basis`; yields the Rayleigh quotient and its change after every pass.
    """
    before = basis[:, :index]
    while True:
        image = side.apply(basis[:, [index]])[:, 0]
        image -= before @ (before.T @ image)
        new_value = float(basis[:, index] @ image)
        change, value = abs(new_value - value), new_value
        length = float(np.linalg.norm(image))
        if length > 0:
            image /= length
            image -= before @ (before.T @ image)
            left = float(np.linalg.norm(image))
            if left > 0.5:  # else the image was rounding only: the column stays as it is
                basis[:, index] = image / left
        yield value, change
        if change <= small * abs(value) + noise or length == 0:
            return


def step_of_columns(
    side: Side, basis: Float64Array, values: Float64Array, changes: Float64Array, passes: int
) -> Step:
    """Columns not reached yet are random: a fair part of the answer if work stops here."""

    def read_out() -> Ritz:
        current = extend_basis(np.zeros((side.size, 0)), basis, np.random.default_rng(0))[0]
        image = side.apply(current)
        return ritz_of_image(current, image, exposure_of(side, current))

    return Step(passes, values.copy(), changes.copy(), read_out)


def fresh_columns(basis: Float64Array, count: int, rng: np.random.Generator) -> Float64Array:
    return extend_basis(basis, rng.standard_normal((len(basis), count)), rng)[0]
