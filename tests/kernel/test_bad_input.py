"""What cannot be done is said, with the numbers that stand in its way and the way out."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import euclidean_distances

import eigenlens as el
from eigenlens.errors import (
    DataError,
    KernelError,
    MemoryBudgetError,
    NotCertified,
    OptionError,
    RankError,
)
from eigenlens.kernel.fit import fit_kernel

ROWS = np.random.default_rng(0).standard_normal((60, 3))
METHODS = ["exact", "nystrom"]


def indefinite():
    """A matrix with five positive eigenvalues and two clearly negative ones."""
    rng = np.random.default_rng(1)
    vectors = np.linalg.qr(rng.standard_normal((20, 7)))[0]
    vectors -= vectors.mean(axis=0)
    return (vectors * [9, 8, 7, 6, 5, -2, -3]) @ vectors.T


# -- matrices --------------------------------------------------------------------------------


def test_an_indefinite_matrix_is_refused_with_the_size_of_its_negative_part():
    values = np.linalg.eigvalsh(indefinite())
    share = -values[values < 0].sum() / np.abs(values).sum()

    with pytest.raises(KernelError, match=f"{share:.2%}") as caught:
        fit_kernel(indefinite(), kernel="precomputed")

    assert f"2 of them, down to {values[0]:.4g}" in str(caught.value)
    assert "n_components=5 or fewer" in str(caught.value)


def test_the_way_out_of_an_indefinite_matrix_leads_out():
    values, vectors = np.linalg.eigh(indefinite())

    positive = (vectors * values.clip(0)) @ vectors.T

    model = fit_kernel(positive, 7, kernel="precomputed")
    np.testing.assert_allclose(model.eigenvalues[:5], values[::-1][:5], rtol=1e-12)


def test_positive_components_of_an_indefinite_matrix_come_with_a_warning():
    values = np.linalg.eigvalsh(indefinite())[::-1]

    with pytest.warns(NotCertified, match="not positive semidefinite"):
        model = fit_kernel(indefinite(), 3, kernel="precomputed")

    np.testing.assert_allclose(model.eigenvalues, values[:3], rtol=1e-12)
    assert "positive part" in str(model.certificate)
    assert model.choices["kernel"].evidence["negative_share"] > 0.1


def test_distances_are_not_similarities():
    distances = euclidean_distances(ROWS)

    with pytest.raises(KernelError, match="not distances"):
        fit_kernel(distances, 2, kernel="precomputed")
    with pytest.raises(KernelError, match="not distances"):
        fit_kernel(distances, 2, kernel="precomputed", method="nystrom")


def test_a_matrix_that_is_not_symmetric_is_refused():
    matrix = np.exp(-euclidean_distances(ROWS))
    matrix[3, 5] += 1

    with pytest.raises(KernelError, match=r"K\[3, 5\] = .* and K\[5, 3\]"):
        fit_kernel(matrix, 2, kernel="precomputed")
    # Landmarks meet it as a distance that cannot be, or among themselves.
    with pytest.raises(KernelError, match=r"never negative|K\["):
        fit_kernel(matrix, 2, kernel="precomputed", n_landmarks=60)


def test_a_matrix_that_is_symmetric_to_rounding_is_not():
    matrix = (ROWS @ ROWS.T).astype(np.float32)
    matrix[3, 5] *= 1 + 1e-7

    assert fit_kernel(matrix, 2, kernel="precomputed").n_components == 2


def test_a_matrix_that_is_not_square_is_refused():
    with pytest.raises(KernelError, match="60 x 3"):
        fit_kernel(ROWS, 2, kernel="precomputed")


def test_negative_distances_to_landmarks_are_noticed():
    def hollow(x, y):
        return float(x @ y) - 2.5 * float(x[0] * y[0])

    with pytest.raises(KernelError, match="a square is never negative"):
        fit_kernel(ROWS, 2, kernel=hollow, method="nystrom", n_landmarks=20)


# -- options ---------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"method": "nystrom"}, {"n_landmarks": 9}])
def test_the_sigmoid_has_no_landmarks(options):
    with pytest.raises(OptionError, match=r"'sigmoid' is not.*method='exact'"):
        fit_kernel(ROWS, 2, kernel="sigmoid", **options)


def test_the_sigmoid_has_components():
    with pytest.warns(NotCertified, match="'sigmoid'"):
        model = fit_kernel(ROWS, 2, kernel="sigmoid", gamma=1.0)

    assert (model.eigenvalues > 0).all()


@pytest.mark.parametrize("gamma", [0, -1.0])
def test_gamma_is_positive(gamma):
    with pytest.raises(OptionError, match=f"gamma={gamma} must be a number greater than 0"):
        fit_kernel(ROWS, 2, kernel="rbf", gamma=gamma)
    with pytest.raises(OptionError, match=r"'gamma' parameter of KernelPCA must be a float in the"):
        el.KernelPCA(2, kernel="rbf", gamma=gamma).fit(ROWS)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kernel", ["linear", "rbf", "exponential", "laplacian", "poly", "cosine"])
def test_equal_points_have_no_components(kernel, method):
    with pytest.raises(KernelError, match="all 9 points are equal"):
        fit_kernel(np.full((9, 3), 1.7), 2, kernel=kernel, method=method)


def test_a_matrix_beyond_the_budget_says_which_landmarks_would_fit():
    rows = np.random.default_rng(0).standard_normal((5000, 3))

    with pytest.raises(MemoryBudgetError, match=r"needs 1\.2 GB") as caught:
        fit_kernel(rows, 2, method="exact", memory="100MB")

    most = int(str(caught.value).split("n_landmarks=")[1].split(" ")[0])
    model = fit_kernel(rows, 2, n_landmarks=most, memory="100MB", tolerance=0.5)
    assert model.method == "nystrom"
    with pytest.raises(MemoryBudgetError, match=f"n_landmarks={most} or fewer"):
        fit_kernel(rows, 2, n_landmarks=2 * most, memory="100MB")


def test_a_budget_without_a_matrix_means_landmarks():
    rows = np.random.default_rng(0).standard_normal((3000, 3))

    model = fit_kernel(rows, 2, kernel="rbf", memory="60MB")

    assert model.method == "nystrom"
    assert "exact mode would take" in model.choices["method"].reason


@pytest.mark.parametrize("asked", [0, -3, 2.5, "many", True])
def test_landmarks_are_counted(asked):
    with pytest.raises(OptionError, match="whole number from 1 up"):
        fit_kernel(ROWS, 2, n_landmarks=asked)


@pytest.mark.parametrize("k", [0, -1, True, "auto", 1.0, 0.0, 7.5])
@pytest.mark.parametrize("method", METHODS)
def test_components_are_counted_or_a_fraction(method, k):
    with pytest.raises(RankError, match=r"k="):
        fit_kernel(ROWS, k, kernel="rbf", method=method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tolerance", [0, -1.0, "small", np.nan])
def test_a_tolerance_is_positive(method, tolerance):
    with pytest.raises(OptionError, match=r"tolerance=.* greater than 0"):
        fit_kernel(ROWS, 2, kernel="rbf", method=method, tolerance=tolerance)


def test_as_many_landmarks_are_taken_as_components_asked_for():
    model = fit_kernel(ROWS, 12, kernel="rbf", gamma=0.01, method="nystrom", tolerance=0.5)

    assert model.n_components == 12


def test_more_components_than_landmarks_are_refused():
    with pytest.raises(OptionError, match=r"n_components=10 needs.*n_landmarks=20"):
        fit_kernel(ROWS, 10, kernel="rbf", n_landmarks=5)


def test_more_components_than_there_are_come_as_those_that_are():
    model = fit_kernel(ROWS, 5, kernel="linear", n_landmarks=20)

    assert model.n_components == 3
    assert "5 were asked for, and there are no more" in model.choices["k"].reason


def test_a_fraction_beyond_what_landmarks_see_asks_for_more():
    with pytest.raises(OptionError, match=r"5 of them see.*n_landmarks=10"):
        fit_kernel(ROWS, 0.99, kernel="rbf", gamma=5.0, n_landmarks=5)


@pytest.mark.parametrize("gamma", ["medium", "knn:0", "knn:x", "median:3"])
def test_an_unknown_rule_for_gamma_is_told_which_there_are(gamma):
    with pytest.raises(OptionError, match="'median'"):
        fit_kernel(ROWS, 2, kernel="rbf", gamma=gamma)


@pytest.mark.parametrize("kernel", ["poly", "linear", "sigmoid", "cosine"])
def test_rules_for_gamma_are_for_kernels_of_distances(kernel):
    with pytest.raises(OptionError, match="kernel of distances"):
        fit_kernel(ROWS, 2, kernel=kernel, gamma="median")


# -- rows ------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "exponential"])
@pytest.mark.parametrize("gamma", [0.3, "median", "knn"])
def test_what_is_not_finite_is_located(method, bad, kernel, gamma):
    rows = ROWS.copy()
    rows[16, 2] = bad
    gamma = 0.3 if kernel == "linear" else gamma

    with pytest.raises(DataError, match="row 16, column 2"):
        fit_kernel(rows, 2, kernel=kernel, gamma=gamma, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_what_is_not_finite_is_located_in_new_rows(method):
    model = fit_kernel(ROWS, 2, kernel="rbf", method=method)
    rows = ROWS.copy()
    rows[7, 1] = np.nan

    for question in (model.project, model.novelty, model.residual):
        with pytest.raises(DataError, match="row 7, column 1"):
            question(rows)


@pytest.mark.parametrize("method", METHODS)
def test_a_kernel_that_overflows_is_blamed_not_the_rows(method):
    with pytest.raises(KernelError, match="'poly' gave values that are NaN or infinite"):
        fit_kernel(ROWS * 1e150, 2, kernel="poly", method=method)


def test_one_row_varies_nowhere():
    with pytest.raises(KernelError, match="one row"):
        fit_kernel(ROWS[:1], 1, kernel="rbf")


def test_a_stream_that_is_gone_cannot_be_read_twice():
    with pytest.raises(DataError, match="read once"):
        fit_kernel(el.open(iter([ROWS])), 2, kernel="rbf")


# -- models ----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [0, 4, 1.5, "2"])
def test_a_model_is_truncated_to_what_it_has(k):
    with pytest.raises(RankError, match="this model has 3"):
        fit_kernel(ROWS, 3, kernel="rbf").truncate(k)


def test_without_a_pre_image_there_is_no_way_back():
    model = fit_kernel(ROWS, 2, kernel="rbf")

    with pytest.raises(OptionError, match="fit_inverse_transform=True"):
        model.reconstruct(np.zeros((1, 2)))


@pytest.mark.parametrize("shape", [(3,), (2, 5), ()])
def test_scores_have_one_number_per_component(shape):
    model = fit_kernel(ROWS, 2, kernel="rbf", preimage="ridge")

    with pytest.raises(DataError, match="2 component"):
        model.reconstruct(np.zeros(shape))


def test_a_matrix_does_not_know_its_rows():
    matrix = ROWS @ ROWS.T

    with pytest.raises(OptionError, match="Cannot fit_inverse_transform with a precomputed"):
        fit_kernel(matrix, 2, kernel="precomputed", preimage="ridge")
    with pytest.raises(OptionError, match="fitted on a matrix"):
        fit_kernel(matrix, 2, kernel="precomputed").novelty(matrix)
    with pytest.raises(OptionError, match="values with themselves"):
        fit_kernel(matrix, 2, kernel="precomputed").residual(matrix)
    with pytest.raises(KernelError, match="60 columns wide"):
        fit_kernel(matrix, 2, kernel="precomputed").project(matrix[:, :9])


def test_new_rows_have_the_columns_of_the_fit():
    with pytest.raises(DataError, match=r"2 columns.*fitted on 3"):
        fit_kernel(ROWS, 2, kernel="rbf").project(ROWS[:, :2])
