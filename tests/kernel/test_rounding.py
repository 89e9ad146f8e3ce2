"""What floating point does to a kernel matrix is inside the certificate, and no more than that.

Truth is the matrix in extended precision, and eigenvectors refined in it.
"""

import numpy as np
import pytest

from eigenlens.errors import NotCertified
from eigenlens.kernel.fit import fit_kernel

EPS = np.finfo(np.float64).eps
WIDE = np.longdouble


def exact_values(rows, kernel, gamma, degree=1, coef0=0.0):
    rows, gamma = rows.astype(WIDE), WIDE(gamma)
    apart = rows[:, None, :] - rows[None]
    if kernel == "laplacian":
        return np.exp(-gamma * np.abs(apart).sum(axis=2))
    if kernel == "exponential":
        return np.exp(-gamma * np.sqrt(np.square(apart).sum(axis=2)))
    if kernel == "rbf":
        return np.exp(-gamma * np.square(apart).sum(axis=2))
    if kernel == "sigmoid":
        return np.tanh(gamma * (rows @ rows.T) + WIDE(coef0))
    return (gamma * (rows @ rows.T) + WIDE(coef0)) ** degree


def truth(matrix):
    """Eigenvalues and eigenvectors of the centered matrix, and how far the values may be off."""
    means = matrix.mean(axis=0)
    centered = matrix - means - means[:, None] + means.mean()
    _, vectors = np.linalg.eigh(centered.astype(np.float64))
    vectors = vectors.astype(WIDE)
    for _ in range(2):  # Newton's step towards an orthonormal basis
        vectors = vectors @ (1.5 * np.eye(len(matrix)) - 0.5 * vectors.T @ vectors)
    projected = vectors.T @ centered @ vectors
    values = np.diag(projected)
    off = float(np.sqrt(np.square(projected - np.diag(values)).sum()))
    order = np.argsort(-values)
    return values[order], vectors[:, order].astype(np.float64), off


def with_one_far_row(n=20, d=2, far=1e9):
    rows = np.random.default_rng(0).standard_normal((n, d))
    rows[-1] += far
    return rows


def is_inside(model, values, off):
    low, high = model.certificate.eigenvalue_bounds.T
    found = np.maximum(values[: model.n_components], 0)
    least, most = model.certificate.captured_bounds
    slack = off * len(found)
    inside = (low - off <= found).all() and (found <= high + off).all()
    return inside and least - slack <= found.sum() <= most + slack


@pytest.mark.parametrize("method", ["exact", "nystrom"])
@pytest.mark.parametrize("kernel", ["laplacian", "exponential", "rbf"])
def test_one_far_row_moves_the_shift_and_truth_stays_inside(kernel, method):
    rows = with_one_far_row()

    model = fit_kernel(rows, 3, kernel=kernel, gamma=0.5, method=method)

    values, _, off = truth(exact_values(rows, kernel, 0.5))
    assert is_inside(model, values, off)


@pytest.mark.parametrize("kernel", ["laplacian", "exponential", "rbf"])
def test_one_far_row_does_not_make_the_certificate_say_nothing(kernel):
    model = fit_kernel(with_one_far_row(), 3, kernel=kernel, gamma=0.5, method="exact")

    low, high = model.certificate.eigenvalue_bounds.T
    assert ((high - low) <= 1e-4 * high).all()


def test_eigenvalues_that_count_as_zero_stay_inside_what_is_captured():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((18, 30))
    rows[0] *= 1e6

    model = fit_kernel(rows, 18, kernel="poly", gamma=1e-12, degree=2, method="exact")

    assert (model.eigenvalues == 0).sum() > 5
    values, _, off = truth(exact_values(rows, "poly", 1e-12, 2, 1.0))
    assert is_inside(model, values, off)


@pytest.mark.parametrize("method", ["exact", "nystrom"])
def test_the_angle_allows_for_rounding_of_the_matrix(method):
    rows = np.random.default_rng(0).standard_normal((12, 8)) + 1e5

    model = fit_kernel(rows, 1, kernel="poly", gamma=1e-11, degree=1, coef0=10.0, method=method)

    _, vectors, _ = truth(exact_values(rows, "poly", 1e-11, 1, 10.0))
    scores = model.project(rows)[:, 0]
    sine = np.sqrt(max(1 - (vectors[:, 0] @ scores / np.linalg.norm(scores)) ** 2, 0))
    assert EPS * 1e6 < sine <= model.certificate.subspace_angle < 1


@pytest.mark.parametrize("seed", range(8))
def test_projected_rows_of_an_indefinite_fit_turn_by_no_more_than_the_angle(seed):
    # Components held 1e-12 of negative directions, which kernel values of the whole matrix
    # multiply by the ratio of the eigenvalues.
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((int(rng.integers(20, 60)), 1))

    with pytest.warns(NotCertified, match="'sigmoid'"):
        model = fit_kernel(rows, 5, kernel="sigmoid", gamma=0.2, coef0=0.8)

    _, vectors, _ = truth(exact_values(rows, "sigmoid", 0.2, coef0=0.8))
    scores = model.project(rows) / np.linalg.norm(model.project(rows), axis=0)
    found = np.sum(vectors[:, :5] * scores, axis=0)
    sines = np.linalg.norm(scores - vectors[:, :5] * found, axis=0)
    assert (sines <= model.certificate.angle_bounds + 20 * EPS).all()


def test_large_numbers_leave_the_certificate_finite():
    rows = np.random.default_rng(0).standard_normal((9, 4)) * 1e120

    model = fit_kernel(rows, 2, kernel="linear", method="nystrom", n_landmarks=5)

    low, high = model.certificate.eigenvalue_bounds.T
    assert (low > 0).all()
    assert np.isfinite(high).all()
