"""Orthogonal matching pursuit: add the column that helps most, fit again, until enough.

Cost     forms B; one product with it per coefficient. scikit-learn's.
Proves   nothing: the choice of a column is never revised.
Choose   when a number of coefficients is wanted, or their sizes differ much: with normal ones it
         finds a quarter more of them than basis pursuit, with ones of equal size a quarter fewer
         (`benchmarks/transition.py`).
Source   Pati, Rezaiifar, Krishnaprasad 1993; Rubinstein, Zibulevsky, Elad 2008.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from eigenlens.sensing.problem import Solution, SparseProblem
from eigenlens.solvers.options import check_options

__all__ = ["OMP"]


@dataclass(frozen=True)
class OMP:
    """`tolerance`: stop when this share of |y| is left, unless a sparsity was given."""

    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        check_options(self, {}, ("tolerance",))

    def solve(self, problem: SparseProblem) -> Solution:
        from sklearn.linear_model import orthogonal_mp

        matrix = problem.matrix("omp")
        lengths = np.linalg.norm(matrix, axis=0)
        lengths[lengths == 0] = 1.0
        numbers = problem.numbers
        if not numbers.any():
            return Solution(np.zeros(problem.shape[1]), 0)
        left = (self.tolerance * float(np.linalg.norm(numbers))) ** 2
        limit = {"tol": left} if problem.sparsity is None else {"n_nonzero_coefs": problem.sparsity}
        with warnings.catch_warnings():
            # It ends early where further columns depend on those it has: nothing is left to add.
            warnings.simplefilter("ignore", RuntimeWarning)
            found = orthogonal_mp(matrix / lengths, numbers, **limit)
        coefficients = found / lengths
        return Solution(coefficients, int(np.count_nonzero(coefficients)))
