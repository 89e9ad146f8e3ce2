"""Numbers beside scikit-learn's and scipy's: equal where definitions agree, and where they do not,
a test that states the disagreement and why."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import svds
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.preprocessing import StandardScaler

import eigenlens as el
from tests.market import far_from_origin, graded
from tests.problems import make_table
from tests.reference import exact_spectrum

EPS = np.finfo(np.float64).eps
DATA = {"iris": load_iris, "wine": load_wine, "digits": load_digits}


@pytest.fixture(params=DATA, scope="module")
def rows(request):
    return DATA[request.param]().data


def close_to(expected, like):
    """Equal up to eps of the largest, times the number of rows or columns both sides sum over."""
    return pytest.approx(expected, rel=0, abs=10 * max(like.shape) * EPS * np.abs(expected).max())


# -- where definitions agree -----------------------------------------------------------------


def test_eigenvalues_ratios_and_mean_agree(rows):
    peer = PCA(5 if rows.shape[1] > 5 else 3, svd_solver="full").fit(rows)

    model = el.fit(rows, peer.n_components_)

    assert model.eigenvalues == close_to(peer.explained_variance_, rows)
    assert model.explained_ratio == close_to(peer.explained_variance_ratio_, rows)
    assert model.mean == close_to(peer.mean_, rows)
    assert model.noise_variance == pytest.approx(peer.noise_variance_, rel=1e-9)


def test_components_agree_up_to_the_rule_of_signs(rows):
    peer = PCA(3, svd_solver="full").fit(rows)

    model = el.fit(rows, 3)

    cosines = np.abs(np.sum(model.components * peer.components_, axis=1))
    assert cosines == pytest.approx(np.ones(3), abs=1e-10)
    largest = np.abs(peer.components_).argmax(axis=1)
    theirs = peer.components_ * np.sign(peer.components_[np.arange(3), largest])[:, None]
    np.testing.assert_allclose(model.components, theirs, atol=1e-8)


def test_scores_agree_up_to_sign(rows):
    peer = PCA(3, svd_solver="full").fit(rows)

    scores = el.fit(rows, 3).project(rows)

    np.testing.assert_allclose(np.abs(scores), np.abs(peer.transform(rows)), atol=1e-7)


def test_the_same_fraction_takes_the_same_number_of_components(rows):
    for fraction in (0.5, 0.9, 0.99):
        peer = PCA(fraction, svd_solver="full").fit(rows)

        assert el.fit(rows, fraction).n_components == peer.n_components_


def test_likelihoods_agree(rows):
    # Without columns that never vary, and with fewer components than columns.
    rows = rows[:, rows.std(axis=0) > 0.5]
    peer = PCA(3, svd_solver="full").fit(rows)

    density = el.fit(rows, 3).log_likelihood(rows)

    np.testing.assert_allclose(density, peer.score_samples(rows), rtol=1e-8)


def test_standardizing_is_the_scaler_but_for_its_divisor():
    rows = load_wine().data
    peer = PCA(4, svd_solver="full").fit(StandardScaler().fit_transform(rows))

    model = el.fit(rows, 4, scale="std")

    # Theirs divides by n in the deviations and by n - 1 in the variances: n / (n - 1) too much.
    n = len(rows)
    assert model.eigenvalues * n / (n - 1) == close_to(peer.explained_variance_, rows)
    assert model.explained_ratio == close_to(peer.explained_variance_ratio_, rows)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix])
def test_sparse_tables_agree_with_arpack(form):
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((300, 60)) < 0.1, rng.poisson(3, (300, 60)), 0).astype(float)
    peer = PCA(4, svd_solver="arpack", random_state=0).fit(sp.csr_matrix(dense))

    model = el.fit(form(dense), 4, tolerance=1e-10)

    assert model.eigenvalues == pytest.approx(peer.explained_variance_, rel=1e-9)


def test_raw_second_moments_are_those_of_a_truncated_decomposition():
    rows = np.abs(make_table(100, 20, 1)) + 0.5
    peer = TruncatedSVD(3, algorithm="arpack", random_state=0).fit(rows)

    model = el.fit(rows, 3, center=False, tolerance=1e-10)

    assert model.eigenvalues * len(rows) == pytest.approx(peer.singular_values_**2, rel=1e-9)


@pytest.mark.parametrize("solver", ["krylov", "lanczos", "orthogonal"])
def test_iterative_solvers_agree_with_scipy(solver):
    rows = make_table(400, 90, 2, decay="slow")
    singular = svds(rows - rows.mean(axis=0), 4, return_singular_vectors=False, rng=0)

    model = el.fit(rows, 4, solver=solver, tolerance=1e-8)

    values = np.sort(singular)[::-1] ** 2 / (len(rows) - 1)
    assert model.eigenvalues == pytest.approx(values, rel=1e-8)


# -- where they do not -----------------------------------------------------------------------


def test_disagreement_noise_variance_on_wide_tables():
    """The average over all d - k directions left out, not over the min(n, d) - k listed ones.

    The probabilistic model has noise in every direction, also in those that n rows cannot span.
    """
    rows = make_table(20, 100, 3)
    peer = PCA(5, svd_solver="full").fit(rows)

    model = el.fit(rows, 5)

    left = model.total_variance - model.eigenvalues.sum()
    assert model.noise_variance == pytest.approx(left / (100 - 5), rel=1e-10)
    assert peer.noise_variance_ == pytest.approx(left / (20 - 5), rel=1e-10)


def test_disagreement_far_from_the_origin_in_float32():
    """Means are taken out of the block before it is multiplied, not out of the product after."""
    problem = far_from_origin(20_000, "float32", 1e4)
    truth = exact_spectrum(problem).eigenvalues

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = PCA(10).fit(problem.rows)
    model = el.fit(problem.rows, 10)

    theirs = np.abs(peer.explained_variance_[0] / truth[0] - 1)
    ours = np.abs(model.eigenvalues / truth - 1).max()
    assert theirs > 0.01
    assert ours < 1e-5


def test_disagreement_slow_spectra_of_the_randomized_solver():
    """What was not proven is worked on, or warned about; theirs returns what it has."""
    rows = np.random.default_rng(0).standard_normal((1500, 600))
    values = np.linalg.eigvalsh(np.cov(rows.T))[::-1][:10]
    peer = PCA(10, svd_solver="randomized", iterated_power=2, random_state=0).fit(rows)

    model = el.fit(rows, 10, tolerance=1e-4)

    assert np.abs(peer.explained_variance_ / values - 1).max() > 0.01
    assert np.abs(model.eigenvalues / values - 1).max() <= 1e-4


def test_disagreement_the_most_components_of_a_centered_table():
    """n centered rows span n - 1 dimensions; theirs lists one more, with eigenvalue zero."""
    rows = make_table(10, 30, 4)
    peer = PCA(svd_solver="full").fit(rows)

    assert peer.n_components_ == 10
    assert peer.explained_variance_[-1] < 1e-20
    assert el.fit(rows, 9).n_components == 9
    with pytest.raises(el.RankError, match="at most 9"):
        el.fit(rows, 10)


def test_disagreement_the_rule_of_signs():
    """The largest entry of a component decides here; scikit-learn did so for scores until 1.5."""
    rows = load_iris().data

    components = el.fit(rows, 4).components

    assert np.all(components[np.arange(4), np.abs(components).argmax(axis=1)] > 0)


def test_disagreement_small_eigenvalues_from_a_covariance_matrix():
    """Sixteen orders of magnitude: squared into a matrix the last are rounding, and we say so."""
    problem = graded()
    truth = exact_spectrum(problem).eigenvalues
    peer = PCA(17, svd_solver="covariance_eigh").fit(problem.rows)

    with pytest.warns(el.NotCertified):
        model = el.fit(problem.rows, 17, solver="covariance", tolerance=1e-3)

    assert abs(peer.explained_variance_[-1] / truth[-1] - 1) > 1e-3
    low, high = model.certificate.eigenvalue_bounds[-1]
    assert low <= truth[-1] <= high
