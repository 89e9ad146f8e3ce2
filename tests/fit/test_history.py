"""What is recorded of every pass holds: errors that the last proof has bounded in hindsight."""

from dataclasses import replace

import numpy as np
import pytest

import eigenlens as el
from eigenlens.search.history import History
from eigenlens.solvers.catalogue import get_solver
from tests.problems import make_table

K = 3


@pytest.mark.filterwarnings("ignore::eigenlens.errors.NotCertified")
@pytest.mark.parametrize("name", ["krylov", "orthogonal", "power"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_error_recorded_for_a_pass_bounds_that_of_a_fit_stopped_there(name, dtype):
    rows = make_table(300, 60, 4, decay="slow", offset=1.0).astype(dtype)
    truth = np.linalg.eigvalsh(np.cov(rows.astype(np.float64), rowvar=False))[::-1][:K]

    errors = el.fit(rows, K, solver=name, tolerance=1e-4).choices["stop"].evidence["errors"]

    assert len(errors) > 2
    for passes, bound in errors[:-1]:
        early = replace(get_solver(name), max_passes=passes)
        stopped = el.fit(rows, K, solver=early, tolerance=1e-4)
        off = (truth - stopped.eigenvalues) / stopped.eigenvalues
        assert off.max() <= bound


@pytest.mark.parametrize("name", ["covariance", "svd", "krylov", "randomized"])
def test_the_last_error_is_the_one_of_the_certificate(name):
    model = el.fit(make_table(200, 40, 1, decay="slow", offset=1.0), K, solver=name)

    passes, error = model.choices["stop"].evidence["errors"][-1]

    assert passes == model.choices["stop"].evidence["passes"]
    assert error == pytest.approx(model.certificate.relative_error)


def test_eigenvalues_that_are_zero_have_no_relative_error():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((50, 2)) @ rng.standard_normal((2, 6))

    ((_, error),) = el.fit(rows, 4).choices["stop"].evidence["errors"]

    assert error < 1e-10


def test_passes_that_had_not_found_every_component_are_not_listed():
    history = History({3: np.array([4.0, 1.0]), 1: np.array([3.0]), 2: np.array([3.0, 0.0])})

    found = history.errors(np.array([4.4, 1.5]), np.array([0.0, 0.0]))

    assert found == [[3, 0.5]]
