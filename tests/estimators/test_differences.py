"""Deliberate differences from scikit-learn's classes: each claim of docs/differences.md, shown.

Where scikit-learn's answer is shown too, a change there will be noticed here.
"""

import warnings

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import PCA as Theirs
from sklearn.decomposition import IncrementalPCA as TheirIncremental

from eigenlens import PCA, DataError, IncrementalPCA
from tests.estimators.tables import SKLEARN_SOLVERS, SOLVERS, table
from tests.problems import make_table


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_takes_sparse_data(solver):
    rows = scipy.sparse.csr_array(table())

    found = PCA(2, svd_solver=solver, tolerance=1e-9).fit(rows)

    assert_allclose(
        found.explained_variance_, PCA(2).fit(rows.toarray()).explained_variance_, rtol=1e-8
    )


@pytest.mark.parametrize("solver", ["arpack", "randomized"])
@pytest.mark.parametrize("asked", [0.95, "mle"])
def test_fractions_and_mle_work_with_truncated_solvers(asked, solver):
    rows = table()

    assert PCA(asked, svd_solver=solver).fit(rows).n_components_ == 3
    with pytest.raises(ValueError, match=r"must be between 1 and|cannot be a string"):
        Theirs(asked, svd_solver=solver).fit(rows)


@pytest.mark.parametrize("solver", SKLEARN_SOLVERS)
def test_whitening_has_no_part_in_the_score(solver):
    rows = table()

    def fitted(one, whiten):
        return one(2, whiten=whiten, svd_solver=solver, random_state=0).fit(rows)

    plain, whitened = fitted(PCA, False), fitted(PCA, True)
    assert_array_equal(whitened.score_samples(rows), plain.score_samples(rows))
    assert_array_equal(whitened.get_covariance(), plain.get_covariance())
    assert_array_equal(whitened.get_precision(), plain.get_precision())
    assert fitted(Theirs, True).score(rows) < fitted(Theirs, False).score(rows)


def test_the_automatic_choice_explains_itself():
    found = PCA(2).fit(table())

    assert found._fit_svd_solver == "full"
    assert found.model_.choices["solver"].reason


def test_noise_does_not_depend_on_the_solver():
    wide = table(n=30, d=100)

    def noise(one, solver):
        return one(5, svd_solver=solver, random_state=0).fit(wide).noise_variance_

    ours = [noise(PCA, solver) for solver in SKLEARN_SOLVERS]
    assert_allclose(ours, noise(PCA, "full"), rtol=1e-3)
    assert_allclose(noise(PCA, "full"), noise(Theirs, "full"))
    assert noise(Theirs, "covariance_eigh") < 0.5 * noise(Theirs, "full")


def test_means_far_away_do_no_harm():
    rng = np.random.default_rng(0)
    rows = (rng.standard_normal((5000, 5)) * [5, 4, 3, 2, 1] + 1e4).astype(np.float32)
    exact = np.linalg.eigvalsh(np.cov(rows.T.astype(np.longdouble).astype(np.float64)))[::-1]

    def error(one):
        return np.abs(one().fit(rows).explained_variance_ / exact - 1).max()

    assert error(PCA) < 1e-4
    assert error(Theirs) > 1


def test_the_randomized_solver_is_not_silently_wrong():
    rows = np.random.default_rng(0).standard_normal((1000, 300))
    exact = np.linalg.eigvalsh(np.cov(rows.T))[::-1][:10].sum()

    def captured(one):
        found = one(10, svd_solver="randomized", random_state=0).fit(rows)
        return found.explained_variance_.sum() / exact

    assert captured(PCA) > 1 - 1e-4
    assert captured(Theirs) < 0.99


@pytest.mark.parametrize("solver", SKLEARN_SOLVERS)
def test_without_copy_the_data_stay_as_they_are(solver):
    rows = table()

    PCA(2, svd_solver=solver, copy=False).fit(rows)

    assert_array_equal(rows, table())


def test_no_random_state_is_a_fixed_one():
    rows = table(n=300, d=40)

    def components():
        return PCA(2, svd_solver="randomized").fit(rows).components_

    assert_array_equal(components(), components())


def test_all_components_of_sparse_data_are_as_many_as_of_dense():
    rows = scipy.sparse.csr_array(table())

    assert PCA().fit(rows).n_components_ == 6
    assert Theirs().fit(rows).n_components_ == 5


def test_a_table_without_variance_is_an_error():
    constant, one_row = np.ones((5, 3)), np.ones((1, 3))

    with pytest.raises(DataError, match="are equal"):
        PCA().fit(constant)
    with pytest.raises(DataError, match="n_samples=1"):
        PCA().fit(one_row)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        assert np.isnan(Theirs().fit(constant).explained_variance_ratio_).all()


def test_fit_transform_of_the_randomized_solver_is_transform():
    rows = np.random.default_rng(0).standard_normal((200, 100))

    def gap(one):
        pca = one(5, svd_solver="randomized", random_state=0)
        return np.abs(pca.fit_transform(rows) - pca.transform(rows)).max()

    assert gap(PCA) == 0
    assert gap(Theirs) > 1e-3


def test_whitening_what_does_not_vary_is_relative_to_what_does():
    tiny = table() * 1e-20

    assert_allclose(PCA(2, whiten=True).fit_transform(tiny).std(axis=0, ddof=1), 1)
    assert Theirs(2, whiten=True).fit_transform(tiny).std() < 1e-3


def test_a_degenerate_model_still_has_a_precision():
    rows = table(n=6, d=20)

    pca = PCA().fit(rows)

    assert np.isfinite(pca.get_precision()).all()
    assert np.isfinite(pca.score(rows))


def test_masked_entries_are_not_read():
    with pytest.raises(DataError, match="NaN"):
        PCA().fit(np.ma.masked_greater(table(), 3))


# -- IncrementalPCA --------------------------------------------------------------------------


def fed(one, rows, batch, **parameters):
    """An estimator of the class `one` that was given the rows in batches."""
    pca = one(**parameters)
    for start in range(0, rows.shape[0], batch):
        pca.partial_fit(rows[start : start + batch])
    return pca


def test_batches_leave_no_trace():
    rows = make_table(5000, 100, 1)  # eigenvalues 1 / i
    whole = PCA(10).fit(rows)

    def off(one):
        found = fed(one, rows, 50, n_components=10)
        eigenvalues = np.abs(found.explained_variance_ / whole.explained_variance_ - 1).max()
        return eigenvalues, abs(found.noise_variance_ / whole.noise_variance_ - 1)

    assert max(off(IncrementalPCA)) < 1e-10
    assert off(TheirIncremental)[0] > 0.03
    assert off(TheirIncremental)[1] > 0.9


def test_partial_fit_takes_sparse_rows():
    rows = table()
    sparse = scipy.sparse.csr_array(rows)

    found = fed(IncrementalPCA, sparse, 20, n_components=2)

    assert_allclose(found.explained_variance_, PCA(2).fit(rows).explained_variance_, rtol=1e-12)
    with pytest.raises(TypeError, match="does not support sparse input"):
        TheirIncremental(2).partial_fit(sparse)


def test_no_number_means_all_components_of_all_rows():
    rows = table(n=30, d=20)

    assert fed(IncrementalPCA, rows, 5).components_.shape == (20, 20)
    assert fed(TheirIncremental, rows, 5).components_.shape == (5, 20)


def test_a_fit_in_small_batches_finds_more_components():
    rows = table()

    assert IncrementalPCA(4, batch_size=2).fit(rows).n_components_ == 4
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with pytest.raises(ValueError, match="has changed from 2 to 4"):
            TheirIncremental(4, batch_size=2).fit(rows)


def test_estimators_of_different_rows_merge():
    rows = table()

    one, other = IncrementalPCA(2).fit(rows[:50]), IncrementalPCA(2).fit(rows[50:])

    assert_allclose(one.merge(other).singular_values_, PCA(2).fit(rows).singular_values_)
    assert not hasattr(TheirIncremental, "merge")


def test_incremental_models_have_a_score():
    rows = table()

    assert_allclose(IncrementalPCA(2).fit(rows).score(rows), PCA(2).fit(rows).score(rows))
    assert not hasattr(TheirIncremental, "score")
