"""Far from the origin every solver keeps its digits: the reason this library exists."""

import warnings
from functools import cache

import numpy as np
import pytest

import eigenlens as el
from tests.distances import relative_error
from tests.market import far_from_origin
from tests.reference.exact import exact_spectrum

SOLVERS = ("covariance", "svd", "dual", "power", "orthogonal", "randomized", "krylov", "lanczos")
CASES = {
    # dtype: (offset, tolerance for iterative solvers, error allowed)
    "float32": (1e4, 1e-5, 1e-4),
    "float64": (1e7, 1e-10, 1e-9),
}


@cache
def case(dtype, rows):
    problem = far_from_origin(rows, dtype, CASES[dtype][0])
    return problem, exact_spectrum(problem).eigenvalues


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("dtype", CASES)
def test_far_from_origin(dtype, solver):
    _, tolerance, allowed = CASES[dtype]
    # The inner products of 20 000 rows are a 3.2 GB matrix: the dual route does not apply there.
    problem, truth = case(dtype, 2_000 if solver == "dual" else 20_000)

    model = el.fit(problem.rows, 10, solver=solver, tolerance=tolerance)

    assert relative_error(model.eigenvalues, truth) <= allowed
    low, high = model.certificate.eigenvalue_bounds.T
    assert np.all(low <= truth)
    assert np.all(truth <= high)


def test_scikit_learn_is_far_off_there():
    from sklearn.decomposition import PCA

    problem, truth = case("float32", 20_000)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = PCA(10).fit(problem.rows)

    assert relative_error(peer.explained_variance_[:1], truth[:1]) > 1
