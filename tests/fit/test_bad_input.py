"""Bad data through the front door: each mistake is an error of ours, tested by its words.

A message repeats what was given, says what is possible, and what to type next.
"""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import eigenlens as el
from eigenlens.solvers.catalogue import SOLVERS
from tests.fit.words import assert_says, refusal

ROWS = np.random.default_rng(0).standard_normal((30, 5))


# -- the numbers -----------------------------------------------------------------------------


def spoiled():
    rows = ROWS.copy()
    rows[3, 1], rows[4, 2], rows[20:24, 0] = np.nan, -np.inf, np.nan
    return rows


ROWS_OF_LONG_DOUBLES = np.random.default_rng(0).standard_normal((10, 4)).astype(np.longdouble)
COUNTS = "5 missing cells (NaN) and 1 infinite value"
PLACES = ("row 3, column 1; row 4, column 2; row 20, column 0", "row 22, column 0; and 1 more")


@pytest.mark.parametrize("solver", ["auto", *SOLVERS])
def test_nan_and_infinity_are_located_whatever_the_solver(solver):
    message = refusal(el.DataError, spoiled(), 2, solver=solver)

    assert_says(message, COUNTS, "in 6 of its 30 rows", *PLACES)
    assert_says(message, "infinite values, which no option treats", "missing='auto'")


@pytest.mark.parametrize(
    "make",
    [np.float32, np.asfortranarray, sp.csr_array, sp.csc_matrix, sp.coo_array, list],
    ids=["float32", "F", "csr", "csc", "coo", "list"],
)
def test_nan_and_infinity_are_located_however_stored(make):
    data = spoiled().astype(make) if make is np.float32 else make(spoiled())

    assert_says(refusal(el.DataError, data), COUNTS, *PLACES)


@pytest.mark.parametrize(
    "make",
    [pd.DataFrame, lambda table: pl.DataFrame(table), lambda table: pa.table(dict(table))],
    ids=["pandas", "polars", "pyarrow"],
)
def test_in_a_frame_they_are_located_by_name(make):
    frame = make({f"c{i}": column for i, column in enumerate(spoiled().T)})

    assert_says(refusal(el.DataError, frame), "row 3, column 'c1'; row 4, column 'c2'")


def test_a_missing_value_counts_as_nan():
    frame = pl.DataFrame({"a": [1.0, None, 3.0], "b": [1.0, 2.0, 5.0]})

    assert_says(refusal(el.DataError, frame), "1 missing cell", "row 1, column 'a'")


@pytest.mark.parametrize("options", [{"center": False}, {"scale": "std"}, {"weights": np.ones(30)}])
def test_they_are_located_whatever_the_preparation(options):
    assert_says(refusal(el.DataError, spoiled(), **options), COUNTS, *PLACES)


def test_numbers_whose_squares_overflow_are_told_apart_from_infinity():
    message = refusal(el.DataError, ROWS * 1e300)

    assert_says(message, "every number is finite", "1.8e308", "Divide the data by a constant")


@pytest.mark.parametrize("unit", [1e-154, 1e-160, 1e-170, 1e-300])
@pytest.mark.parametrize("options", [{}, {"center": False}])
def test_rows_too_small_to_be_squared_are_told_apart_from_equal_ones(unit, options):
    assert_says(refusal(el.DataError, ROWS * unit, **options), "rows differ", "Multiply the data")


@pytest.mark.parametrize("unit", [1e-154, 1e-160, 1e-170, 1e-300, 1e200])
def test_rows_of_any_size_are_standardized(unit):
    found = el.fit(ROWS * unit, 2, scale="std").eigenvalues

    np.testing.assert_allclose(found, el.fit(ROWS, 2, scale="std").eigenvalues, rtol=1e-11)


# -- the table -------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [np.zeros((0, 5)), [], pd.DataFrame({"a": []}, dtype=float)])
def test_an_empty_table(data):
    assert_says(refusal(el.DataError, data), "0 rows", "at least 2 rows")


def test_a_single_row():
    message = refusal(el.DataError, ROWS[:1])

    assert_says(message, "one row", "shape=(1, 5)", "at least 2 rows", "center=False")


@pytest.mark.parametrize("data", [np.zeros((4, 0)), [[], []]])
def test_no_columns(data):
    assert_says(refusal(el.DataError, data), "0 feature(s)", "columns=[...]")


def test_columns_that_are_not_numbers_are_left_out_unless_asked_for():
    frame = pd.DataFrame({"age": [7, 2, 3], "city": ["a", "b", "c"], "size": [1.0, 2.0, 4.0]})

    model = el.fit(frame, 1)
    message = refusal(el.UnsupportedData, frame, columns=["age", "city"])

    assert model.feature_names == ("age", "size")
    assert "'city'" in model.choices["columns"].reason
    assert_says(message, "1 column does not", "'city' (String)")


def test_an_array_of_objects_names_columns_by_position():
    message = refusal(el.UnsupportedData, np.array([[1, "a"], [2, "b"]], dtype=object))

    assert_says(message, "'1' (str)", "columns=[0]")


def test_dates_are_not_numbers():
    frame = pd.DataFrame({"when": pd.date_range("2020", periods=3), "x": [1.0, 2.0, 4.0]})

    message = refusal(el.UnsupportedData, frame, columns=["when", "x"])

    assert_says(message, "'when' (Datetime")
    assert el.fit(frame, 1).choices["columns"].evidence["left_out"] == ["when"]


@pytest.mark.parametrize("value", [0.0, 0.1, 1e100, -7.0])
def test_a_constant_table(value):
    message = refusal(el.DataError, np.full((30, 4), value))

    assert_says(message, "all 30 rows", "30 x 4", "equal", "rows that differ", "center=False")


def test_rows_that_differ_only_where_they_have_no_weight():
    message = refusal(el.DataError, ROWS, 1, weights=np.r_[5.0, np.zeros(29)])

    assert_says(message, "rows with a positive weight", "30 x 5", "equal")


def test_nothing_but_zeros_raw():
    message = refusal(el.DataError, np.zeros((9, 3)), 1, center=False)

    assert_says(message, "all 9 rows", "are 0", "numbers other than 0")


def test_duplicate_column_names():
    frame = pd.DataFrame(ROWS, columns=list("abcda"))

    assert_says(refusal(el.DataError, frame), "'a'", "Rename or drop")


@pytest.mark.parametrize("data", [ROWS + 1j, sp.csr_array(ROWS + 1j), [[1j, 2], [3, 4]]])
def test_complex_numbers(data):
    message = refusal(el.UnsupportedData, data)

    assert_says(message, "complex128", "np.hstack([data.real, data.imag])", "np.abs(data)")


@pytest.mark.parametrize(("shape", "words"), [((6,), "1 dimension ("), ((1,) * 5, "5 dimension")])
def test_not_two_dimensions(shape, words):
    assert_says(refusal(el.DataError, np.ones(shape)), words, str(shape), "reshape(")


def test_rows_of_different_lengths():
    assert_says(refusal(el.DataError, [[1.0, 2.0], [3.0]]), "same number of entries")


@pytest.mark.parametrize("data", [{"a": [1.0]}, None, 3.0])
def test_what_is_no_table_at_all(data):
    message = refusal(el.DataError, data)

    assert_says(message, f"of type {type(data).__name__}", "a 2-D numpy array", "pandas")


def test_a_masked_array():
    message = refusal(el.DataError, np.ma.masked_greater(ROWS, 1.0))

    assert_says(message, "NaN", "missing='auto'", "missing='drop'")


def test_unknown_columns():
    frame = pd.DataFrame(ROWS, columns=["height", "width", "c", "d", "e"])

    assert_says(refusal(el.UnsupportedData, ROWS, columns=[9]), "no column 9", "0 to 4")
    message = refusal(el.UnsupportedData, frame, columns=["hieght"])
    assert_says(message, "'hieght'", "Did you mean 'height'?")


def test_whole_numbers_beyond_the_floats_are_infinite():
    huge = np.array([[10**400, 1], [2, -(10**400)], [4, 5]], dtype=object)

    assert_says(refusal(el.DataError, huge, 1), "2 infinite values in 2 of its 3 rows")


def test_long_doubles_beyond_the_floats_are_infinite():
    wide = ROWS_OF_LONG_DOUBLES * np.longdouble("1e4000")
    if not np.isfinite(wide).all():
        pytest.skip("long doubles are floats here")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_says(refusal(el.DataError, wide, 1), "infinite values in 9 of its 10 rows")
