"""Kernel values at the ends of the scale, without a diagonal, lopsided or missing."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

import eigenlens as el
from eigenlens.errors import KernelError, MemoryBudgetError, OptionError
from eigenlens.kernel.fit import fit_kernel


def cloud(n=40, d=4):
    return np.random.default_rng(0).standard_normal((n, d))


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("method", ["exact", "nystrom"])
@pytest.mark.parametrize("scale", [1e160, 1e-160, 1e-170, 1e300])
def test_the_cosine_does_not_mind_the_scale(scale, method, kind):
    rows = cloud()
    sizes = np.where(np.arange(len(rows)) % 2 == 0, scale, 1.0)[:, None]

    found = fit_kernel(kind(rows * sizes), 3, kernel="cosine", method=method)

    plain = fit_kernel(kind(rows), 3, kernel="cosine", method=method)
    np.testing.assert_allclose(found.eigenvalues, plain.eigenvalues, rtol=1e-13)


def test_squared_distances_below_zero_are_inner_products_once_centered():
    rows = cloud()

    found = fit_kernel(-cdist(rows, rows, "sqeuclidean") / 2, 3, kernel="precomputed")

    plain = fit_kernel(rows, 3, kernel="linear")
    np.testing.assert_allclose(found.eigenvalues, plain.eigenvalues, rtol=1e-12)


def test_a_function_that_tells_its_arguments_apart_is_refused():
    def lopsided(x, y):
        return float(np.exp(-np.square(x - y).sum()) + 1e-3 * x[0])

    with pytest.raises(KernelError, match="a kernel matrix is symmetric, but here K"):
        fit_kernel(cloud(), 2, kernel=lopsided, method="exact")


def test_a_function_without_a_value_for_some_pairs_is_told_so():
    def patchy(x, y):
        return np.nan if min(x[0], y[0]) < -1 < 0.5 < max(x[0], y[0]) else float(x @ y)

    with pytest.raises(KernelError, match="'patchy' gave values that are NaN"):
        fit_kernel(cloud(), 2, kernel=patchy, method="nystrom", n_landmarks=20)


@pytest.mark.parametrize("method", ["exact", "nystrom"])
def test_a_budget_that_holds_no_landmark_is_not_told_to_take_one(method):
    with pytest.raises(MemoryBudgetError, match="Pass memory='"):
        fit_kernel(cloud(200), 2, kernel="rbf", method=method, memory="100kB")


def test_the_rows_of_a_model_cannot_be_written_to():
    fitted = el.KernelPCA(2, kernel="rbf").fit(cloud())

    with pytest.raises(ValueError, match="read-only"):
        fitted.X_fit_[0, 0] = 1.0


def test_a_subspace_does_not_merge_with_a_kernel_model():
    rows = cloud()

    with pytest.raises(OptionError, match="KernelSubspace needs two subspaces"):
        el.fit(rows, 2).merge(fit_kernel(rows, 2))


def test_the_number_of_threads_leaves_no_trace_in_exact_mode():
    rows = cloud(1500)

    one, three = (fit_kernel(rows, 2, method="exact", threads=count) for count in (1, 3))

    np.testing.assert_array_equal(one.eigenvalues, three.eigenvalues)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "cosine", "poly"])
@pytest.mark.parametrize("method", ["exact", "nystrom"])
def test_equal_rows_are_told_apart_from_a_wrong_kernel(kernel, method):
    with pytest.raises(KernelError, match=f"all 6 points are equal under the kernel '{kernel}'"):
        fit_kernel(np.full((6, 3), 2.0), 2, kernel=kernel, method=method)


@pytest.mark.parametrize("method", ["exact", "nystrom"])
def test_components_of_rounding_alone_count_as_zero(method):
    rows = cloud(24, 3) + 1e5

    fitted = el.KernelPCA(kernel="cosine", method=method).fit(rows)

    # Three columns: whatever lies beyond the third direction is rounding.
    assert fitted.eigenvalues_.shape[0] <= 3
    scores = fitted.fit_transform(rows)
    # A value is off by eps, and a score by as much over the root of its eigenvalue, n times.
    limit = np.finfo(float).eps * len(rows) / np.sqrt(fitted.eigenvalues_.min())
    np.testing.assert_allclose(fitted.transform(rows), scores, atol=limit)


def test_few_long_rows_need_little_memory():
    rows = cloud(8, 60_000)

    found = fit_kernel(rows, 2, gamma=1e-5, method="nystrom", n_landmarks=8, memory="200MB")

    plain = fit_kernel(rows, 2, gamma=1e-5, method="exact")
    np.testing.assert_allclose(found.eigenvalues, plain.eigenvalues, rtol=1e-10)
