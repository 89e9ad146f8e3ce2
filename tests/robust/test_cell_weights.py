"""Weights per cell: what they reduce to, and what they are good for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eigenlens as el
from tests.robust.tables import angle, draw_clean


@settings(max_examples=20)
@given(st.integers(0, 99), st.integers(12, 80), st.integers(3, 8))
def test_proportional_weights_are_weights_of_rows_and_scales_of_columns(seed, n, d):
    rows, _ = draw_clean(n, d, seed, sizes=(4.0, 2.0))
    rng = np.random.default_rng([seed, 3])
    r, c = rng.uniform(0.5, 2, n), rng.uniform(0.5, 2, d)

    one = el.fit(rows, 2, weights=np.outer(r, c))
    other = el.fit(rows, 2, weights=r * c.mean(), scale=np.sqrt(c.mean() / c))

    np.testing.assert_allclose(one.components, other.components, rtol=0, atol=1e-8)
    np.testing.assert_allclose(one.eigenvalues, other.eigenvalues, rtol=1e-10)


@pytest.mark.parametrize("weight", [1.0, 3.0, 1e-3])
def test_equal_weights_are_the_plain_fit(weight):
    rows, _ = draw_clean(50, 5, 1)

    one, other = el.fit(rows, 2, weights=np.full(rows.shape, weight)), el.fit(rows, 2)

    assert np.array_equal(one.components, other.components)
    assert np.array_equal(one.eigenvalues, other.eigenvalues)


@pytest.mark.parametrize("seed", range(4))
def test_weights_of_0_and_1_are_missing_cells(seed):
    rows, _ = draw_clean(80, 6, seed)
    known = np.random.default_rng(seed).random(rows.shape) > 0.1

    one = el.fit(rows, 2, weights=known)
    other = el.fit(np.where(known, rows, np.nan), 2, missing="auto")

    assert np.array_equal(one.components, other.components)
    assert np.array_equal(one.eigenvalues, other.eigenvalues)


def test_errors_per_column_are_a_scale():
    rows, _ = draw_clean(60, 4, 2)
    errors = np.array([1.0, 2.0, 0.5, 3.0])

    one, other = el.fit(rows, 2, errors=errors), el.fit(rows, 2, scale=errors)

    np.testing.assert_allclose(one.eigenvalues, other.eigenvalues, rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_cells_of_little_weight_do_not_turn_the_components(seed):
    rows, plane = draw_clean(150, 10, seed)
    rng = np.random.default_rng([seed, 4])
    errors = np.exp(rng.normal(0, 1.3, rows.shape))
    noisy = rows + errors * rng.standard_normal(rows.shape)
    total = np.sqrt(errors**2 + 1)

    plain, told = el.fit(noisy, 3), el.fit(noisy, 3, errors=total)

    assert angle(told, plane) < 15
    assert angle(told, plane) < 0.6 * angle(plain, plane)
    assert "weight" in str(told.missing)


def test_wrong_weights_are_refused_in_words():
    rows, _ = draw_clean(30, 4, 3)

    with pytest.raises(el.WeightsError, match=r"\(30, 3\)"):
        el.fit(rows, 2, weights=np.ones((30, 3)))
    with pytest.raises(el.WeightsError, match="negative"):
        el.fit(rows, 2, weights=-np.ones((30, 4)))
    with pytest.raises(el.OptionError, match="exclude"):
        el.fit(rows, 2, weights=np.ones(30), errors=np.ones(4))
    with pytest.raises(el.OptionError, match=r"errors=-2.* greater than 0"):
        el.fit(rows, 2, errors=np.array([1.0, -2.0, 1.0, 1.0]))
    with pytest.raises(el.OptionError, match="real numbers"):
        el.fit(rows, 2, errors="high")
    with pytest.raises(el.OptionError, match="real numbers"):
        el.fit(rows, 2, weights=[[1.0, 2.0], [3.0]])
    with pytest.raises(el.OptionError, match="exclude"):
        el.fit(rows, 2, weights=np.random.default_rng(0).random((30, 4)), robust="wrap")


@pytest.mark.parametrize("missing", ["auto", "gaussian", "lowrank"])
def test_missing_cells_beside_weights_per_cell_have_weight_0(missing):
    rows, _ = draw_clean(60, 4, 5)
    rng = np.random.default_rng(5)
    weights, holes = rng.uniform(0.1, 1.0, rows.shape), rng.random(rows.shape) < 0.1

    found = el.fit(np.where(holes, np.nan, rows), 2, weights=weights, missing=missing)

    other = el.fit(rows, 2, weights=np.where(holes, 0.0, weights))
    np.testing.assert_array_equal(found.eigenvalues, other.eigenvalues)


def test_rows_are_not_left_out_beside_weights_per_cell():
    rows, _ = draw_clean(60, 4, 5)
    weights = np.random.default_rng(5).uniform(0.1, 1.0, rows.shape)
    rows[3, 1] = np.nan

    with pytest.raises(el.OptionError, match="one weight per row"):
        el.fit(rows, 2, weights=weights, missing="drop")
    with pytest.raises(el.DataError, match="row 3, column 1"):
        el.fit(rows, 2, weights=weights)
