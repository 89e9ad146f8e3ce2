"""float32 data are read once: rounding may take a tenth of the sampling error, and is stated."""

import numpy as np
import pytest

import eigenlens as el

ROWS, COLUMNS, K = 8000, 120, 8


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    drawn = rng.standard_normal((ROWS, COLUMNS)) * np.arange(1, COLUMNS + 1) ** -0.5
    return (drawn + 0.3 * drawn.std(axis=0)).astype(np.float32)


def test_one_pass_is_enough_and_the_bounds_hold_the_truth(rows):
    model = el.fit(rows, K, solver="covariance")

    true = np.linalg.eigvalsh(np.cov(rows.T.astype(np.float64)))[::-1][:K]
    low, high = model.certificate.eigenvalue_bounds.T
    assert model.certificate.passes == 1
    assert (low <= true).all()
    assert (true <= high).all()


@pytest.mark.parametrize("solver", ["covariance", "krylov", "dual"])
def test_rounding_takes_at_most_a_tenth_of_the_sampling_error(rows, solver):
    part = rows[:400] if solver == "dual" else rows

    model = el.fit(part, K, solver=solver)

    assert model.choices["stop"].rule == "sampling error"
    assert model.certificate.sampling_share <= 0.11


def test_a_tolerance_counts_rounding_in_full(rows):
    model = el.fit(rows, K, tolerance=1e-9)

    assert model.certificate.relative_error <= 1e-9


def test_small_eigenvalues_that_were_not_asked_for_cost_no_second_pass():
    rng = np.random.default_rng(1)
    spectrum = np.geomspace(1, 1e-6, COLUMNS)
    turned = np.linalg.qr(rng.standard_normal((COLUMNS, COLUMNS)))[0]
    rows = (rng.standard_normal((ROWS, COLUMNS)) * spectrum @ turned).astype(np.float32)

    model = el.fit(rows, K)

    assert model.certificate.passes == 1
    assert K <= model.rank.low < COLUMNS == model.rank.high
    assert "float32" in model.rank.reason


def test_the_rank_is_exact_where_the_components_leave_nothing():
    rng = np.random.default_rng(2)
    rows = (rng.standard_normal((ROWS, 3)) @ rng.standard_normal((3, COLUMNS))).astype(np.float32)

    assert el.fit(rows, 3).rank.value == el.fit(rows, 3).rank.high == 3
