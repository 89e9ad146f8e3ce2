"""The rounding allowance against float64 and extended precision."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.algebra.ritz import ritz_of_eigenvectors
from eigenlens.certificate.rounding import rounding_of
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from eigenlens.table.sides import FeatureSide
from tests.problems import make_table

OFFSETS = (0.0, 0.5, 30.0, 1e3)
DECAYS = ("slow", "fast", "flat")


def single_and_double(n, d, decay, offset, seed):
    rows = make_table(n, d, seed, decay=decay, offset=offset).astype(np.float32)
    tables = []
    for data in (rows, rows.astype(np.float64)):
        source = open_source(data)
        tables.append(build_table(source, prepare(source, True, None, None)))
    return tables


@pytest.mark.parametrize("decay", DECAYS)
@pytest.mark.parametrize("offset", OFFSETS)
def test_float32_products_stay_within_the_allowance(decay, offset):
    single, double = single_and_double(6000, 50, decay, offset, seed=3)
    values, vectors = np.linalg.eigh(double.covariance())
    ritz = ritz_of_eigenvectors(values[::-1], np.ascontiguousarray(vectors[:, ::-1]))

    image = single.covariance_times(ritz.span)
    formed = single.covariance()

    allowance = rounding_of(FeatureSide(single), ritz, 50)
    exact = ritz.span * ritz.values
    quotients = np.einsum("ij,ij->j", ritz.span, image)
    from_matrix = np.einsum("ij,ik,kj->j", ritz.span, formed, ritz.span)
    assert np.all(np.abs(quotients - ritz.values) <= allowance.values)
    assert np.all(np.abs(from_matrix - ritz.values) <= allowance.values)
    assert np.all(np.linalg.norm(image - exact, axis=0) <= allowance.residuals)
    assert np.linalg.norm(formed - double.covariance(), 2) <= allowance.leftover


def test_the_allowance_is_not_absurd():
    # An allowance that could never be reached would prove nothing: within a factor 3000 here.
    single, double = single_and_double(6000, 50, "slow", 0.0, seed=3)
    values, vectors = np.linalg.eigh(double.covariance())
    ritz = ritz_of_eigenvectors(values[::-1], np.ascontiguousarray(vectors[:, ::-1]))

    image = single.covariance_times(ritz.span)

    errors = np.abs(np.einsum("ij,ij->j", ritz.span, image) - ritz.values)
    assert np.median(rounding_of(FeatureSide(single), ritz, 50).values) < 3000 * np.median(errors)


def test_a_tolerance_float32_cannot_carry_is_computed_in_float64():
    rows = make_table(3000, 40, 5, decay="slow").astype(np.float32)

    model = el.fit(rows, 5, tolerance=1e-9)

    assert model.certificate.relative_error <= 1e-9


@pytest.mark.parametrize("solver", ["covariance", "krylov", "orthogonal", "svd"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("columns", [2, 8, 50])
def test_roundings_that_all_go_the_same_way_stay_within_the_bounds(solver, dtype, columns):
    # One-hot and repeated two-valued columns add up equal numbers: nothing averages out.
    rng = np.random.default_rng(columns)
    for rows in (
        0.3 * np.eye(columns)[rng.integers(0, columns, 8192)],
        np.repeat(np.where(rng.random(8192) < 0.5, 0.7, -0.7)[:, None], columns, axis=1),
    ):
        rows = rows.astype(dtype)
        centered = rows.astype(np.longdouble)
        centered = centered - centered.mean(axis=0)
        truth = np.linalg.eigvalsh((centered.T @ centered / 8191).astype(np.float64))[-1]

        low, high = el.fit(rows, 1, solver=solver).certificate.eigenvalue_bounds[0]

        assert low <= truth <= high


def test_a_certificate_that_meets_a_tolerance_says_so():
    rows = make_table(3000, 40, 5, decay="slow").astype(np.float32)

    model = el.fit(rows, 5, tolerance=1e-5)

    assert model.certificate.relative_error <= 1e-5


def test_residuals_bound_the_distance_to_an_eigenvalue():
    rows = make_table(300, 40, 5, decay="slow")
    model = el.fit(rows, 5, solver=el.solvers.OrthogonalIteration(max_passes=2))
    truth = np.linalg.eigvalsh(np.cov(rows.T))

    distances = np.abs(truth[:, None] - model.eigenvalues).min(axis=0)

    assert np.all(distances <= model.certificate.residuals)
    assert model.certificate.backward_error >= model.certificate.residuals.max() / 2
