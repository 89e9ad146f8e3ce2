"""IncrementalPCA: batches leave no trace, nothing is lost, and what is kept is proven."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.decomposition import IncrementalPCA as Theirs
from sklearn.exceptions import NotFittedError

from eigenlens import PCA, DataError, IncrementalPCA, OptionError, RankError
from tests.estimators.batches import ARRAYS, assert_same, cut, fed
from tests.estimators.tables import table
from tests.problems import make_table

# -- batches leave no trace ------------------------------------------------------------------


@pytest.mark.parametrize("size", [20, 63, 200, 500])
def test_a_slow_spectrum_in_batches_is_that_of_all_rows(size):
    rows = make_table(5000, 100, 1)  # eigenvalues 1 / i

    found, whole = fed(cut(rows, size), 10), PCA(10).fit(rows)

    assert_allclose(found.explained_variance_, 1 / np.arange(1, 11), rtol=1e-10)
    assert_same(found, whole)
    assert found.n_samples_seen_ == 5000


@pytest.mark.parametrize("order", ["reversed", "sorted", "shuffled"])
def test_the_order_of_batches_is_invisible(order):
    rows = make_table(600, 20, 2, offset=5.0)
    blocks = cut(rows, 30)
    if order == "sorted":
        blocks = cut(rows[np.argsort(rows[:, 0])], 30)
    elif order == "shuffled":
        blocks = [blocks[i] for i in np.random.default_rng(0).permutation(len(blocks))]

    assert_same(fed(blocks[::-1], 5), PCA(5).fit(rows))


def test_fit_is_the_same_as_feeding():
    rows = table()

    assert_same(IncrementalPCA(3, batch_size=7).fit(rows), fed(cut(rows, 7), 3), rtol=1e-12)


def test_fit_forgets_and_partial_fit_goes_on():
    rows = table()

    pca = IncrementalPCA(2).fit(rows * 100 + 7).fit(rows[:30]).partial_fit(rows[30:])

    assert pca.n_samples_seen_ == 80
    assert_same(pca, PCA(2).fit(rows))


def test_merged_halves_are_the_whole():
    rows = make_table(400, 15, 3, offset=1e4)
    one, other = fed(cut(rows[:100], 30), 4), fed(cut(rows[100:], 50), 4)
    before = other.explained_variance_.copy()

    merged = one.merge(other)

    assert merged is one
    assert_same(merged, PCA(4).fit(rows), rtol=1e-9)
    assert_array_equal(other.explained_variance_, before)
    assert other.n_samples_seen_ == 300


@pytest.mark.parametrize("offset", [1e4, 1e7])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_far_from_the_origin_no_digit_is_lost(dtype, offset):
    if dtype == np.float32 and offset > 1e4:
        offset = 1e4
    rows = (make_table(2000, 10, 4) + offset).astype(dtype)
    exact = np.linalg.eigvalsh(np.cov(rows.T.astype(np.longdouble).astype(np.float64)))[::-1]

    found = fed(cut(rows, 50), 5)

    assert_allclose(
        found.explained_variance_, exact[:5], rtol=1e-6 if dtype == np.float32 else 1e-8
    )


def test_rows_one_at_a_time():
    rows = table()

    assert_same(fed(cut(rows, 1), None), PCA().fit(rows))


@pytest.mark.parametrize("make", [sp.csr_array, sp.csc_matrix, sp.lil_array, sp.coo_array])
@pytest.mark.parametrize("density", [0.03, 0.6])
def test_sparse_batches_are_dense_ones(make, density):
    rng = np.random.default_rng(0)
    rows = np.where(rng.random((300, 40)) < density, rng.exponential(2, (300, 40)), 0)

    found = fed([make(block) for block in cut(rows, 50)], 4)

    assert_same(found, PCA(4).fit(rows))
    assert_same(IncrementalPCA(4, batch_size=60).fit(make(rows)), found)
    assert_allclose(found.transform(make(rows)), PCA(4).fit_transform(rows), atol=1e-9)


def test_frames_keep_their_names_and_are_read_in_batches():
    frame = pd.DataFrame(table(), columns=list("abcdef"))

    pca = fed(cut(frame, 20), 2).set_output(transform="pandas")

    assert list(pca.feature_names_in_) == list("abcdef")
    assert pca.model_.feature_names == tuple("abcdef")
    assert list(pca.transform(frame).columns) == ["incrementalpca0", "incrementalpca1"]
    with pytest.raises(ValueError, match="feature names"):
        pca.partial_fit(frame[list("fedcba")])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_keep_their_dtype(dtype):
    rows = table(dtype=dtype)

    found = fed(cut(rows, 20), 2)

    assert {getattr(found, name).dtype for name in [*ARRAYS, "mean_", "var_"]} == {np.dtype(dtype)}
    assert found.transform(rows).dtype == dtype
    assert found.partial_fit(rows.astype(np.float64)).components_.dtype == np.float64


# -- scikit-learn's face ---------------------------------------------------------------------


@pytest.mark.parametrize("whiten", [False, True])
def test_where_nothing_is_lost_scikit_learn_finds_the_same(whiten):
    rows = table()

    ours, theirs = (one(whiten=whiten, batch_size=20).fit(rows) for one in (IncrementalPCA, Theirs))

    for name in [*ARRAYS, "mean_", "var_", "n_samples_seen_", "batch_size_", "noise_variance_"]:
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-8, atol=1e-10)
    assert_allclose(ours.transform(rows), theirs.transform(rows), atol=1e-8)
    back = [one.inverse_transform(one.transform(rows)) for one in (ours, theirs)]
    assert_allclose(*back, atol=1e-8)
    assert_allclose(ours.get_covariance(), ours.get_precision() @ ours.get_covariance()
                    @ ours.get_covariance(), atol=1e-8)  # fmt: skip


def test_it_can_be_copied_cloned_and_pickled_before_anything_was_asked_of_it():
    rows = table()
    pca = fed(cut(rows[:40], 20), 2)

    copies = [copy.deepcopy(pca), pickle.loads(pickle.dumps(pca))]

    for one in copies:
        assert_same(one.partial_fit(rows[40:]), PCA(2).fit(rows))
    assert pca.n_samples_seen_ == 40
    assert not hasattr(clone(pca), "components_")


def test_nothing_is_decomposed_until_it_is_asked_for():
    pca = fed(cut(table(), 20), 2)

    assert "components_" not in vars(pca)
    assert pca.components_.shape == (2, 6)
    assert "components_" in vars(pca)
    assert "components_" not in vars(pca.partial_fit(table()))


def test_what_is_written_into_the_attributes_counts():
    rows = table()
    pca = fed(cut(rows, 20), 2)
    scores = pca.transform(rows)

    pca.components_ = -pca.components_

    assert_allclose(pca.transform(rows), -scores)


def test_one_row_is_not_yet_a_model():
    pca = IncrementalPCA().partial_fit(table()[:1])

    assert not hasattr(pca, "components_")
    with pytest.raises(AttributeError, match=r"no components_ yet: .*one row"):
        _ = pca.components_
    with pytest.raises(DataError, match="one row"):
        pca.transform(table())
    assert pca.partial_fit(table()[1:]).components_.shape == (6, 6)


def test_as_many_components_as_rows_end_with_one_of_variance_zero():
    found = IncrementalPCA(4).partial_fit(table(n=4, d=9))

    assert found.explained_variance_[-1] == 0
    assert_allclose(found.components_ @ found.components_.T, np.eye(4), atol=1e-10)


# -- what is wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200])
def test_a_batch_that_cannot_be_used_leaves_no_trace(bad):
    rows, batch = table(), table(n=3000)
    batch[2999, 1] = bad
    pca = fed(cut(rows, 20), 2)

    with pytest.raises(DataError, match=r"row 2999, column 1|exceeds the largest"):
        pca.partial_fit(batch)

    assert_same(pca, PCA(2).fit(rows))


@pytest.mark.parametrize(
    ("name", "value"),
    [("n_components", 0), ("n_components", 0.5), ("batch_size", 0), ("whiten", 1), ("copy", "no")],
)
def test_a_wrong_parameter_is_named_in_the_words_of_scikit_learn(name, value):
    messages = []
    for one in (IncrementalPCA, Theirs):
        with pytest.raises(ValueError, match=f"The '{name}' parameter of IncrementalPCA") as error:
            one(**{name: value}).fit(table())
        messages.append(str(error.value))

    assert messages[0] == messages[1]


def test_components_cannot_change_on_the_way():
    pca = IncrementalPCA(3).fit(table()).set_params(n_components=2)

    with pytest.raises(RankError, match="changed from 3 to 2"):
        pca.partial_fit(table())


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (IncrementalPCA(2).fit(table(d=5)), "number of columns"),
        (IncrementalPCA(3).fit(table()), "n_components"),
        (IncrementalPCA(2).fit(pd.DataFrame(table(), columns=list("abcdef"))), "column names"),
    ],
)
def test_what_is_not_alike_cannot_be_merged(other, words):
    with pytest.raises(OptionError, match=words):
        IncrementalPCA(2).fit(table()).merge(other)


def test_what_has_seen_nothing_cannot_be_merged():
    with pytest.raises(NotFittedError):
        IncrementalPCA(2).fit(table()).merge(IncrementalPCA(2))
