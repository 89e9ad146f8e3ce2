"""Accuracy: asked for, proven, and not silently missed."""

import warnings

import numpy as np
import pytest

from eigenlens import PCA, NotCertified
from eigenlens.solvers import OrthogonalIteration


def slow_table():
    """White noise: no power iteration gets far in a few passes."""
    return np.random.default_rng(0).standard_normal((1000, 200))


@pytest.mark.parametrize("power", [0, 1, 3])
def test_too_few_iterations_are_warned_about(power):
    pca = PCA(5, svd_solver="randomized", iterated_power=power)

    with pytest.warns(NotCertified, match=rf"after {power + 1} pass.*iterated_power"):
        pca.fit(slow_table())

    assert pca.model_.choices["stop"].evidence["passes"] == power + 1


def test_the_warning_points_at_the_caller():
    with pytest.warns(NotCertified) as caught:
        PCA(5, svd_solver="randomized", iterated_power=1).fit(slow_table())

    assert caught[0].filename == __file__


def test_enough_iterations_are_silent():
    decaying = slow_table() * 0.5 ** np.arange(200)

    PCA(5, svd_solver="randomized", iterated_power=10).fit(decaying)  # warnings are errors here


def test_a_solver_object_with_few_passes_is_warned_about():
    with pytest.warns(NotCertified, match="after 2 pass"):
        PCA(5, svd_solver=OrthogonalIteration(max_passes=2)).fit(slow_table())


def test_left_to_itself_the_randomized_solver_goes_on_until_it_is_proven():
    rows = slow_table()
    exact = np.linalg.eigvalsh(np.cov(rows.T))[::-1][:5]

    found = PCA(5, svd_solver="randomized").fit(rows)

    assert np.abs(found.explained_variance_ / exact - 1).max() <= 0.01 * np.sqrt(2 / len(rows))


@pytest.mark.parametrize("solver", ["auto", "full", "covariance_eigh", "arpack", "krylov"])
def test_a_tolerance_is_kept(solver):
    rows = slow_table() * np.linspace(3, 1, 200) ** 2

    found = PCA(5, svd_solver=solver, tolerance=1e-8).fit(rows)

    assert found.certificate_.relative_error <= 1e-8


def test_an_impossible_tolerance_is_warned_about():
    with pytest.warns(NotCertified, match="tolerance=1e-20 was requested"):
        PCA(3, tolerance=1e-20).fit(slow_table())


def test_nothing_is_said_when_all_is_well():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for solver in ("auto", "full", "covariance_eigh", "arpack", "randomized"):
            PCA(5, svd_solver=solver).fit(slow_table() * 0.9 ** np.arange(200))
