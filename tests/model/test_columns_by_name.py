"""A model finds its columns by name, in any order, whatever stands beside them."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import eigenlens as el
from eigenlens.errors import DataError, FileError, UnsupportedData

NAMES = ["height", "weight", "age"]
ROWS = np.random.default_rng(0).standard_normal((20, 3)) * [3, 2, 1] + 5
PLAIN = pandas.DataFrame(ROWS, columns=NAMES)
WIDER = pandas.DataFrame(
    {
        "name": [f"person {i}" for i in range(20)],
        "age": ROWS[:, 2],
        "id": np.arange(20),
        "weight": ROWS[:, 1],
        "height": ROWS[:, 0],
        "born": pandas.date_range("2000-01-01", periods=20),
    }
)
METHODS = ("project", "residual", "log_likelihood")


def wider_file(folder, name):
    path = folder / name
    if name.endswith(".csv"):
        WIDER.to_csv(path, index=False)
    else:
        WIDER.to_parquet(path)
    return path


@pytest.fixture(scope="module")
def model():
    return el.fit(PLAIN, 2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "as_frame",
    [lambda frame: frame, polars.from_pandas, pyarrow.Table.from_pandas],
    ids=["pandas", "polars", "pyarrow"],
)
def test_words_ids_and_dates_may_stand_beside_the_columns(model, method, as_frame):
    found = getattr(model, method)(as_frame(WIDER))

    np.testing.assert_array_equal(found, getattr(model, method)(PLAIN))


@pytest.mark.parametrize("name", ["wider.csv", "wider.parquet"])
def test_in_files_too(model, name, tmp_path):
    path = wider_file(tmp_path, name)

    np.testing.assert_allclose(model.project(path), model.project(PLAIN), rtol=1e-14)


def test_scores_are_written_of_the_same_columns(model, tmp_path):
    out = model.project(WIDER, out=tmp_path / "scores.npy")

    np.testing.assert_array_equal(np.load(out), model.project(PLAIN))


@pytest.mark.parametrize("method", METHODS)
def test_columns_that_are_missing_are_named_with_the_nearest(model, method):
    other = WIDER.rename(columns={"weight": "weigth"})

    with pytest.raises(UnsupportedData, match=r"no column 'weight'.*Did you mean 'weigth'"):
        getattr(model, method)(other)


def test_all_that_are_missing_are_named(model):
    with pytest.raises(UnsupportedData, match="no column 'weight', 'age'"):
        model.project(PLAIN[["height"]])


def test_a_column_that_is_words_now_is_said_to_be(model, tmp_path):
    broken = WIDER.assign(weight="heavy")

    with pytest.raises(UnsupportedData, match="weight"):
        model.project(broken)
    broken.to_csv(tmp_path / "broken.csv", index=False)
    with pytest.raises(FileError, match=r"column 'weight' holds 'heavy', which is not a number"):
        model.project(tmp_path / "broken.csv")


def test_rows_without_names_go_by_position(model):
    np.testing.assert_array_equal(model.project(ROWS), model.project(PLAIN))
    with pytest.raises(DataError, match="4"):
        model.project(np.column_stack([ROWS, ROWS[:, 0]]))


def test_a_source_that_is_open_already_must_have_the_columns(model):
    np.testing.assert_array_equal(model.project(el.open(PLAIN)), model.project(PLAIN))
    with pytest.raises(UnsupportedData, match="no column 'age'"):
        model.project(el.open(PLAIN[["height", "weight"]]))
