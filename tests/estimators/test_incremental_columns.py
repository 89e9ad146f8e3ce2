"""IncrementalPCA with more columns than a matrix of them fits: what is kept is proven."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from eigenlens import PCA, IncrementalPCA, OptionError
from eigenlens.algebra.scatter import LeadingScatter
from tests.estimators.batches import assert_same, cut, fed
from tests.problems import make_table


@pytest.fixture
def narrow(monkeypatch):
    """As if more than three columns were too many for a scatter matrix, and memory scarce."""
    monkeypatch.setattr(IncrementalPCA, "MOST_COLUMNS", 3)
    monkeypatch.setattr("eigenlens.estimators.batches.LEAST_KEPT", 4)


@pytest.mark.usefixtures("narrow")
@given(
    st.integers(70, 500),
    st.integers(4, 120),
    st.integers(1, 6),
    st.integers(0, 1000),
    st.sampled_from(["linear", "slow", "fast", "flat"]),
)
def test_the_bounds_hold_where_only_leading_directions_are_kept(n, d, k, seed, decay):
    k = min(k, d)
    rows = make_table(n, d, seed, decay=decay, offset=10.0)
    exact = np.linalg.eigvalsh(np.cov(rows.T, dtype=np.longdouble).astype(np.float64))[::-1]

    found = fed(cut(rows, 50), k)

    certificate = found.certificate_
    low, high = certificate.eigenvalue_bounds.T
    slack = 1e-13 * exact[0]
    assert isinstance(found._running.kept, LeadingScatter)
    assert certificate.kind == "deterministic"
    assert np.all(low <= exact[:k] + slack)
    assert np.all(exact[:k] <= high + slack)
    assert found._running.kept.compressions > 0 or n <= 3 * (2 * k + 10)
    captured = np.trace(found.components_ @ np.cov(rows.T) @ found.components_.T)
    assert certificate.captured_ratio <= captured / exact.sum() + 1e-12
    best = exact[:k].sum()
    assert (best - captured) / best <= certificate.suboptimality + 1e-12


@pytest.mark.usefixtures("narrow")
def test_the_angle_holds_where_only_leading_directions_are_kept():
    rows = make_table(2000, 150, 5, decay="fast")
    rows += 1e-3 * np.random.default_rng(0).standard_normal(rows.shape)
    _, vectors = np.linalg.eigh(np.cov(rows.T))
    true = vectors[:, ::-1][:, :4]

    found = fed(cut(rows, 90), 4)

    inside = found.components_ @ true
    sine = np.sqrt(max(0.0, 1 - np.linalg.svd(inside)[1].min() ** 2))
    assert found._running.kept.compressions > 5
    assert sine <= found.certificate_.subspace_angle < 0.01
    sines = np.sqrt(np.maximum(0, 1 - np.square(np.diag(inside))))
    assert np.all(sines <= found.certificate_.angle_bounds + 1e-9)


@pytest.mark.usefixtures("narrow")
def test_what_fits_into_the_directions_kept_is_exact_and_merges():
    rows = make_table(500, 90, 6, rank=12, offset=100.0)

    one, other = fed(cut(rows[:200], 40), 5), fed(cut(rows[200:], 40), 5)

    assert_same(one.merge(other), PCA(5, tolerance=1e-12).fit(rows), rtol=1e-9)
    assert one.certificate_.relative_error < 1e-9


@pytest.mark.usefixtures("narrow")
def test_sparse_batches_may_have_many_columns():
    rng = np.random.default_rng(1)
    rows = sp.random_array((400, 80), density=0.1, rng=rng, format="csr")

    found = fed([rows[:200], rows[200:]], 3)

    exact = np.linalg.eigvalsh(np.cov(rows.toarray().T))[::-1][:3]
    low, high = found.certificate_.eigenvalue_bounds.T
    assert np.all((low <= exact) & (exact <= high))


@pytest.mark.usefixtures("narrow")
def test_no_number_is_that_of_the_first_batch_where_columns_are_many():
    pca = fed(cut(make_table(60, 30, 7), 12))

    assert pca.n_components_ == 12
    assert pca.components_.shape == (12, 30)


@pytest.mark.usefixtures("narrow")
def test_the_model_says_what_was_kept():
    pca = fed(cut(make_table(600, 100, 8), 50), 2)

    assert "14 leading directions are kept" in pca.model_.choices["solver"].reason
    assert "dropped on the way" in str(pca.certificate_)
    with pytest.raises(OptionError, match="moments"):
        pca.model_.merge(pca.model_)


def test_directions_that_do_not_fit_in_memory_are_refused(monkeypatch):
    monkeypatch.setattr("eigenlens.estimators.batches.budget_bytes", lambda memory: 10_000)

    with pytest.raises(OptionError, match=r"n_components=6 with 30 columns.*n_components=50"):
        IncrementalPCA(6).fit(make_table(60, 30, 7))
