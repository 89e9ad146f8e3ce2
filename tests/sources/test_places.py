"""Which files a path stands for: odd names, patterns that meet folders, folders named by values."""

import os

import numpy as np
import pytest

import eigenlens as el
from eigenlens.errors import FileError
from tests.sources import files
from tests.sources.kinds import NAMES, small_table

TABLE = small_table()


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows_of(data):
    return np.vstack(list(el.open(data).blocks(3)))


class Path:
    """Nothing but `__fspath__`."""

    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


GIVEN = {
    "bytes": b"a.npy",
    "text": Path("a.npy"),
    "path of bytes": Path(b"a.npy"),
    "list": [b"a.npy"],
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_whatever_the_system_takes_for_a_path_is_one(here, given):
    np.save("a.npy", TABLE)

    np.testing.assert_array_equal(rows_of(given), TABLE)


def test_a_name_that_is_no_text_is_one(here):
    name = os.fsdecode(b"caf\xe9.npy")
    np.save(name, TABLE)

    model = el.fit(name, 2, checkpoint="run.ckpt")

    np.testing.assert_array_equal(rows_of(os.fsencode(name)), TABLE)
    assert model.n_rows == len(TABLE)


@pytest.mark.parametrize("given", ["", " ", b"", [""], ["a.npy", ""]])
def test_an_empty_path_is_not_this_folder(here, given):
    np.save("a.npy", TABLE)

    with pytest.raises(FileError, match=r"is empty.*'\.' for all tables in this folder"):
        el.fit(given, 1)
    assert el.open(".").shape == TABLE.shape


def test_a_double_colon_may_be_part_of_a_name(here):
    (here / "run::3").mkdir()
    np.save("run::3/a::b.npy", TABLE)
    np.savez("run::3/c::d.npz", one=TABLE, two=TABLE + 1)

    np.testing.assert_array_equal(rows_of("run::3/a::b.npy"), TABLE)
    np.testing.assert_array_equal(rows_of("run::3/c::d.npz::two"), TABLE + 1)
    with pytest.raises(FileError, match="holds no table 'three'"):
        el.open("run::3/c::d.npz::three")


# -- patterns ------------------------------------------------------------------------------------


@pytest.fixture
def nested(here):
    """Two tables in folders below, one beside them, and something that is no table."""
    for place, part in enumerate(("top", "deep/one", "deep/er/two")):
        (here / "data" / part).parent.mkdir(parents=True, exist_ok=True)
        np.save(here / "data" / f"{part}.npy", TABLE + place)
    (here / "data/deep/readme.txt").write_text("no table")
    return here / "data"


@pytest.mark.parametrize("pattern", ["data/**", "dat?/**", "data/**/*.npy", "**/*.npy"])
def test_folders_that_match_are_looked_into_once(nested, pattern):
    assert el.open(pattern).shape == (3 * len(TABLE), 6)


@pytest.mark.parametrize("pattern", ["data/dee*", "data/d*p"])
def test_folders_may_be_all_that_matches(nested, pattern):
    expected = np.vstack([TABLE + 2, TABLE + 1])

    np.testing.assert_array_equal(rows_of(pattern), expected)


def test_files_that_match_and_are_no_tables_are_named(nested):
    with pytest.raises(FileError, match=r"readme.txt' has an ending"):
        el.open("data/deep/*")


def test_stores_are_one_table_also_in_folders_and_patterns(here):
    pytest.importorskip("zarr")
    (here / "data").mkdir()
    files.zarr(TABLE, NAMES, here / "data")

    for given in ("data", "data/*", "data/**", "data/*.zarr", "**/*.zarr"):
        np.testing.assert_array_equal(rows_of(given), TABLE)


# -- folders named by values ---------------------------------------------------------------------


@pytest.fixture(params=["table", "table/*", "table/half=*/*.parquet", "table/**"])
def by_halves(request, here):
    files.parquet_folder(TABLE, NAMES, here)
    return request.param


def test_what_folders_are_named_by_is_left_out_and_said_so(by_halves):
    model = el.fit(by_halves, 2)

    assert model.feature_names == NAMES
    assert model.choices["columns"].evidence["left_out"] == ["half"]
    assert "the folders are named by it" in model.choices["columns"].reason


def test_what_folders_are_named_by_cannot_be_asked_for(by_halves):
    with pytest.raises(
        FileError, match=r"'half' is not a column of the files.*names of their folder"
    ):
        el.open(by_halves, columns=["half"])


def test_one_of_the_folders_is_a_table_of_its_own(here):
    files.parquet_folder(TABLE, NAMES, here)

    source = el.open("table/half=2")

    assert source.left_out == ()
    np.testing.assert_array_equal(np.vstack(list(source.blocks(50))), TABLE[4:])


def test_a_column_that_is_in_the_files_too_is_a_column(here):
    files.parquet(TABLE, ("half", *NAMES[1:]), here, "table/half=1/rows.parquet")

    source = el.open("table")

    assert source.names[0] == "half"
    assert source.left_out == ()


# -- tables without rows -------------------------------------------------------------------------

HEADER = "name,height\n"
BODY = "ada,1.5\nbob,2\n"


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a"), ("a", "b", "c")])
def test_files_that_have_a_header_only_are_passed_over(here, order):
    texts = {"a": HEADER, "b": HEADER + BODY, "c": HEADER + "eve,3\n"}
    for name in order:
        (here / f"{name}.csv").write_text(texts[name])

    source = el.open([here / f"{name}.csv" for name in order])

    assert source.names == ("height",)
    assert source.shape[0] == (3 if "c" in order else 2)
    assert source.left_out == ("name",)


def test_a_header_of_other_columns_is_an_error_all_the_same(here):
    (here / "a.csv").write_text("name,weight\n")
    (here / "b.csv").write_text(HEADER + BODY)

    with pytest.raises(FileError, match=r"'a.csv' lacks 'height' and also has 'weight'"):
        el.open("*.csv")


@pytest.mark.parametrize("write", [files.parquet, files.arrow_file])
def test_tables_of_no_rows_are_passed_over(here, write):
    (here / "none").mkdir()
    (here / "some").mkdir()
    empty, full = write(TABLE[:0], NAMES, here / "none"), write(TABLE, NAMES, here / "some")

    for given in ([empty, full], [full, empty], [empty, full, empty]):
        np.testing.assert_array_equal(rows_of(given), TABLE)


def test_arrays_of_no_rows_are_passed_over(here):
    np.save("a.npy", TABLE[:0])
    np.save("b.npy", TABLE)
    np.save("c.npy", TABLE[:0, :3])

    np.testing.assert_array_equal(rows_of(["a.npy", "b.npy"]), TABLE)
    with pytest.raises(FileError, match="same columns"):
        el.open(["b.npy", "c.npy"])


@pytest.mark.parametrize("count", [1, 2])
def test_nothing_but_headers_is_an_error(here, count):
    for number in range(count):
        (here / f"{number}.csv").write_text(HEADER)

    with pytest.raises(FileError, match="holds no rows of numbers"):
        el.open("*.csv")


def test_a_file_of_no_bytes_is_named(here):
    (here / "a.csv").touch()
    (here / "b.csv").write_text(HEADER + BODY)

    with pytest.raises(FileError, match=r"'a.csv' is empty"):
        el.open("*.csv")
