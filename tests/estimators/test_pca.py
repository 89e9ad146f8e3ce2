"""eigenlens.PCA in the place of scikit-learn's: the same attributes, dtypes, signs and methods."""

import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.decomposition import PCA as Theirs
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from eigenlens import PCA, Certificate, Subspace, fit
from eigenlens.solvers import OrthogonalIteration
from tests.estimators.tables import SOLVERS, table

ARRAYS = [
    "components_",
    "explained_variance_",
    "explained_variance_ratio_",
    "singular_values_",
    "mean_",
]
NUMBERS = ["n_components_", "n_samples_", "noise_variance_", "n_features_in_"]


@pytest.mark.parametrize("shape", [(80, 6), (6, 80), (40, 40)], ids=["tall", "wide", "square"])
@pytest.mark.parametrize("whiten", [False, True])
def test_attributes_and_scores_are_those_of_scikit_learn(shape, whiten):
    rows = table(*shape)

    ours, theirs = (one(4, whiten=whiten, svd_solver="full").fit(rows) for one in (PCA, Theirs))

    for name in ARRAYS + NUMBERS:
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-12)
    assert_allclose(ours.transform(rows), theirs.transform(rows), rtol=1e-9, atol=1e-11)
    assert_allclose(ours.inverse_transform(ours.transform(rows)), theirs.inverse_transform(
        theirs.transform(rows)), rtol=1e-9, atol=1e-11)  # fmt: skip


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_finds_the_same(solver):
    rows = table()

    found = PCA(3, svd_solver=solver, tolerance=1e-10).fit(rows)

    exact = Theirs(3, svd_solver="full").fit(rows)
    assert_allclose(found.explained_variance_, exact.explained_variance_, rtol=1e-9)
    assert_allclose(found.components_, exact.components_, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_keep_their_dtype(dtype):
    rows = table(dtype=dtype)

    found = PCA(2).fit(rows)

    assert {getattr(found, name).dtype for name in ARRAYS} == {np.dtype(dtype)}
    assert found.noise_variance_.dtype == dtype
    for answer in (
        found.transform(rows),
        found.fit_transform(rows),
        found.inverse_transform(found.transform(rows)),
        found.score_samples(rows),
        found.get_covariance(),
        found.get_precision(),
    ):
        assert answer.dtype == dtype


@pytest.mark.parametrize("dtype", ["int8", "int64", "bool", "float16", ">f8", "longdouble"])
def test_other_numbers_become_float64(dtype):
    rows = (table() > 2).astype(dtype)

    found = PCA(2).fit(rows)

    assert found.components_.dtype == found.transform(rows).dtype == np.float64


@pytest.mark.parametrize("scale", [1e-30, 1e25])
def test_numbers_that_float32_cannot_hold_are_given_in_float64(scale):
    rows = (table() * scale).astype(np.float32)

    found = PCA(3, whiten=True).fit(rows)

    exact = Theirs(3, svd_solver="full").fit(rows.astype(np.float64))
    assert found.explained_variance_.dtype == found.noise_variance_.dtype == np.float64
    assert_allclose(found.explained_variance_, exact.explained_variance_, rtol=1e-5)
    assert_allclose(
        found.get_covariance(), exact.set_params(whiten=False).get_covariance(), rtol=1e-3
    )
    assert_allclose(found.transform(rows).std(axis=0, ddof=1), 1, rtol=1e-5)
    assert found.transform(rows).dtype == np.float32


def test_the_largest_entry_of_a_component_is_positive():
    components = PCA(5).fit(table()).components_

    largest = np.take_along_axis(components, np.abs(components).argmax(axis=1)[:, None], axis=1)
    assert (largest > 0).all()


@pytest.mark.parametrize("whiten", [False, True])
@pytest.mark.parametrize("solver", ["auto", "randomized", "krylov"])
def test_fit_transform_is_fit_then_transform(solver, whiten):
    rows = table()
    pca = PCA(3, svd_solver=solver, whiten=whiten)

    at_once = pca.fit_transform(rows)

    assert_array_equal(at_once, pca.fit(rows).transform(rows))


def test_whitened_scores_have_unit_variance():
    scores = PCA(3, whiten=True).fit_transform(table())

    assert_allclose(np.cov(scores.T), np.eye(3), atol=1e-10)


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_whitening_does_not_depend_on_units(scale):
    rows = table()

    scores = PCA(whiten=True).fit_transform(rows * scale)

    assert_allclose(scores, PCA(whiten=True).fit_transform(rows), rtol=1e-6, atol=1e-9)


def test_whitening_and_its_inverse_cancel_without_variance():
    rows = table(n=6, d=20)
    pca = PCA(whiten=True).fit(rows)

    assert np.isfinite(pca.transform(rows)).all()
    assert_allclose(pca.inverse_transform(pca.transform(rows)), rows, atol=1e-10)


def test_standardizing_inside_is_standardizing_before():
    rows = table() * np.arange(1, 7)
    before = StandardScaler().fit(rows)
    before.scale_ *= np.sqrt(len(rows) / (len(rows) - 1))  # ours divides by n - 1

    inside = PCA(3, scale="std").fit(rows)

    outside = PCA(3).fit(before.transform(rows))
    assert_allclose(inside.components_, outside.components_, atol=1e-10)
    assert_allclose(inside.transform(rows), outside.transform(before.transform(rows)), atol=1e-9)
    assert_allclose(
        inside.inverse_transform(inside.transform(rows)).mean(axis=0), rows.mean(axis=0)
    )


def test_the_model_and_its_certificate_are_there():
    rows = table()

    found = PCA(3).fit(rows)

    assert isinstance(found.model_, Subspace)
    assert isinstance(found.certificate_, Certificate)
    assert_array_equal(found.model_.components, fit(rows, 3).components)


def test_a_changed_attribute_is_used():
    rows = table()
    pca = PCA(2).fit(rows)
    scores = pca.transform(rows)

    pca.components_ *= -1
    pca.mean_ = pca.mean_ + 1

    assert_allclose(pca.transform(rows), -scores + pca.components_ @ -np.ones(6))


def test_single_precision_rows_far_from_the_origin_keep_their_scores():
    rows = table(n=400, offset=1e4, dtype=np.float32)
    exact = Theirs(3, svd_solver="full").fit(rows.astype(np.float64))

    scores = PCA(3).fit_transform(rows)

    wanted = exact.transform(rows.astype(np.float64))
    assert np.abs(scores - wanted).max() <= 1e-5 * np.abs(wanted).max()
    assert np.abs(scores.mean(axis=0)).max() <= 1e-5


def test_random_states_become_seeds():
    rows = table(n=300, d=40)

    def answer(state):
        return PCA(2, svd_solver="randomized", iterated_power=30, random_state=state).fit(rows)

    assert_array_equal(answer(3).components_, answer(3).components_)
    state = np.random.RandomState(3)
    assert (answer(state).components_ != answer(state).components_).any()


@pytest.mark.parametrize("again", [clone, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_an_estimator_can_be_copied(again):
    rows = table()
    pca = PCA(2, svd_solver=OrthogonalIteration(max_passes=50), whiten=True).fit(rows)

    copied = again(pca)

    assert copied.get_params() == pca.get_params()
    if again is clone:
        copied.fit(rows)
    assert_array_equal(copied.transform(rows), pca.transform(rows))
    assert repr(copied.certificate_) == repr(pca.certificate_)


def test_it_works_in_a_pipeline_and_a_search():
    pipeline = make_pipeline(StandardScaler(), PCA(random_state=0))

    search = GridSearchCV(pipeline, {"pca__n_components": [1, 3]}, cv=2).fit(table(n=200))

    assert search.best_params_ == {"pca__n_components": 3}
    assert list(search.best_estimator_.get_feature_names_out()) == ["pca0", "pca1", "pca2"]


@pytest.mark.parametrize(
    "method", ["transform", "inverse_transform", "score", "score_samples", "get_covariance"]
)
def test_nothing_is_answered_before_the_fit(method):
    arguments = [] if method == "get_covariance" else [table()]

    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(PCA(), method)(*arguments)
