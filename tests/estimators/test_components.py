"""n_components: what each kind of value means, with every solver, dense and sparse."""

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA as Theirs

from eigenlens import PCA, RankError
from tests.estimators.tables import SOLVERS, table


@pytest.mark.parametrize("kind", [np.asarray, scipy.sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("asked", "expected"), [(2, 2), (0.95, 3), ("mle", 3)])
def test_every_kind_of_number_works_with_every_solver(asked, expected, solver, kind):
    found = PCA(asked, svd_solver=solver).fit(kind(table()))

    assert found.n_components_ == len(found.components_) == expected


@pytest.mark.parametrize("kind", [np.asarray, scipy.sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("shape", [(30, 5), (5, 30)], ids=["tall", "wide"])
def test_none_means_all(shape, solver, kind):
    found = PCA(svd_solver=solver).fit(kind(table(*shape)))

    count = 4 if solver == "arpack" else 5
    assert found.components_.shape == (count, shape[1])
    assert_allclose(found.components_ @ found.components_.T, np.eye(len(found.components_)),
                    atol=1e-10)  # fmt: skip
    assert_allclose(found.explained_variance_ratio_.sum(), 1, rtol=0.01 if count == 4 else 1e-9)


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "arpack"])
def test_as_many_components_as_rows_end_with_one_of_variance_zero(solver):
    rows = table(n=4, d=9)

    found = PCA(4, svd_solver=solver).fit(rows)

    assert found.explained_variance_[-1] == 0
    assert_allclose(found.components_ @ found.components_.T, np.eye(4), atol=1e-10)
    assert_allclose(found.transform(rows)[:, -1], 0, atol=1e-10)
    assert found.model_.n_components == 3


def test_the_direction_without_variance_follows_the_sign_rule():
    last = PCA(4).fit(table(n=4, d=9)).components_[-1]

    assert last[np.abs(last).argmax()] > 0


@pytest.mark.parametrize("solver", ["auto", "full", "covariance_eigh", "krylov"])
def test_no_component_at_all_leaves_the_mean_and_the_noise(solver):
    rows = table()

    found = PCA(0, svd_solver=solver).fit(rows)

    theirs = Theirs(0, svd_solver="full").fit(rows)
    assert found.transform(rows).shape == (80, 0)
    assert_allclose(found.inverse_transform(np.zeros((1, 0))), rows.mean(axis=0)[None])
    assert_allclose(found.noise_variance_, theirs.noise_variance_)
    assert_allclose(found.score(rows), theirs.score(rows))


def test_a_fraction_is_exceeded_not_only_reached():
    rows = load_iris().data
    shares = PCA().fit(rows).explained_variance_ratio_.cumsum()

    counts = [PCA(share).fit(rows).n_components_ for share in shares[:-1]]

    assert counts == [2, 3, 4]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_fraction_next_to_one_asks_for_no_more_than_there_are(dtype):
    found = PCA(float(np.nextafter(1, 0))).fit(table(dtype=dtype))

    assert found.n_components_ == len(found.components_) == 6


def test_a_rule_of_ours_can_be_named():
    assert PCA("frobenius:0.9").fit(table()).model_.choices["k"].rule == "frobenius"


def test_numpy_numbers_are_numbers():
    assert PCA(np.int64(2)).fit(table()).n_components_ == 2
    assert PCA(np.float32(0.5)).fit(table()).n_components_ == 1


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_components": 7}, "n_components=7 must be between 0 and .*=6 with svd_solver='full'"),
        (
            {"n_components": 7, "svd_solver": "krylov"},
            "between 0 and .*=6 with svd_solver='krylov'",
        ),
        ({"n_components": 0, "svd_solver": "randomized"}, "must be between 1 and .*=6"),
        ({"n_components": 0, "svd_solver": "arpack"}, "must be between 1 and .*=6"),
        ({"n_components": 6, "svd_solver": "arpack"}, "must be strictly less than .*=6"),
    ],
)
def test_a_number_out_of_range_is_refused_in_the_words_of_scikit_learn(parameters, words):
    with pytest.raises(RankError, match=words):
        PCA(**parameters).fit(table())


def test_mle_needs_as_many_rows_as_columns():
    with pytest.raises(RankError, match="only supported if n_samples >= n_features"):
        PCA("mle").fit(table(n=6, d=20))
