"""Frames: names kept, nulls as NaN, columns that hold no numbers named, nothing copied whole."""

import tracemalloc
from decimal import Decimal

import narwhals
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import eigenlens as el
from eigenlens.errors import DataError, UnsupportedData
from eigenlens.sources import open_source
from tests.sources.kinds import NAMES, small_table

GAPS = {"whole": [1, None, 3], "real": [0.5, None, 2.5], "truth": [True, None, False]}
FILLED = [[1, 0.5, 1], [np.nan] * 3, [3, 2.5, 0]]


def nullable(kinds):
    return lambda: pd.DataFrame(
        {name: pd.array(GAPS[name], dtype=kind) for name, kind in zip(GAPS, kinds, strict=True)}
    )


WITH_NULLS = {
    "pandas, nullable": nullable(["Int64", "Float64", "boolean"]),
    "pandas, Arrow": nullable(["int64[pyarrow]", "double[pyarrow]", "bool[pyarrow]"]),
    "polars": lambda: pl.DataFrame(GAPS),
    "pyarrow": lambda: pa.table(GAPS),
    "pyarrow batch": lambda: pa.record_batch(GAPS),
}


@pytest.mark.parametrize("make", WITH_NULLS.values(), ids=WITH_NULLS)
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_nulls_become_nan(make, rows):
    source = open_source(make())

    np.testing.assert_array_equal(np.vstack(list(source.blocks(rows))), FILLED)
    np.testing.assert_array_equal(np.hstack(list(source.panels(rows))), FILLED)
    np.testing.assert_array_equal(source.sample(np.array([2, 1])), [FILLED[2], FILLED[1]])


@pytest.mark.parametrize("make", WITH_NULLS.values(), ids=WITH_NULLS)
def test_nulls_in_columns_of_one_float_dtype_become_nan(make):
    block = next(open_source(make(), columns=["real"]).blocks(9))

    np.testing.assert_array_equal(block, [[0.5], [np.nan], [2.5]])


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"price": [Decimal("1.50"), None]}),
        pa.table({"price": [Decimal("1.50"), None]}),
        pd.DataFrame(
            {"price": pd.array([Decimal("1.50"), None], dtype=pd.ArrowDtype(pa.decimal128(5, 2)))}
        ),
    ],
    ids=["polars", "pyarrow", "pandas"],
)
def test_decimals_are_numbers(frame):
    np.testing.assert_array_equal(next(open_source(frame).blocks(9)), [[1.5], [np.nan]])


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["a", "b"], ("a", "b")),
        ([0, 1], None),
        (["a", 1], None),
        ([("a", 1), ("a", 2)], ("a/1", "a/2")),
        (np.array(["a", "b"]), ("a", "b")),
    ],
)
def test_names_are_kept_where_all_are_strings(labels, names):
    frame = pd.DataFrame(np.ones((3, 2)), columns=labels)

    assert open_source(frame).names == names


def test_a_string_among_other_labels_can_be_chosen_by_name():
    frame = pd.DataFrame(np.ones((3, 2)), columns=["a", 1])

    assert open_source(frame, columns=["a"]).names == ("a",)


def test_integer_labels_are_not_names_but_positions_still_choose():
    frame = pd.DataFrame(small_table(), columns=[10, 20, 30, 40, 50, 60])

    block = next(open_source(frame, columns=[5]).blocks(99))

    np.testing.assert_array_equal(block, small_table()[:, [5]])


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame(np.ones((2, 3)), columns=["a", "b", "a"]), pa.table([[1]] * 3, ["a", "b", "a"])],
    ids=["pandas", "pyarrow"],
)
def test_a_repeated_name_is_an_error(frame):
    with pytest.raises(DataError, match=r"more than once: 'a'\. Rename"):
        open_source(frame)


EVERYTHING = {
    "city": ["Rome", "Oslo"],
    "when": pd.to_datetime(["2020-01-01", "2021-01-01"]),
    "age": [3, 4],
}


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"]
)
def test_columns_that_hold_no_numbers_are_named(make):
    words = r"2 columns.*'city' \(String\), 'when' \(Datetime.*columns=\['age'\]"

    with pytest.raises(UnsupportedData, match=words):
        open_source(make(EVERYTHING))


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([{}, {}], dtype=object),
        pd.Categorical(["a", "b"]),
        pd.to_timedelta([1, 2], unit="s"),
    ],
    ids=["object", "category", "duration"],
)
def test_pandas_columns_of_other_kinds_are_named(column):
    with pytest.raises(UnsupportedData, match=r"1 column does not hold numbers: 'odd'"):
        open_source(pd.DataFrame({"odd": column, "age": [3, 4]}))


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"]
)
def test_choosing_the_numeric_columns_is_the_way_out(make):
    source = open_source(make(EVERYTHING), columns=["age"])

    np.testing.assert_array_equal(next(source.blocks(9)), [[3], [4]])


def test_a_complex_column_is_named():
    with pytest.raises(UnsupportedData, match="complex128 in column 'z'"):
        open_source(pd.DataFrame({"a": [1.0], "z": [1j]}))


@pytest.mark.parametrize("wrap", [lambda lazy: lazy, narwhals.from_native])
def test_a_lazy_frame_is_read_as_its_rows(wrap):
    source = open_source(wrap(pl.LazyFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})))

    np.testing.assert_array_equal(source.sample(np.arange(2)), [[1, 3], [2, 4]])


def test_a_series_is_no_table():
    with pytest.raises(DataError, match=r"1 dimension.*reshape\(-1, 1\)"):
        open_source(pd.Series([1.0, 2.0]))


def test_one_pass_reads_the_bytes_of_the_chosen_columns():
    frame = pl.DataFrame({"a": [1.0, 2.0], "b": [True, False], "c": ["x", "y"]})

    assert open_source(frame, columns=["a", "b"]).stored_bytes == 2 * (8 + 1)


@pytest.mark.parametrize("columns", [None, [0, 7, 40], slice(3, 30)], ids=str)
@pytest.mark.parametrize("kind", ["float64", "mixed", "Float64", "double[pyarrow]"])
def test_a_pandas_frame_is_never_copied_whole(kind, columns):
    frame = pd.DataFrame(np.ones((20_000, 50)))
    frame = frame.assign(**{"0": 1}) if kind == "mixed" else frame.astype(kind)
    source = open_source(frame, columns=columns)

    tracemalloc.start()
    total = sum(block.sum() for block in source.blocks(500))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert total == 20_000 * source.shape[1]
    assert peak < 0.2 * 20_000 * 50 * 8


def test_a_source_shows_its_size_and_library():
    frame = pd.DataFrame(small_table(), columns=NAMES)

    assert repr(open_source(frame)) == "FrameSource(11 x 6, pandas)"


def test_objects_that_are_numbers_are_read_as_numbers():
    rows = np.random.default_rng(3).standard_normal((20, 3))
    frame = pd.DataFrame(rows.astype(object), columns=list("abc"))

    found = el.fit(frame, 2)

    np.testing.assert_allclose(found.mean, el.fit(rows, 2).mean, atol=1e-15)
    assert found.feature_names == ("a", "b", "c")
    frame.iloc[4, 1] = None
    with pytest.raises(el.DataError, match=r"1 missing cell .*row 4, column 'b'"):
        el.fit(frame, 2)


def test_objects_that_are_not_numbers_are_left_out():
    rows = np.random.default_rng(3).standard_normal((20, 3))
    frame = pd.DataFrame(rows.astype(object), columns=list("abc"))
    frame["d"] = [{"x": 1}] * 20

    assert el.fit(frame, 2).feature_names == ("a", "b", "c")
