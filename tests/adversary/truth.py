"""The truth about a small table, in extended precision: eigenpairs, total, what a span captures.

    A = W^(1/2) (X - 1 m') D^-1,  QR by Householder, then one-sided Jacobi: A'A is never formed, so
    small eigenvalues of graded tables keep their digits (tests/reference checks both steps)

Nothing is rounded to float64 before a statement is compared.
"""

from dataclasses import dataclass

import numpy as np

from tests.reference.angles import orthonormal
from tests.reference.exact import divisor, problem_rows, triangle
from tests.reference.jacobi import jacobi_svd

EPS = float(np.finfo(np.longdouble).eps)


@dataclass(frozen=True, eq=False)
class Truth:
    rows: np.ndarray  # A, longdouble
    divisor: np.longdouble
    values: np.ndarray  # all d eigenvalues of C, falling; zeros where rows are too few
    vectors: np.ndarray  # (d, d)

    @property
    def total(self):
        return (self.rows * self.rows).sum() / self.divisor

    @property
    def diagonal(self):
        return (self.rows * self.rows).sum(0) / self.divisor

    def captured(self, basis):
        """The variance within an orthonormal basis."""
        scores = self.rows @ basis
        return (scores * scores).sum() / self.divisor

    def image(self, vectors):
        """C V."""
        return self.rows.T @ (self.rows @ vectors) / self.divisor


def truth_of(problem, rows=None):
    """`rows`: A, where it is not that of the numbers as they are stored."""
    rows = problem_rows(problem) if rows is None else rows
    count, width = rows.shape
    if count < width:  # zero rows change nothing, and make the triangle square
        tall = np.vstack([rows, np.zeros((width - count, width), np.longdouble)])
    else:
        tall = rows
    sizes = (tall * tall).sum(0)
    order = np.argsort(-sizes, kind="stable")
    turned, basis = jacobi_svd(triangle(tall[:, order]))
    values = (turned * turned).sum(0) / divisor(problem)
    vectors = np.empty_like(basis)
    vectors[order] = basis
    return Truth(rows, divisor(problem), values, vectors)


def basis_of(components):
    """The span of components as an orthonormal basis in extended precision."""
    return orthonormal(np.asarray(components).T)


def sine_of_vectors(true, found):
    """Of the angle between two vectors, the second not quite of length 1."""
    found = found / np.sqrt(found @ found)
    rest = found - true * (true @ found)
    return float(np.sqrt(rest @ rest))


def sine_of_spans(true, basis):
    """Of the largest principal angle; small ones keep their digits."""
    rest = basis - true @ (true.T @ basis)
    return float(np.linalg.norm(rest.astype(np.float64), 2))
