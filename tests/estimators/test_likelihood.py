"""The probabilistic model behind score, get_covariance and get_precision."""

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal
from sklearn.decomposition import PCA as Theirs

from eigenlens import PCA
from tests.estimators.tables import table


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_the_score_is_that_of_scikit_learn(count):
    rows, others = table(), table(seed=1)

    ours, theirs = (one(count, svd_solver="full").fit(rows) for one in (PCA, Theirs))

    assert_allclose(ours.score_samples(others), theirs.score_samples(others))
    assert_allclose(ours.score(others), theirs.score(others))


def test_the_score_is_the_density_of_the_covariance():
    rows = table()
    pca = PCA(2).fit(rows)

    density = multivariate_normal(pca.mean_, pca.get_covariance()).logpdf(rows)

    assert_allclose(pca.score_samples(rows), density)


@pytest.mark.parametrize("count", [1, 3, 6])
@pytest.mark.parametrize("scale", [None, "std", [1, 2, 3, 4, 5, 6]])
def test_precision_is_the_inverse_of_covariance(scale, count):
    pca = PCA(count, scale=scale).fit(table())

    assert_allclose(pca.get_covariance() @ pca.get_precision(), np.eye(6), atol=1e-9)


def test_all_components_give_the_covariance_of_the_data():
    rows = table()

    assert_allclose(PCA().fit(rows).get_covariance(), np.cov(rows.T), atol=1e-10)


def test_the_covariance_is_in_the_units_of_the_data():
    rows = table() * np.arange(1, 7)

    assert_allclose(PCA(scale="std").fit(rows).get_covariance(), np.cov(rows.T), atol=1e-9)


@pytest.mark.parametrize("shape", [(80, 6), (6, 80)], ids=["tall", "wide"])
def test_a_model_without_noise_still_has_a_finite_score(shape):
    rows = table(*shape)

    pca = PCA().fit(rows)

    assert pca.noise_variance_ == 0
    assert np.isfinite(pca.score(rows))
    assert np.isfinite(pca.get_precision()).all()


def test_sparse_rows_have_a_score():
    rows = table()
    pca = PCA(2).fit(rows)

    assert_allclose(pca.score_samples(scipy.sparse.csc_array(rows)), pca.score_samples(rows))


def test_scoring_wide_rows_needs_no_square_matrix():
    wide = np.random.default_rng(0).standard_normal((20, 200_000))

    assert np.isfinite(PCA(2).fit(wide).score(wide))  # d x d would be 320 GB
