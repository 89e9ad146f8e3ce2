"""The judge notices a wrong statement, and the truth is that of the reference implementations."""

from dataclasses import replace

import numpy as np
import pytest

import eigenlens as el
from tests.adversary.judge import violations
from tests.adversary.truth import truth_of
from tests.problems import Problem
from tests.reference.exact import exact_spectrum


def raised(bounds, share):
    return None if bounds is None else bounds * (1 + share)


def beyond(values):
    return np.column_stack([1.01 * values, 1.02 * values])


WRONG = {
    "bounds too high": lambda c: replace(c, eigenvalue_bounds=beyond(c.eigenvalue_bounds[:, 1])),
    "bounds too low": lambda c: replace(c, eigenvalue_bounds=beyond(c.eigenvalue_bounds[:, 0] / 2)),
    "total": lambda c: replace(c, total_variance_bounds=raised(c.total_variance_bounds, 1e-6)),
    "captured": lambda c: replace(c, captured_bounds=raised(c.captured_bounds, -1e-6)),
    "left": lambda c: replace(c, reconstruction_bounds=raised(c.reconstruction_bounds, 1e-6)),
    "residuals": lambda c: replace(c, residuals=np.zeros_like(c.residuals)),
    "nothing missed": lambda c: replace(c, suboptimality=0.0),
    "subspace": lambda c: replace(c, subspace_angle=0.0),
    "components": lambda c: replace(c, angle_bounds=np.zeros_like(c.angle_bounds)),
    "not a number": lambda c: replace(c, eigenvalue_bounds=np.nan * c.eigenvalue_bounds),
}


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(5)
    return Problem(rng.standard_normal((40, 8)) / np.sqrt(np.arange(1, 9)))


@pytest.fixture(scope="module")
def model(problem):
    return el.fit(problem.rows, 2, solver=el.solvers.OrthogonalIteration(max_passes=2, extra=1))


def test_a_right_certificate_is_found_right(problem, model):
    assert violations(model, truth_of(problem)) == []


@pytest.mark.parametrize("how", WRONG)
def test_a_wrong_certificate_is_noticed(how, problem, model):
    wrong = replace(model)
    wrong.__dict__["certificate"] = WRONG[how](model.certificate)

    assert violations(wrong, truth_of(problem))


@pytest.mark.parametrize("shape", [(30, 5), (5, 9), (12, 12)])
def test_the_truth_is_that_of_the_reference(shape):
    rng = np.random.default_rng(3)
    problem = Problem(rng.standard_normal(shape) + 10, weights=rng.uniform(1, 2, shape[0]))

    ours, theirs = truth_of(problem), exact_spectrum(problem)

    few = min(shape)
    np.testing.assert_allclose(ours.values[:few].astype(float), theirs.eigenvalues, 1e-14, 1e-30)
    np.testing.assert_allclose(float(ours.total), theirs.total, rtol=1e-15)
    assert np.abs(ours.vectors.T @ ours.vectors - np.eye(shape[1])).max() < 1e-16
