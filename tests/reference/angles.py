"""Angles between subspaces, accurate also when they are tiny.

    sin(theta_i) = singular values of (I - U U') V,   U, V orthonormal.

The cosine route (singular values of U'V) cannot see angles below 1e-8: 1 - 1e-16 is 1.
"""

import numpy as np

from tests.reference.jacobi import jacobi_svd


def orthonormal(basis):
    """Gram-Schmidt, twice, in longdouble: same span, column by column.

    A column that lies in the span of those before it is replaced by a direction that does not,
    so the result always has as many orthonormal columns as were given.
    """
    result = np.array(basis, dtype=np.longdouble)
    spare = np.random.default_rng(0)
    for j in range(result.shape[1]):
        column, done = unit(result[:, j]), result[:, :j]
        rest = column - done @ (done.T @ column)
        while not rest @ rest > 1e-20:
            column = unit(spare.standard_normal(len(result)).astype(np.longdouble))
            rest = column - done @ (done.T @ column)
        for _ in range(2):
            rest = unit(rest)
            rest = rest - done @ (done.T @ rest)
        result[:, j] = unit(rest)
    return result


def unit(vector):
    """The vector divided by its length; a zero vector stays as it is."""
    length = np.sqrt(vector @ vector)
    return vector / length if length > 0 else vector


def sines(U, V):
    """Sines of the principal angles between span(U) (d, k) and span(V) (d, j), largest first."""
    U, V = orthonormal(np.asarray(U)), orthonormal(np.asarray(V))
    if V.shape[1] > U.shape[1]:
        U, V = V, U
    rest = V - U @ (U.T @ V)
    rest = rest - U @ (U.T @ rest)
    turned, _ = jacobi_svd(rest)
    return np.minimum(np.sqrt((turned * turned).sum(0)), 1).astype(np.float64)
