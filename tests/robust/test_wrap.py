"""Wrapping: an elementwise map, and the PCA of the mapped table."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.robust.location import wrap_deviations
from eigenlens.robust.wrap import learn_wrapping, wrap_cells
from eigenlens.sources.open import open_source
from tests.robust.tables import angle, draw_clean, plant_cells


@given(st.integers(0, 99), st.integers(12, 80), st.integers(1, 7), st.sampled_from([0.0, 1e4]))
def test_wrapped_columns_have_the_robust_location_and_scale(seed, n, d, offset):
    rng = np.random.default_rng(seed)
    rows = rng.standard_t(3, (n, d)) + offset

    wrapping = learn_wrapping(rows)
    wrapped = wrapping.apply(rows)

    slack = 1e-12 * (offset + 1)
    np.testing.assert_allclose(wrapped.mean(axis=0), wrapping.location, rtol=0, atol=slack)
    np.testing.assert_allclose(wrapped.std(axis=0, ddof=1), wrapping.scale, rtol=1e-11)


@given(st.integers(0, 99), st.integers(12, 60))
def test_the_map_is_the_formula(seed, n):
    rows = np.random.default_rng(seed).standard_t(2, (n, 3))
    wrapping = learn_wrapping(rows)

    z = (rows - wrapping.location) / wrapping.scale
    formula = (wrap_deviations(z) - wrapping.center) / wrapping.spread * wrapping.scale

    np.testing.assert_allclose(wrapping.apply(rows), formula + wrapping.location, atol=1e-12)


def test_the_wrapping_function_is_linear_then_bends_then_is_zero():
    z = np.array([-9.0, -4.0, -1.5, 0.0, 0.7, 1.5, 3.0, 4.0, 100.0])

    found = wrap_deviations(z)

    assert found[[0, 1, 7, 8]].tolist() == [0, 0, 0, 0]
    assert found[2:6].tolist() == z[2:6].tolist()
    assert 0 < found[6] < 1.5
    assert wrap_deviations(np.array([1.5 + 1e-9]))[0] == pytest.approx(1.5, abs=1e-5)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_blocks_panels_and_samples_hold_the_same_numbers(dtype):
    rows = np.random.default_rng(0).standard_t(2, (57, 5)).astype(dtype)
    source = wrap_cells(open_source(rows), learn_wrapping(rows.astype(float)))

    whole = np.concatenate(list(source.blocks(10)))

    assert whole.dtype == dtype
    assert np.array_equal(np.concatenate(list(source.panels(2)), axis=1), whole)
    assert np.array_equal(source.sample(np.arange(57)), whole.astype(float))


def test_the_model_is_that_of_the_wrapped_table():
    rows, _ = draw_clean(300, 8, 1)
    rows, _ = plant_cells(rows, 0.05, 1)

    model = el.fit(rows, 2, robust="wrap")
    other = el.fit(model.robust.wrapping.apply(rows), 2)

    assert np.array_equal(model.components, other.components)
    assert np.array_equal(model.certificate.eigenvalue_bounds, other.certificate.eigenvalue_bounds)


def test_a_file_gives_the_answer_of_the_array(tmp_path):
    rows, _ = draw_clean(500, 6, 2)
    np.save(tmp_path / "rows.npy", rows)

    one, other = (el.fit(data, 2, robust="wrap") for data in (rows, tmp_path / "rows.npy"))

    np.testing.assert_allclose(one.eigenvalues, other.eigenvalues, rtol=1e-12)


def test_wrong_cells_do_not_turn_the_components():
    rows, plane = draw_clean(200, 20, 3)
    spoiled, _ = plant_cells(rows, 0.1, 3)

    assert angle(el.fit(spoiled, 3), plane) > 30
    assert angle(el.fit(spoiled, 3, robust="wrap"), plane) < 14


def test_a_column_of_few_values_is_named_and_left_as_it_is():
    rows, _ = draw_clean(100, 4, 4)
    rows[:, 2] = np.arange(100) < 20

    model = el.fit(rows, 2, robust="wrap")

    assert model.choices["robust"].evidence["not_wrapped"] == ["2"]
    assert np.array_equal(model.robust.wrapping.apply(rows)[:, 2], rows[:, 2])


def test_missing_cells_stay_missing_and_are_estimated():
    rows, _ = draw_clean(200, 6, 5)
    rows[np.random.default_rng(0).random(rows.shape) < 0.05] = np.nan

    with pytest.raises(el.DataError, match="missing"):
        el.fit(rows, 2, robust="wrap")
    model = el.fit(rows, 2, robust="wrap", missing="auto")

    assert model.missing.cells == np.isnan(rows).sum()


def test_infinite_cells_stay_an_error():
    rows, _ = draw_clean(100, 4, 6)
    rows[3, 1] = np.inf

    with pytest.raises(el.DataError, match="infinit"):
        el.fit(rows, 2, robust="wrap")


@pytest.mark.parametrize("size", [1e-39, 1e-44])
def test_numbers_near_the_smallest_float32_are_wrapped(size):
    rows = (np.random.default_rng(0).standard_t(2, (400, 5)) * size).astype(np.float32)

    wrapping = learn_wrapping(rows.astype(np.float64))

    slack = 2 * float(np.finfo(np.float32).smallest_subnormal)
    in_double = wrapping.apply(rows.astype(np.float64))
    np.testing.assert_allclose(wrapping.apply(rows), in_double, rtol=1e-5, atol=slack)


def test_finite_cells_that_overflow_in_units_of_their_column_are_far_and_not_infinite():
    rows = (1e-5 * draw_clean(100, 4, 2)[0]).astype(np.float32)
    spoiled = rows.copy()
    spoiled[5, 1] = 3e38

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = el.fit(spoiled, 2, robust="wrap")

    rows[5, 1] = 1.0
    np.testing.assert_allclose(found.eigenvalues, el.fit(rows, 2, robust="wrap").eigenvalues, 1e-4)
