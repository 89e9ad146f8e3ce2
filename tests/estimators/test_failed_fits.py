"""A fit that fails leaves the estimator as it was: fitted, or not at all."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import eigenlens as el
from eigenlens import PCA, IncrementalPCA
from tests.problems import make_table

ROWS = make_table(80, 6, 0)
NAMED = pd.DataFrame(ROWS[:, :4], columns=list("abcd"))
BAD = {
    "nan": ROWS[:, :4] * np.nan,
    "late": np.where(np.arange(80)[:, None] == 79, np.inf, ROWS[:, :3]),
    "constant": np.ones((20, 3)),
    "too few rows": ROWS[:2],
    "one dimension": ROWS[0],
    "names": NAMED * np.nan,
    "text": pd.DataFrame({"a": ["x", "y"]}),
}
KINDS = [PCA, IncrementalPCA]


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_what_was_learned_before_is_all_there(kind, bad):
    pca = kind(3).fit(ROWS)
    before, scores = dict(vars(pca)), pca.transform(ROWS)

    with pytest.raises((ValueError, TypeError)):
        pca.fit(bad)

    assert vars(pca).keys() == before.keys()
    np.testing.assert_array_equal(pca.transform(ROWS), scores)
    assert pca.n_features_in_ == 6
    assert not hasattr(pca, "feature_names_in_")


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_one_that_was_not_fitted_still_is_not(kind, bad):
    pca = kind(3)

    with pytest.raises((ValueError, TypeError)):
        pca.fit(bad)

    with pytest.raises(NotFittedError):
        pca.transform(ROWS)
    assert not hasattr(pca, "n_features_in_")


@pytest.mark.parametrize("bad", [bad for name, bad in BAD.items() if name != "constant"])
def test_a_first_batch_that_fails_leaves_no_trace(bad):
    pca = IncrementalPCA(3)

    with pytest.raises((ValueError, TypeError)):
        pca.partial_fit(bad)

    assert not hasattr(pca, "n_features_in_")
    assert pca.partial_fit(ROWS).n_samples_seen_ == 80


def test_batches_go_on_after_a_fit_that_failed():
    pca = IncrementalPCA(3).fit(ROWS[:40])

    with pytest.raises(ValueError, match="NaN"):
        pca.fit(BAD["nan"])
    pca.partial_fit(ROWS[40:])

    np.testing.assert_allclose(pca.explained_variance_, PCA(3).fit(ROWS).explained_variance_)


def test_names_that_occur_twice_are_an_error_of_ours():
    frame = pd.DataFrame(np.random.default_rng(0).standard_normal((20, 3)), columns=list("aab"))

    with pytest.raises(el.DataError, match="more than once: 'a'"):
        el.PCA(1).fit(frame)


def test_sums_that_overflow_are_no_warning():
    rows = np.sign(np.random.default_rng(0).standard_normal((20, 4))) * 1.7e308

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(el.DataError, match="squares exceeds"):
            el.PCA(1).fit(rows)
