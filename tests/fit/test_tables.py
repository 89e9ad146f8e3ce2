"""Every kind of table goes through the front door, with its names, columns and scales."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import eigenlens as el
from tests.problems import make_table

EPS = np.finfo(np.float64).eps
ROWS = make_table(200, 6, 1, decay="slow", offset=2.0)
NAMES = ["height", "width", "depth", "mass", "age", "price"]
FRAMES = {
    "pandas": lambda rows: pd.DataFrame(rows, columns=NAMES),
    "polars": lambda rows: pl.DataFrame(rows, schema=NAMES),
    "pyarrow": lambda rows: pa.table(dict(zip(NAMES, rows.T, strict=True))),
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_a_frame_keeps_its_names(make):
    model = el.fit(make(ROWS), 2)

    plain = el.fit(ROWS, 2)
    assert model.feature_names == tuple(NAMES)
    assert plain.feature_names is None
    np.testing.assert_allclose(model.eigenvalues, plain.eigenvalues, rtol=1000 * EPS)


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_new_rows_are_matched_by_name(make):
    model = el.fit(make(ROWS), 2)
    shuffled = pd.DataFrame(ROWS, columns=NAMES)[NAMES[::-1]]

    np.testing.assert_allclose(model.project(shuffled), model.project(ROWS), atol=1e-12)


@pytest.mark.parametrize("columns", [["mass", "age", "height"], [3, 4, 0]])
def test_columns_can_be_chosen(columns):
    model = el.fit(FRAMES["pandas"](ROWS), 2, columns=columns)

    plain = el.fit(ROWS[:, [3, 4, 0]], 2)
    assert model.feature_names == ("mass", "age", "height")
    np.testing.assert_allclose(model.eigenvalues, plain.eigenvalues, rtol=1000 * EPS)


@pytest.mark.parametrize("columns", [slice(1, 4), np.arange(6) % 2 == 0, [5, 1]])
def test_columns_of_an_array_can_be_chosen_by_position_mask_or_slice(columns):
    model = el.fit(ROWS, 2, columns=columns)

    plain = el.fit(ROWS[:, columns], 2)
    np.testing.assert_allclose(model.eigenvalues, plain.eigenvalues, rtol=1000 * EPS)


def test_a_scale_is_used_as_given():
    scale = np.array([1.0, 2.0, 4.0, 0.5, 1.0, 8.0])

    model = el.fit(ROWS, 6, scale=scale)

    divided = el.fit(ROWS / scale, 6)
    np.testing.assert_allclose(model.eigenvalues, divided.eigenvalues, rtol=1000 * EPS)
    np.testing.assert_array_equal(model.scale, scale)
    np.testing.assert_allclose(model.reconstruct(model.project(ROWS)), ROWS, atol=1e-12)


def test_standardizing_divides_by_the_standard_deviation():
    model = el.fit(ROWS, 2, scale="std")

    np.testing.assert_allclose(model.scale, ROWS.std(axis=0, ddof=1), rtol=1000 * EPS)
    assert model.total_variance == pytest.approx(6, rel=1e-12)


def test_a_sparse_matrix_of_any_format_is_a_table():
    rows = np.where(ROWS > 2, ROWS, 0.0)

    models = [
        el.fit(form(rows), 2) for form in (np.array, sp.csr_array, sp.csc_matrix, sp.coo_array)
    ]

    for model in models[1:]:
        np.testing.assert_allclose(model.eigenvalues, models[0].eigenvalues, rtol=1e-10)


def test_a_list_of_rows_is_a_table():
    assert el.fit([[1, 2], [3, 5], [2, 9]], 1).n_rows == 3


def test_a_source_of_ones_own_is_a_table():
    source = el.open(ROWS)

    np.testing.assert_array_equal(el.fit(source, 2).eigenvalues, el.fit(ROWS, 2).eigenvalues)
