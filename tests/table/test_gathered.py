"""A table whose rows are gone: what follows from their moments, and what does not."""

import numpy as np
import pytest

import eigenlens as el
from tests.problems import make_table

ROWS = make_table(300, 12, 5, offset=4.0)
NEED_ROWS = ["svd", "dual"]
NEED_NONE = ["covariance", "krylov", "lanczos", "power", "orthogonal", "randomized"]


def stream(rows=ROWS, size=40):
    return (rows[start : start + size] for start in range(0, len(rows), size))


def assert_same(model, whole):
    np.testing.assert_allclose(model.eigenvalues, whole.eigenvalues, rtol=1e-10)
    np.testing.assert_allclose(np.abs(model.components @ whole.components.T),
                               np.eye(len(whole.components)), atol=1e-6)  # fmt: skip
    np.testing.assert_allclose(model.total_variance, whole.total_variance, rtol=1e-12)
    np.testing.assert_allclose(model.feature_variances, whole.feature_variances, rtol=1e-11)
    assert model.n_rows == whole.n_rows


@pytest.mark.parametrize("solver", ["auto", *NEED_NONE])
def test_every_solver_that_needs_only_products_finds_the_same(solver):
    model = el.fit(stream(), 3, solver=solver, tolerance=1e-10)

    assert_same(model, el.fit(ROWS, 3, solver="svd"))
    assert model.certificate.passes == 1


@pytest.mark.parametrize("solver", NEED_ROWS)
def test_a_solver_that_needs_the_rows_says_so(solver):
    with pytest.raises(el.OptionError, match=r"read only once.*solver='covariance'"):
        el.fit(stream(), 3, solver=solver)


@pytest.mark.parametrize(
    "options",
    [
        {"center": False},
        {"scale": "std"},
        {"scale": "std", "center": False},
        {"scale": np.arange(1.0, 13.0)},
        {"k": 0.9},
        {"k": "minka"},
    ],
    ids=str,
)
def test_options_mean_what_they_mean_for_rows_at_hand(options):
    options = {"k": 3, **options}

    model = el.fit(stream(), **options)

    whole = el.fit(ROWS, solver="covariance", **options)
    assert_same(model, whole)
    if whole.mean is not None:
        np.testing.assert_allclose(model.mean, whole.mean, rtol=1e-13)
    if whole.scale is not None:
        np.testing.assert_allclose(model.scale, whole.scale, rtol=1e-12)


def test_weights_need_the_rows():
    with pytest.raises(el.OptionError, match=r"weights= needs the rows.*callable"):
        el.fit(stream(), 3, weights=np.ones(300))


def test_a_constant_column_cannot_be_standardized():
    rows = ROWS.copy()
    rows[:, 4] = 7.0

    with pytest.raises(el.ScaleError, match="'4'"):
        el.fit(stream(rows), 3, scale="std")


def test_a_constant_stream_has_nothing_to_explain():
    with pytest.raises(el.DataError, match="are equal"):
        el.fit(stream(np.full((50, 3), 0.1)), 1)


@pytest.mark.parametrize("power", [-400, 400])
def test_very_large_and_very_small_numbers_keep_their_digits(power):
    rows = make_table(60, 5, 1)
    plain, scaled = (el.fit(stream(table), 2) for table in (rows, rows * 2.0**power))

    np.testing.assert_allclose(scaled.eigenvalues / 4.0**power, plain.eigenvalues, rtol=1e-12)
    bounds = scaled.certificate.eigenvalue_bounds / 4.0**power
    np.testing.assert_allclose(bounds, plain.certificate.eigenvalue_bounds, rtol=1e-12)


def test_the_certificate_holds():
    exact = np.linalg.eigvalsh(np.cov(ROWS.T))[::-1][:5]

    certificate = el.fit(stream(), 5).certificate

    low, high = certificate.eigenvalue_bounds.T
    assert np.all(low <= exact * (1 + 1e-14))
    assert np.all(exact <= high * (1 + 1e-14))
    assert certificate.kind == "deterministic"
    assert certificate.relative_error < 1e-11


def test_models_of_streams_merge():
    merged = el.fit(stream(ROWS[:100]), 3).merge(el.fit(stream(ROWS[100:]), 3))

    assert_same(merged, el.fit(ROWS, 3, solver="covariance"))
