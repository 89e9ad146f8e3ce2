"""watch: what an iteration finds, pass after pass, beside what theory predicts.

    power        tan angle falls by t[i+1] / t[i] per pass, for one component after the other
    orthogonal,  tan angle falls by t[w+1] / t[i] per pass, w columns at once
    randomized
    krylov       tan angle falls by T_m(x), x = 1 + 2 (t[i] - t[w+1]) / (t[w+1] - t[d]), T Chebyshev

The truth is the eigendecomposition of the matrix, which is formed: this is for looking at methods,
not for large data. Named solvers run as in the textbook, w = k columns and none to spare; a solver
object runs with its own options. Angles within a tie are those to its whole eigenspace.
Source   Golub and Van Loan, Matrix Computations, 8.2; Saad, Numerical Methods for Large Eigenvalue
         Problems, 6.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.random import random_generator
from eigenlens.algebra.ritz import descending_eigh
from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.solvers.krylov import BlockKrylov
from eigenlens.solvers.options import check_whole
from eigenlens.solvers.orthogonal import OrthogonalIteration
from eigenlens.solvers.power import PowerIteration, iterate_column
from eigenlens.solvers.randomized import Randomized
from eigenlens.solvers.start import first_columns
from eigenlens.solvers.step import Ask, Solver, next_step
from eigenlens.sources.moments_only import matrix_source
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import DataLike
from eigenlens.sources.symmetric_matrix import covariance_at_hand
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from eigenlens.table.sides import FeatureSide

__all__ = ["watch"]

WATCHED = ("power", "orthogonal", "krylov", "randomized")
WIDEST = 5000  # columns: the whole matrix is decomposed for the truth
TIED = 1e-9  # of the largest eigenvalue: closer ones share an eigenspace
SETTLED = 1e-14  # relative change of an eigenvalue: the next component's turn
TINY = 1e-300
COLUMNS = (
    "pass", "component", "eigenvalue", "relative_change", "angle", "rate",
    "predicted_rate", "predicted_angle",
)  # fmt: skip


def watch(
    data: DataLike,
    solver: str | Solver = "power",
    k: int = 1,
    *,
    start: npt.ArrayLike | None = None,
    passes: int = 30,
    center: bool = True,
    seed: int = 0,
) -> Table:
    """One line per pass and component: what the solver has found, and how far from the truth.

    Parameters
    ----------
    data : rows of numbers, or a covariance matrix (square, symmetric, positive semidefinite)
    solver : "power" (with deflation), "orthogonal", "krylov", "randomized", or an object of these
    k : how many components
    start : (d,) or (d, m): the first columns to begin with; the others are random
    passes : the most products with the matrix

    `angle` is in radians, between component and truth; `rate` is by how much its tangent fell in
    this pass, `predicted_rate` what theory says of every pass, `predicted_angle` the angle at the
    first pass times that rate.

    >>> table = watch([[2, -1], [-1, 2]], "power", passes=4, start=[1, 0])
    >>> [round(value, 4) for value in table["eigenvalue"]]
    [2.0, 2.8, 2.9756, 2.9973]
    >>> round(table["rate"][-1], 4), round(table["predicted_rate"][-1], 4)
    (0.3333, 0.3333)
    """
    chosen = textbook_solver(solver, k)
    check_whole("passes", passes, 1)
    side = side_of(data, center)
    if k > side.size:
        raise RankError.beyond_matrix(k, side.size)
    truth = Truth(*descending_eigh(side.matrix()))
    rng = random_generator(seed)
    if isinstance(chosen, PowerIteration):
        seen = watch_power(side, k, start, passes, rng)
        width = None
    else:
        seen = watch_block(chosen, side, k, start, passes, rng)
        width = getattr(chosen, "width", None) or k + spare_columns(chosen)
    lines = list(tell_lines(seen, truth, width, isinstance(chosen, BlockKrylov)))
    return Table(dict(zip(COLUMNS, map(list, zip(*lines, strict=True)), strict=True)), truth.notes)


def textbook_solver(solver: str | Solver, k: int) -> Any:
    """Names as the textbook has them: no spare columns, a pass per step."""
    check_whole("k", k, 1)
    named = {
        "power": PowerIteration(),
        "orthogonal": OrthogonalIteration(extra=0),
        "krylov": BlockKrylov(width=k),
        "randomized": Randomized(oversamples=0, power_passes=1),
    }
    if isinstance(solver, str):
        if solver not in named:
            raise OptionError.unknown("solver", solver, WATCHED)
        return named[solver]
    if not isinstance(solver, tuple(type(one) for one in named.values())):
        raise OptionError.needs(
            SetOption("solver", solver),
            "an iteration to watch",
            Phrase("pass one of {}", ", ".join(map(repr, WATCHED))),
        )
    return solver


def spare_columns(solver: Any) -> int:
    return int(getattr(solver, "extra", 0) or getattr(solver, "oversamples", 0))


def side_of(data: DataLike, center: bool) -> FeatureSide:
    """The covariance matrix of rows, or the matrix that was given, as solvers see it."""
    source = open_source(data)
    if source.shape[1] > WIDEST:
        raise OptionError.needs(
            Option("data"), f"{WIDEST} columns or fewer, to know the truth", "pass fewer columns"
        )
    matrix = covariance_at_hand(source)
    if matrix is not None:
        source = matrix_source(matrix)
    return FeatureSide(build_table(source, prepare(source, center, None, None)))


@dataclass(frozen=True)
class Truth:
    values: Float64Array
    vectors: Float64Array

    def angle(self, index: int, vector: Float64Array) -> float:
        """Between the vector and the eigenspace of eigenvalue `index`, accurate if it is small."""
        space = self.vectors[:, self.tied(index)]
        inside = space.T @ vector
        return float(np.arctan2(np.linalg.norm(vector - space @ inside), np.linalg.norm(inside)))

    def tied(self, index: int) -> Any:
        return np.abs(self.values - self.values[index]) <= TIED * self.values[0]

    def beyond(self, index: int, width: int | None) -> float:
        """The eigenvalue that the error of component `index` is made of."""
        place = index + int(self.tied(index)[index:].sum()) if width is None else width
        return float(self.values[place]) if place < len(self.values) else 0.0

    @property
    def notes(self) -> tuple[str, ...]:
        ties = [i + 1 for i in range(len(self.values) - 1) if self.tied(i)[i + 1]]
        if not ties:
            return ()
        return (f"Eigenvalues {ties[0]} and {ties[0] + 1} are equal: only their plane is found.",)


# -- what is seen: (pass, component, eigenvalue, vector) -------------------------------------------

Seen = Iterator[tuple[int, int, float, Float64Array]]


def watch_power(
    side: FeatureSide, k: int, start: Any, passes: int, rng: np.random.Generator
) -> Seen:
    """Each component until its eigenvalue has settled, then the next one."""
    basis = first_columns(start, side.size, k, rng)
    basis /= np.linalg.norm(basis, axis=0)
    made = 0
    for index in range(k):
        before = basis[:, :index]
        column = basis[:, index] - before @ (before.T @ basis[:, index])
        basis[:, index] = column / np.linalg.norm(column)
        vector = basis[:, index].copy()
        noise = side.size * np.finfo(np.float64).eps * side.trace
        settled = False
        while not settled or index == k - 1:  # the last one is watched to the end
            for value, _ in iterate_column(side, basis, index, 0.0, SETTLED, noise * SETTLED):
                made += 1
                yield made, index, value, vector
                vector = basis[:, index].copy()
                if made == passes:
                    return
            settled = True


def watch_block(
    solver: Any, side: FeatureSide, k: int, start: Any, passes: int, rng: np.random.Generator
) -> Seen:
    begun = solver if start is None else with_start(solver, start)
    ask = Ask(k, SETTLED)
    steps = begun.steps(side, ask, rng)
    step = next(steps)
    while step is not None and step.passes <= passes:
        ritz = step.read_out()
        vectors = ritz.vectors(min(k, ritz.size))
        for index in range(vectors.shape[1]):
            yield step.passes, index, float(ritz.values[index]), vectors[:, index]
        step = next_step(steps, ask)


def with_start(solver: Any, start: Any) -> Any:
    from dataclasses import replace

    return replace(solver, start=np.asarray(start, dtype=np.float64))


def tell_lines(
    seen: Seen, truth: Truth, width: int | None, krylov: bool
) -> Iterator[tuple[int, str, float, float | None, float, float | None, float, float]]:
    last: dict[int, tuple[float, float]] = {}
    first: dict[int, tuple[int, float]] = {}
    for number, index, value, vector in seen:
        angle = truth.angle(index, vector)
        tangent = float(np.tan(min(angle, np.pi / 2 - 1e-12)))
        before = last.get(index)
        change = None if before is None else abs(value - before[0]) / max(abs(value), TINY)
        rate = None if before is None or before[1] < 1e-13 else tangent / before[1]
        since, begun = first.setdefault(index, (number, tangent))
        fall = predicted_fall(truth, index, width, number - since, krylov)
        per_pass = predicted_fall(truth, index, width, 1, krylov)
        yield (
            number, f"PC{index + 1}", value, change, angle, rate,
            per_pass, float(np.arctan(begun * fall)),
        )  # fmt: skip
        last[index] = value, tangent


def predicted_fall(truth: Truth, index: int, width: int | None, count: int, krylov: bool) -> float:
    """By how much the tangent of an angle has fallen after `count` passes."""
    value, beyond = float(truth.values[index]), truth.beyond(index, width)
    if value <= 0:
        return 1.0
    if not krylov:
        return float((beyond / value) ** count)
    spread = beyond - float(truth.values[-1])
    if spread <= 0 or value <= beyond:
        return 1.0 if value <= beyond else 0.0 if count else 1.0
    x = 1 + 2 * (value - beyond) / spread
    return float(1 / np.cosh(min(count * np.arccosh(x), 700.0)))
