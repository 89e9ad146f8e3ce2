"""The references themselves: against numpy where numpy is right, against fractions elsewhere."""

from fractions import Fraction

import numpy as np
import pytest

from tests import market
from tests.distances import assert_close_relative, assert_orthonormal, scaled_error
from tests.problems import Problem, make_problem, make_table
from tests.reference import (
    EXTENDED,
    captured,
    dense,
    divisor,
    exact_mean,
    exact_rows,
    exact_scatter,
    exact_spectrum,
    jacobi_eigh,
    jacobi_svd,
    orthonormal,
    residual_norms,
    sines,
)

extended = pytest.mark.skipif(not EXTENDED, reason="longdouble is float64 on this machine")
EPS = float(np.finfo(np.longdouble).eps)


def fraction_scatter(rows, weights=None):
    """The centered scatter by rational arithmetic, entry by entry."""
    weights = [Fraction(1)] * len(rows) if weights is None else list(map(Fraction, weights))
    columns = [[Fraction(value) for value in column] for column in rows.T.tolist()]
    means = [
        sum(w * x for w, x in zip(weights, column, strict=True)) / sum(weights)
        for column in columns
    ]
    return [
        [
            sum(w * (x - m) * (y - k) for w, x, y in zip(weights, a, b, strict=True))
            for b, k in zip(columns, means, strict=True)
        ]
        for a, m in zip(columns, means, strict=True)
    ]


def as_longdouble(matrix):
    """Fractions rounded once, through two float64 parts."""
    return np.array(
        [[np.longdouble(float(x)) + float(x - Fraction(float(x))) for x in row] for row in matrix]
    )


@extended
@pytest.mark.parametrize("offset", [0, 10**4, 10**9, 2**40 + 1])
@pytest.mark.parametrize("weights", [None, [3, 1, 0, 2, 7, 0.25, 1, 1, 5, 1, 1, 2]])
def test_scatter_of_far_away_integers_is_that_of_fractions(offset, weights):
    rows = np.random.default_rng(0).integers(-20, 21, (12, 4)) + float(offset)

    found = exact_scatter(rows, weights)

    assert_close_relative(found, as_longdouble(fraction_scatter(rows, weights)), 1e-16)


@extended
def test_an_exact_shift_changes_no_eigenvalue():
    near = np.random.default_rng(1).integers(-99, 100, (200, 6)).astype(float)

    here = exact_spectrum(Problem(near)).eigenvalues
    there = exact_spectrum(Problem(near + 2.0**40)).eigenvalues

    assert_close_relative(there, here, 1e-15)


def test_mean_of_far_away_numbers_is_that_of_fractions():
    rows = 1e9 + make_table(50, 3, 2)
    exact = [float(sum(map(Fraction, column)) / 50) for column in rows.T.tolist()]

    assert_close_relative(exact_mean(rows).astype(float), exact, 1e-16)


@pytest.mark.parametrize("kind", ["tall", "wide", "float32", "sparse", "integers"])
def test_scatter_agrees_with_numpy_near_the_origin(kind):
    rows = make_problem(kind, 40, 15, 3).rows
    values = dense(rows).astype(float)

    found = exact_scatter(rows).astype(float) / (len(values) - 1)

    assert scaled_error(found, np.cov(values, rowvar=False).reshape(found.shape)) < 1e-14


@pytest.mark.parametrize("center", [True, False])
def test_integer_weights_are_repeated_rows(center):
    weighted = Problem(make_table(30, 5, 4), np.arange(30) % 4, center)
    repeated = Problem(np.repeat(weighted.rows, weighted.weights, axis=0), None, center)

    found, expected = exact_spectrum(weighted), exact_spectrum(repeated)

    assert divisor(weighted) == divisor(repeated)
    assert_close_relative(found.eigenvalues, expected.eigenvalues, 1e-15)


def test_standardized_rows_have_unit_variance():
    rows = make_table(30, 5, 5, offset=10.0)
    weights = np.arange(30) % 4

    prepared = exact_rows(rows, weights, scale="std")

    assert_close_relative((prepared**2).sum(0), np.full(5, weights.sum() - 1), 100 * EPS)


def test_a_given_scale_divides_the_columns():
    scale = np.array([1.0, 2.0, 4.0])
    rows = make_table(10, 3, 6)

    assert np.array_equal(exact_rows(rows, scale=scale), exact_rows(rows) / scale)


@pytest.mark.parametrize("size", [1, 2, 5, 24])
def test_jacobi_agrees_with_numpy(size):
    half = np.random.default_rng(size).standard_normal((size, size))
    matrix = half + half.T

    eigenvalues, vectors = jacobi_eigh(matrix)

    assert scaled_error(eigenvalues, np.linalg.eigvalsh(matrix)[::-1]) < 1e-13
    assert_orthonormal(vectors, 1000 * EPS)
    assert scaled_error(matrix @ vectors, vectors * eigenvalues) < 1000 * EPS


def test_jacobi_keeps_tiny_eigenvalues_of_graded_matrices():
    steps = 10.0 ** -np.arange(0, 30, 5)
    matrix = np.outer(steps, steps) * (np.eye(6) + 0.1)

    eigenvalues, _ = jacobi_eigh(matrix)
    lengths = (jacobi_svd(np.linalg.cholesky(np.eye(6) + 0.1).T * steps)[0] ** 2).sum(0)

    assert_close_relative(eigenvalues, lengths, 1e-14)


@pytest.mark.parametrize("shape", [(9, 4), (4, 9), (7, 7)])
def test_jacobi_svd_turns_columns_until_they_are_orthogonal(shape):
    matrix = np.random.default_rng(7).standard_normal(shape)

    turned, basis = jacobi_svd(matrix)

    assert_orthonormal(basis, 1000 * EPS)
    assert scaled_error(matrix @ basis, turned) < 1000 * EPS
    lengths = np.sqrt((turned**2).sum(0))[: min(shape)]
    assert scaled_error(lengths, np.linalg.svd(matrix, compute_uv=False)) < 1e-14


@pytest.mark.parametrize("name", market.FITTING)
def test_spectrum_is_made_of_eigenpairs_that_sum_to_the_total(name):
    problem = market.MARKET[name]()

    spectrum = exact_spectrum(problem)

    residuals = residual_norms(spectrum.eigenvectors, problem, spectrum.eigenvalues)
    assert_orthonormal(spectrum.eigenvectors, 1e-14)
    assert max(residuals) <= 1e-14 * spectrum.eigenvalues[0]
    assert_close_relative(spectrum.eigenvalues.sum(), spectrum.total, 1e-14)


def test_eigenvalues_of_hadamard_columns_are_known_exactly():
    spectrum = exact_spectrum(market.twins())

    expected = np.repeat([16.0, 4.0, 1.0], [2, 3, 5]) * 64 / 63
    assert_close_relative(spectrum.eigenvalues, expected, 2e-16)


def test_columns_of_very_different_size_keep_their_own_digits():
    problem = market.huge_and_tiny()

    spectrum = exact_spectrum(problem)

    # The small eigenvalues are those of the short columns less their part in the long ones.
    long = exact_rows(problem.rows[:, ::2] * 1e-150)
    rest = exact_rows(problem.rows[:, 1::2] * 1e150)
    span = orthonormal(long)
    for _ in range(2):
        rest = rest - span @ (span.T @ rest)
    expected = (jacobi_svd(rest)[0] ** 2).sum(0) / 79
    assert_close_relative(spectrum.eigenvalues[3:] * 1e300, expected, 1e-14)


def test_the_whole_space_captures_everything_and_the_leaders_their_eigenvalues():
    problem = make_problem("weighted", 30, 8, 8)
    spectrum = exact_spectrum(problem)

    three = captured(spectrum.eigenvectors[:, :3] @ np.triu(np.ones((3, 3))), problem)

    assert_close_relative(captured(np.eye(8), problem), spectrum.total, 1e-15)
    assert_close_relative(three, spectrum.eigenvalues[:3].sum(), 1e-15)


def test_residuals_measure_how_far_a_vector_is_from_an_eigenvector():
    problem = Problem(np.diag([3.0, 1.0]), center=False)  # C = diag(4.5, 0.5)
    vector = np.array([[0.6], [0.8]])

    assert residual_norms(np.eye(2), problem) == pytest.approx([0, 0])
    assert residual_norms(vector, problem) == pytest.approx([0.48 * 4])
    assert residual_norms(vector, problem, [4.5]) == pytest.approx([0.8 * 4])


def test_sines_of_a_known_pair_of_planes():
    angles = np.array([0.3, 1e-13])
    U = np.eye(5)[:, :2]
    V = np.vstack([np.diag(np.cos(angles)), np.diag(np.sin(angles)), np.zeros((1, 2))])

    assert_close_relative(sines(U, V), np.sin(angles), 1e-5)
    assert_close_relative(sines(U, V[:, 1:]), np.sin(angles[1:]), 1e-5)
    assert sines(V[:, 1:], U) == pytest.approx(sines(U, V[:, 1:]))
