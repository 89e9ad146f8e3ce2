"""gamma from distances: the number, how it is told, and advice where it does not suit."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist

from eigenlens.kernel.fit import fit_kernel

ROWS = np.random.default_rng(0).standard_normal((300, 4)) * [3, 2, 1, 1] + 50
METHODS = [{"method": "exact"}, {"n_landmarks": 40}]


def gamma_of(kernel, gamma, rows=ROWS):
    return fit_kernel(rows, 2, kernel=kernel, gamma=gamma).choices["gamma"]


def test_the_median_is_that_of_all_distances():
    euclidean, taxicab = np.median(pdist(ROWS)), np.median(pdist(ROWS, "cityblock"))

    assert gamma_of("rbf", "median").value == pytest.approx(1 / (2 * euclidean**2))
    assert gamma_of("exponential", "median").value == pytest.approx(1 / euclidean)
    assert gamma_of("laplacian", "median").value == pytest.approx(1 / taxicab)


@pytest.mark.parametrize(("gamma", "rank"), [("knn", 10), ("knn:3", 3)])
def test_neighbors_are_counted_without_the_row_itself(gamma, rank):
    euclidean = np.median(np.sort(cdist(ROWS, ROWS), axis=1)[:, rank])
    taxicab = np.median(np.sort(cdist(ROWS, ROWS, "cityblock"), axis=1)[:, rank])

    assert gamma_of("rbf", gamma).value == pytest.approx(1 / (2 * euclidean**2))
    assert gamma_of("laplacian", gamma).value == pytest.approx(1 / taxicab)


def test_the_choice_is_told_with_its_distance():
    verdict = gamma_of("rbf", "median")

    assert verdict.rule == "median"
    assert f"{verdict.evidence['distance']:.4g}" in verdict.reason
    assert "4 columns" in gamma_of("rbf", None).reason
    assert gamma_of("rbf", 0.3).rule == "request"


@pytest.mark.parametrize("options", METHODS)
@pytest.mark.parametrize("kernel", ["rbf", "exponential", "laplacian"])
def test_a_kernel_that_reaches_far_too_far_is_told_so(kernel, options):
    verdict = fit_kernel(ROWS, 2, kernel=kernel, gamma=1e-6, **options).choices["gamma"]

    assert "far too small" in verdict.reason
    assert "gamma='median'" in verdict.reason


@pytest.mark.parametrize("options", METHODS)
@pytest.mark.parametrize("kernel", ["rbf", "exponential", "laplacian"])
def test_a_kernel_that_reaches_nobody_is_told_so(kernel, options):
    verdict = fit_kernel(ROWS, 2, kernel=kernel, gamma=1e3, **options).choices["gamma"]

    assert "far too large" in verdict.reason


@pytest.mark.parametrize("options", METHODS)
@pytest.mark.parametrize("kernel", ["rbf", "exponential", "laplacian"])
@pytest.mark.parametrize("gamma", ["median", "knn", None])
def test_a_sensible_one_needs_no_advice(kernel, gamma, options):
    verdict = fit_kernel(ROWS, 2, kernel=kernel, gamma=gamma, **options).choices["gamma"]

    assert "far too" not in verdict.reason


def test_mostly_repeated_rows_fall_back_to_the_number_of_columns():
    rows = np.repeat(ROWS[:3], [280, 10, 10], axis=0)

    verdict = gamma_of("rbf", "median", rows)

    assert verdict.value == 0.25
    assert "is 0" in verdict.reason


def test_kernels_without_a_gamma_tell_of_none():
    assert "gamma" not in fit_kernel(ROWS, 2, kernel="linear").choices
