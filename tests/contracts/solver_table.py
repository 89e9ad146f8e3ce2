"""The table of solvers: what each delivers, and the problems all of them meet."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

import eigenlens as el
from eigenlens.solvers import (
    SVD,
    BlockKrylov,
    Covariance,
    Dual,
    Lanczos,
    OrthogonalIteration,
    PowerIteration,
    Randomized,
)
from tests.problems import make_problem
from tests.reference import exact_spectrum

EPS = np.finfo(np.float64).eps


@dataclass(frozen=True)
class Row:
    """What a solver delivers.

    forms_matrix   the certificate is then deterministic, whatever the data
    exact          the whole spectrum, without iterating
    stopped        the same solver with a limit on its passes; None where it does not iterate
    monotone       which eigenvalues more passes can only raise: all, the first, or none of them
    """

    solver: object
    forms_matrix: bool = False
    exact: bool = False
    stopped: Callable[[int], object] | None = None
    monotone: str = "none"


ROWS = {
    "covariance": Row(Covariance(), forms_matrix=True, exact=True),
    "svd": Row(SVD(), exact=True),
    "dual": Row(Dual(), forms_matrix=True, exact=True),
    # Later power vectors are deflated against earlier ones that still move.
    "power": Row(
        PowerIteration(), stopped=lambda n: PowerIteration(max_passes=n), monotone="first"
    ),
    "orthogonal": Row(
        OrthogonalIteration(), stopped=lambda n: OrthogonalIteration(max_passes=n), monotone="all"
    ),
    "randomized": Row(
        Randomized(), stopped=lambda n: Randomized(power_passes=n, max_passes=n), monotone="all"
    ),
    "krylov": Row(BlockKrylov(), stopped=lambda n: BlockKrylov(max_passes=n), monotone="all"),
    # ARPACK returns only the vectors that converged, and restarts from others.
    "lanczos": Row(Lanczos(), stopped=lambda n: Lanczos(max_passes=n)),
}
PROBLEMS = {
    "tall": lambda: make_problem("tall", 80, 20, 1),
    "wide": lambda: make_problem("wide", 20, 70, 2),
    "square": lambda: make_problem("square", 30, 30, 3),
    "slow": lambda: make_problem("slow", 60, 40, 4),
    "deficient": lambda: make_problem("rank_deficient", 50, 24, 5),
    "tied": lambda: make_problem("tied", 60, 18, 6),
    "offset": lambda: make_problem("offset", 90, 12, 7),
    "float32": lambda: make_problem("float32", 70, 15, 8, offset=100.0),
    "sparse": lambda: make_problem("sparse", 60, 25, 9, form="csc_matrix"),
    "weighted": lambda: make_problem("weighted", 50, 14, 10, weights="fractions"),
    "raw": lambda: make_problem("fast", 40, 16, 11, center=False, offset=1.0),
    "standardized": lambda: make_problem("slow", 55, 13, 12, scale="std", offset=10.0),
}


@cache
def problem_named(kind):
    problem = PROBLEMS[kind]()
    return problem, exact_spectrum(problem)


def fit(problem, k, solver, rows=None, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", el.NotCertified)
        return el.fit(
            problem.rows if rows is None else rows,
            k,
            center=problem.center,
            scale=problem.scale,
            weights=problem.weights,
            solver=solver,
            **options,
        )


@cache
def fitted(kind, name, k=4):
    return fit(problem_named(kind)[0], k, ROWS[name].solver, seed=1)


def rounding(*models):
    """What floating point may have moved in any eigenvalue of these models."""
    return sum(float(model.certificate.rounding.max()) for model in models) + max(
        4 * EPS * float(model.eigenvalues[0]) for model in models
    )
