"""recover: a signal from fewer numbers than it has entries.

Finds the coefficients by the method asked for, fits those that are not zero once more without the
penalty that shrank them (least squares; LSMR), and says whether so many could be found at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from eigenlens.algebra.random import random_generator
from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, SensingError
from eigenlens.errors.phrasing import SetOption
from eigenlens.errors.remedies import PythonCode
from eigenlens.sensing.basis import Basis
from eigenlens.sensing.basis import basis as basis_for
from eigenlens.sensing.determined import (
    Standing,
    is_exact,
    judge_determined,
    least_squares,
    misfit_of,
    standing_of,
)
from eigenlens.sensing.fista import FISTA
from eigenlens.sensing.omp import OMP
from eigenlens.sensing.problem import Solution, SparseProblem, make_sparse_problem
from eigenlens.sensing.pursuit import BasisPursuit
from eigenlens.sensing.transition import measurements_needed
from eigenlens.solvers.options import check_whole

__all__ = ["RECOVERY_METHODS", "Method", "Recovery", "recover"]

PROBE = 0  # seed of the vectors a problem is looked at with: the same answer every time


class Method(Protocol):
    def solve(self, problem: SparseProblem) -> Solution: ...


RECOVERY_METHODS: dict[str, Method] = {
    "fista": FISTA(),
    "omp": OMP(),
    "basis_pursuit": BasisPursuit(),
}


@dataclass(frozen=True, eq=False)
class Recovery:
    """What was recovered, and what is proven about it.

    signal : in the shape of the basis
    coefficients : its coefficients, after the last fit
    gap : how much the objective of the method exceeds the least possible, at most; None for OMP
    objective, penalty, shrunk : the objective, its penalty and the coefficients before that fit
    residual : |A signal - y|
    verdict : "determined" where no other signal with few coefficients gives the same measurements,
        else "doubtful" with the rule that failed (`determined.py`)
    """

    signal: Float64Array
    coefficients: Float64Array
    gap: float | None
    objective: float | None
    penalty: float | None
    shrunk: Float64Array
    residual: float
    iterations: int
    verdict: Verdict

    @property
    def support(self) -> IntArray:
        """Which coefficients are not zero."""
        return np.flatnonzero(self.coefficients)

    def __str__(self) -> str:
        proof = "nothing is proven"
        if self.gap is not None and self.objective is not None:
            proof = f"objective {self.objective:.6g}, proven within {self.gap:.2g} of the least"
        return (
            f"{len(self.support)} of {len(self.coefficients)} coefficients after "
            f"{self.iterations} steps: {proof}; residual {self.residual:.3g}\n{self.verdict}"
        )


def recover(
    A: Any,
    y: Any,
    basis: Any = None,
    method: Any = "fista",
    *,
    sparsity: int | None = None,
    debias: bool = True,
) -> Recovery:
    """The signal x = W c with few coefficients c for which A x is y.

    Parameters
    ----------
    A : matrix, sparse matrix or scipy LinearOperator, (measurements, entries of the signal)
    y : the numbers measured
    basis : what the signal is sparse in, from `sensing.basis`; None: the entries themselves
    method : "fista", "omp" or "basis_pursuit", or an object: `sensing.FISTA(penalty=0.1)`
    sparsity : how many coefficients are not zero, where that is known
    debias : fit the coefficients found once more, without shrinking them

    >>> import numpy as np, eigenlens
    >>> x = np.zeros(128)
    >>> x[[3, 50, 99]] = [1.0, -2.0, 0.5]
    >>> A = eigenlens.sensing.measurement("gaussian", 40, 128, seed=0)
    >>> found = recover(A, A @ x)
    >>> found.support.tolist(), bool(np.abs(found.signal - x).max() < 1e-6)
    ([3, 50, 99], True)
    """
    from scipy.sparse.linalg import aslinearoperator

    chosen = resolve_method(method)
    try:
        entries = int(aslinearoperator(A).shape[1])
    except (TypeError, ValueError, IndexError):
        raise SensingError.not_an_operator(type(A)) from None
    written: Basis = basis_for("identity", entries) if basis is None else basis
    if not hasattr(written, "synthesize"):
        raise OptionError.needs(
            SetOption("basis", basis),
            "a basis",
            PythonCode("pass sensing.basis('dct', shape), or None"),
        )
    problem = make_sparse_problem(
        A, y, written, None if sparsity is None else check_whole("sparsity", sparsity, 1)
    )
    refuse_hopeless(problem)
    rng = random_generator(PROBE)
    standing = standing_of(problem, rng)
    solution = chosen.solve(problem)
    final = refit_support(problem, solution, standing) if debias else solution.coefficients
    units = problem.units * (problem.unit / problem.size)
    coefficients, shrunk = units * final, units * solution.coefficients
    misfit = misfit_of(problem, final)
    signal = written.synthesize(coefficients)
    return Recovery(
        signal if written.offset is None else signal + written.offset,
        coefficients,
        solution.gap,
        solution.objective,
        solution.penalty,
        shrunk,
        problem.unit * misfit,
        solution.iterations,
        judge_determined(problem, final, misfit, standing, rng),
    )


def resolve_method(method: Any) -> Method:
    if isinstance(method, str):
        if method not in RECOVERY_METHODS:
            raise OptionError.unknown("method", method, RECOVERY_METHODS)
        return RECOVERY_METHODS[method]
    if isinstance(method, type) or not hasattr(method, "solve"):
        raise OptionError.unknown(
            "method", method, [*RECOVERY_METHODS, "an object such as FISTA()"]
        )
    chosen: Method = method
    return chosen


def refuse_hopeless(problem: SparseProblem) -> None:
    """So many unknowns that as many equations cannot settle them, wherever they stand."""
    m, count = problem.shape
    asked = problem.sparsity
    if asked is None:
        return
    if asked > count:
        raise OptionError.needs(
            SetOption("sparsity", asked),
            f"at most {count}, all coefficients there are",
            "pass fewer",
        )
    if asked >= m and m < count:
        raise SensingError.too_few(m, count, asked, measurements_needed(count, asked))


def refit_support(problem: SparseProblem, solution: Solution, standing: Standing) -> Float64Array:
    """Least squares on the support, where that is safe: else what was found stays as it is.

    Safe are few coefficients, as the curve counts them, and any number below that of the equations
    that solves all of these exactly, which is no accident. Many coefficients would only follow the
    noise, or the detail that was not measured.
    """
    support = solution.support
    if not 0 < len(support) < problem.shape[0]:
        return solution.coefficients
    found = least_squares(problem, support, problem.numbers, solution.coefficients[support])
    safe = is_exact(misfit_of(problem, found), problem) or len(support) <= standing.limit
    return found if safe else solution.coefficients
