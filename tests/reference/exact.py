"""Mean, scatter, spectrum and captured variance of the stored numbers, in extended precision.

    A = W^(1/2) (X - 1 m') D^-1,   scatter = A'A,   C = A'A / divisor,
    divisor = sum(w) - 1 when centered, sum(w) when raw.

Standard deviations (`scale="std"`) are taken about the mean and divide by sum(w) - 1, centered
or not. A `problem` is anything with `rows`, `weights`, `center` and `scale`.
Cost: everything is dense longdouble; meant for at most about a million entries.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from tests.reference.angles import orthonormal, unit
from tests.reference.jacobi import jacobi_svd

ROWS_PER_BLOCK = 1000


@dataclass(frozen=True, eq=False)
class Spectrum:
    """All min(n, d) eigenvalues (descending) with eigenvectors (d, min(n, d)), and the trace.

    Eigenvectors of vanishing eigenvalues are some orthonormal completion.
    """

    eigenvalues: np.ndarray
    eigenvectors: np.ndarray
    total: float


def dense(X):
    """Any table as a dense longdouble array; the stored numbers are kept exactly."""
    X = X.toarray() if scipy.sparse.issparse(X) else np.asarray(X)
    return X.astype(np.longdouble)


def weight_vector(n, weights):
    """The given weights, or ones, as longdouble."""
    return np.ones(n, np.longdouble) if weights is None else np.asarray(weights, np.longdouble)


def divisor(problem):
    """What the scatter is divided by: sum(w) - 1 when centered, sum(w) when raw."""
    if hasattr(problem, "exact_divisor"):
        return problem.exact_divisor()
    total = weight_vector(problem.rows.shape[0], problem.weights).sum()
    return total - 1 if problem.center else total


def exact_mean(X, weights=None):
    """Weighted mean of the rows (longdouble)."""
    X, w = dense(X), weight_vector(X.shape[0], weights)
    mean = w @ X / w.sum()
    # The sum of far-away numbers loses digits, the sum of their differences does not.
    return mean + w @ (X - mean) / w.sum()


def exact_rows(X, weights=None, center=True, scale=None):
    """The prepared table A (longdouble): centered, scaled, rows times the root of their weight."""
    w, values = weight_vector(X.shape[0], weights), dense(X)
    deviations = values - exact_mean(X, weights)
    deviations = deviations - exact_mean(deviations, weights)  # the mean itself was rounded
    prepared = deviations if center else values
    if isinstance(scale, str):
        prepared = prepared / np.sqrt(w @ deviations**2 / (w.sum() - 1))
    elif scale is not None:
        prepared = prepared / np.asarray(scale, np.longdouble)
    return np.sqrt(w)[:, None] * prepared


def exact_scatter(X, weights=None, center=True, scale=None):
    """A'A (d, d) in longdouble, summed over blocks of rows; not divided by anything."""
    A = exact_rows(X, weights, center, scale)
    scatter = np.zeros((A.shape[1], A.shape[1]), np.longdouble)
    for start in range(0, len(A), ROWS_PER_BLOCK):
        block = A[start : start + ROWS_PER_BLOCK]
        scatter += block.T @ block
    return scatter


def problem_rows(problem):
    """The prepared table A of a problem."""
    if hasattr(problem, "exact_rows"):  # one that knows its own preparation
        return problem.exact_rows()
    return exact_rows(problem.rows, problem.weights, problem.center, problem.scale)


def triangle(tall):
    """R of the QR factorization by Householder reflections."""
    R = tall.copy()
    for j in range(min(R.shape)):
        v = R[j:, j].copy()
        v[0] += np.copysign(np.sqrt(v @ v), v[0])
        v = unit(v)
        R[j:, j:] -= np.outer(2 * v, v @ R[j:, j:])
    return np.triu(R[: R.shape[1]])


def near_eigenvectors(R):
    """Where Jacobi starts: float64 singular vectors save two thirds of its sweeps.

    Columns of very different length are left as they are: mixing them in float64 would cost
    the short ones the relative accuracy that Jacobi otherwise keeps.
    """
    lengths = np.sqrt((R * R).sum(0))
    if not lengths.min() > 1e-6 * lengths.max():
        return np.eye(len(R), dtype=np.longdouble)
    return orthonormal(np.linalg.svd(R.astype(np.float64))[2].T)


def exact_spectrum(problem):
    """Eigenvalues and eigenvectors of C by one-sided Jacobi on A: A'A is never formed."""
    A = problem_rows(problem)
    wide = A.shape[0] < A.shape[1]
    tall = A.T if wide else A
    # Long columns first: then the triangle keeps short columns to their own relative accuracy.
    order = np.argsort(-(tall * tall).sum(0), kind="stable")
    R = triangle(tall[:, order])
    start = near_eigenvectors(R)
    turned, basis = jacobi_svd(R @ start)
    basis = (start @ basis)[np.argsort(order)]
    vectors = orthonormal(tall @ basis) if wide else basis
    d = divisor(problem)
    eigenvalues = ((turned * turned).sum(0) / d).astype(np.float64)
    return Spectrum(eigenvalues, vectors.astype(np.float64), float((A * A).sum() / d))


def captured(V, problem):
    """Exact variance captured by span(V), V (d, k): tr Q'CQ with Q an orthonormal basis of it."""
    scores = problem_rows(problem) @ orthonormal(np.asarray(V))
    return float((scores * scores).sum() / divisor(problem))


def residual_norms(V, problem, eigenvalues=None):
    """Lengths of C v - theta v per column; theta is the Rayleigh quotient unless given."""
    A, V = problem_rows(problem), np.asarray(V, np.longdouble)
    image = A.T @ (A @ V) / divisor(problem)
    theta = (V * image).sum(0) / (V * V).sum(0) if eigenvalues is None else eigenvalues
    rest = image - V * np.asarray(theta, np.longdouble)
    return np.sqrt((rest * rest).sum(0)).astype(np.float64)
