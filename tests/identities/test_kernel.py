"""Theorems of kernel PCA: exact mode is the textbook's, landmarks see what they should."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.kernel.fit import fit_kernel
from tests.kernel.problems import (
    EPS,
    NEAR,
    apart,
    exact,
    kernel_problems,
    matrix,
    rounding,
    seen_from_landmarks,
)
from tests.reference import kernel as reference

MOVING = ("linear", "rbf", "exponential", "laplacian")
near = kernel_problems(clouds=NEAR)


# -- exact mode ------------------------------------------------------------------------------


@given(near)
def test_eigenvalues_are_those_of_the_centered_matrix(problem):
    model = exact(problem)

    truth = reference.eigenvalues(matrix(problem))[: model.n_components]
    assert np.abs(model.eigenvalues - truth).max() <= rounding(problem)


@given(near)
def test_new_points_are_centered_as_the_textbook_says(problem):
    model = exact(problem)
    truth = reference.eigenvalues(matrix(problem))
    k = apart(truth, model.n_components, 1e-3 * truth[0])
    assume(k > 0)
    new = problem.rows[::2] + 0.01

    expected = reference.scores(matrix(problem), matrix(problem, new), k)

    # Rounding of the matrix turns vectors by that over the gap.
    limit = rounding(problem) * np.sqrt(truth[0]) / (1e-3 * truth[0]) + 1e-12
    same_up_to_sign = np.sign((expected * model.project(new)[:, :k]).sum(axis=0))
    np.testing.assert_allclose(model.project(new)[:, :k] * same_up_to_sign, expected, atol=limit)


@given(near)
def test_the_largest_score_of_every_component_is_positive(problem):
    for model in (exact(problem), seen_from_landmarks(problem)):
        scores = model.anchor_scores[:, model.eigenvalues > 0]
        largest = np.abs(scores).argmax(axis=0)

        assert (scores[largest, np.arange(scores.shape[1])] > 0).all()


@given(near)
def test_distances_to_the_components_add_up_to_what_they_miss(problem):
    model = exact(problem)

    missed = model.residual(problem.rows).sum()

    total = float(np.trace(reference.centered(matrix(problem))))
    assert missed == pytest.approx(total - model.eigenvalues.sum(), abs=10 * rounding(problem))


@given(near)
def test_the_rows_of_the_fit_have_the_scores_of_the_fit(problem):
    rows = problem.rows
    options = {**problem.options, "random_state": problem.seed}

    for method in ("exact", "nystrom"):
        kpca = el.KernelPCA(problem.k, method=method, **options)
        fitted = kpca.fit_transform(rows)

        size = np.sqrt(kpca.eigenvalues_[0])
        np.testing.assert_allclose(kpca.transform(rows), fitted, atol=1e-8 * size)


# -- the linear kernel is PCA ----------------------------------------------------------------


@given(kernel_problems(kernels=("linear",)), st.sampled_from(["exact", "nystrom"]))
def test_the_linear_kernel_is_pca(problem, method):
    rows = problem.rows
    k = min(problem.k, problem.d, problem.n - 1)
    pca = el.fit(rows, k, solver="svd")
    assume(apart(np.append(pca.eigenvalues, 0.0), k, 1e-2 * pca.eigenvalues[0]) == k)

    all_rows = {"n_landmarks": problem.n} if method == "nystrom" else {}
    model = fit_kernel(rows, k, kernel="linear", method=method, preimage="fixed_point", **all_rows)

    scale = np.sqrt(pca.total_variance)
    values = model.eigenvalues / (problem.n - 1)
    np.testing.assert_allclose(values, pca.eigenvalues, rtol=1e-10)
    theirs = pca.project(rows)
    signs = np.sign((theirs * model.project(rows)).sum(axis=0))
    np.testing.assert_allclose(model.project(rows) * signs, theirs, atol=1e-10 * scale)
    back = model.reconstruct(model.project(rows))
    np.testing.assert_allclose(back, pca.reconstruct(theirs), rtol=1e-10, atol=1e-10 * scale)


@given(kernel_problems(kernels=("rbf",), clouds=("roll", "gaussian", "curve")))
def test_a_wide_rbf_sees_what_linear_pca_sees(problem):
    rows = problem.rows
    pca = el.fit(rows, 1, solver="svd")
    rest = pca.total_variance - pca.eigenvalues[0]
    assume(pca.eigenvalues[0] > 1.2 * rest)
    gamma = 1e-6 / pca.total_variance

    scores = fit_kernel(rows, 1, kernel="rbf", gamma=gamma, method="exact").project(rows)

    linear = pca.project(rows)
    cosine = abs((scores * linear).sum()) / np.linalg.norm(scores) / np.linalg.norm(linear)
    assert cosine > 1 - 1e-4


# -- landmarks -------------------------------------------------------------------------------


@given(near)
def test_with_every_row_a_landmark_nothing_is_left_out(problem):
    everything, model = seen_from_landmarks(problem, problem.n), exact(problem)
    k = min(everything.n_components, model.n_components)

    limit = everything.certificate.rounding.max() + everything.certificate.residual_trace
    assert (
        everything.certificate.residual_trace <= 1e-11 * problem.n * np.abs(matrix(problem)).max()
    )
    np.testing.assert_allclose(everything.eigenvalues[:k], model.eigenvalues[:k], atol=limit)
    truth = reference.eigenvalues(matrix(problem))
    clear = apart(truth, k, 1e-2 * truth[0])
    scores, exact_scores = (one.project(problem.rows)[:, :clear] for one in (everything, model))
    assert np.abs(np.abs(scores) - np.abs(exact_scores)).max(initial=0.0) <= 1e-7 * np.sqrt(
        truth[0]
    )


@given(near)
def test_the_residual_trace_is_that_of_the_projection_on_the_landmarks(problem):
    model = seen_from_landmarks(problem)

    expected = reference.residual_trace(matrix(problem), model.anchor_numbers)

    size = problem.n * np.abs(matrix(problem)).max()
    assert model.certificate.residual_trace == pytest.approx(expected, abs=float(1e-9 * size))
    novelty = model.novelty(problem.rows)
    assert novelty.sum() == pytest.approx(expected, abs=float(1e-9 * size))


@given(near)
def test_more_landmarks_leave_less_unseen(problem):
    counts = sorted({1, 2, 3, 5, 8, 13, 21, problem.n})
    left = [seen_from_landmarks(problem, m).certificate.residual_trace for m in counts]

    rounding = 1e-12 * problem.n * float(np.abs(matrix(problem)).max())
    assert all(fewer + rounding >= more for fewer, more in pairwise(left))


@given(near)
def test_a_landmark_is_nothing_new_and_nothing_is_newer_than_itself(problem):
    model = seen_from_landmarks(problem)
    rows = problem.rows

    # Entries of the factor's inverse enlarge rounding by up to the root of what a pivot may be.
    own = reference.kernel_values(
        problem.kernel, rows, rows, problem.gamma, problem.degree, problem.coef0
    ).diagonal()
    if problem.kernel == "linear":
        own = np.square(rows - model.shift).sum(axis=1)
    novelty = model.novelty(rows)
    assert novelty[model.anchor_numbers].max() <= 1e-9 * float(own.max())
    assert (novelty <= own.astype(float) * (1 + 1e-12) + 1e-12).all()


@given(near, st.sampled_from([1, 2, 3]))
def test_threads_leave_no_trace(problem, threads):
    one, many = (
        seen_from_landmarks(problem, threads=1),
        seen_from_landmarks(problem, threads=threads),
    )

    np.testing.assert_array_equal(one.coefficients, many.coefficients)
    np.testing.assert_array_equal(one.eigenvalues, many.eigenvalues)


@given(kernel_problems(kernels=MOVING, clouds=("roll", "curve")), st.sampled_from([1.0, 1e4]))
def test_where_the_origin_lies_does_not_matter_to_kernels_that_move(problem, offset):
    here = fit_kernel(problem.rows, problem.k, **problem.options)
    there = fit_kernel(problem.rows + offset, problem.k, **problem.options)

    # Adding the offset has rounded the rows themselves.
    spread = np.abs(problem.rows - problem.rows.mean(axis=0)).max()
    limit = 100 * EPS * (1 + offset / spread) * here.certificate.total_bounds[1]
    np.testing.assert_allclose(here.eigenvalues, there.eigenvalues, atol=limit)
