"""A tolerance below float32: found in float32, read out with one thin product in float64."""

import numpy as np
import pytest

import eigenlens as el

# Too large for cache in float32, too: tables in cache are probed by single columns, in more passes.
ROWS, COLUMNS, K = 12_000, 240, 4


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    turned = np.linalg.qr(rng.standard_normal((COLUMNS, COLUMNS)))[0]
    drawn = rng.standard_normal((ROWS, COLUMNS)) * np.arange(1, COLUMNS + 1) ** -0.5
    return (drawn @ turned + 2).astype(np.float32)


@pytest.fixture(scope="module")
def true(rows):
    return np.linalg.eigvalsh(np.cov(rows.T.astype(np.float64)))[::-1][:K]


def holds(model, true):
    low, high = model.certificate.eigenvalue_bounds.T
    blur = 1e-14 * true[0]
    return (low - blur <= true).all() and (true <= high + blur).all()


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9])
def test_one_thin_product_follows_the_float32_matrix(rows, true, tolerance):
    model = el.fit(rows, K, tolerance=tolerance)

    assert model.certificate.passes == 2
    assert model.certificate.rule == "read-out"
    assert model.certificate.kind == "deterministic"
    assert model.certificate.relative_error <= tolerance
    assert holds(model, true)


def test_the_read_out_is_as_exact_as_float64(rows, true):
    model = el.fit(rows, K, tolerance=1e-9)

    np.testing.assert_allclose(model.eigenvalues, true, rtol=1e-13)
    width = np.diff(model.certificate.total_variance_bounds)[0]
    assert width <= 1e-10 * model.total_variance


def test_krylov_explores_in_float32_and_does_not_start_over(rows, true):
    same = el.solvers.BlockKrylov(width=8)  # passes of other widths are no measure of each other
    model = el.fit(rows, K, tolerance=1e-7, solver=same)
    double = el.fit(rows.astype(np.float64), K, tolerance=1e-7, solver=same)

    assert model.certificate.relative_error <= 1e-7
    assert holds(model, true)
    assert model.certificate.passes <= 1.5 * double.certificate.passes + 2


def test_wide_rows_that_float32_cannot_prove_are_not_iterated_over_twice():
    rng = np.random.default_rng(0)
    waves = rng.standard_normal((500, 30)) * 3 * 0.8 ** np.arange(30)
    field = waves @ rng.standard_normal((30, 1500)) + rng.standard_normal((500, 1500))
    same = el.solvers.BlockKrylov(width=16)

    model = el.fit(field.astype(np.float32), 30, solver=same)
    double = el.fit(field, 30, solver=same)

    assert model.certificate.kind == "probabilistic"
    assert model.certificate.sampling_share <= 0.01
    assert model.certificate.passes <= 1.2 * double.certificate.passes


def test_a_tolerance_too_small_for_it_is_met_in_float64(rows, true):
    model = el.fit(rows, K, tolerance=1e-11)

    assert model.certificate.passes == 1
    assert model.certificate.relative_error <= 1e-11
    assert holds(model, true)


def test_a_matrix_asked_for_is_kept_in_float64(rows):
    halves = [el.fit(half, K, tolerance=1e-8, solver="covariance") for half in np.split(rows, 2)]

    whole = halves[0].merge(halves[1])

    np.testing.assert_allclose(
        whole.eigenvalues, el.fit(rows.astype(np.float64), K).eigenvalues, rtol=1e-8
    )
