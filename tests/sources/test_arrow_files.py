"""Parquet, Arrow and, where it is alike, CSV: rows as written, and errors that name the file."""

import os
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from eigenlens.errors import FileError
from eigenlens.sources import open_source
from eigenlens.sources.files import arrow_file, parquet_file
from tests.sources.written import ROWS, rows_in, table_of_thousand

NAMES = ("a", "b", "c", "d")


def arrow_table(rows):
    columns = {name: rows[:, place] for place, name in enumerate(NAMES)}
    return pa.table({"a": columns["a"], "city": ["Basel"] * len(rows)} | columns)


def write_csv(path, table, separator=","):
    options = pa.csv.WriteOptions(delimiter=separator)
    with pa.output_stream(path) as sink:  # compressed as its ending says
        pa.csv.write_csv(table, sink, options)


def write_stream(path, table):
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=300)


WRITERS = {
    "t.csv": write_csv,
    "t.tsv": lambda path, table: write_csv(path, table, "\t"),
    "t.csv.gz": write_csv,
    "t.csv.zst": write_csv,
    "t.tsv.gz": lambda path, table: write_csv(path, table, "\t"),
    "t.parquet": lambda path, table: pq.write_table(table, path),
    "groups.pq": lambda path, table: pq.write_table(table, path, row_group_size=17),
    "lz4.feather": lambda path, table: pa.feather.write_feather(table, path, chunksize=300),
    "plain.arrow": lambda path, table: pa.feather.write_feather(
        table, path, compression="uncompressed", chunksize=70
    ),
    "stream.ipc": write_stream,
}


@pytest.fixture(params=WRITERS)
def path(request, tmp_path):
    made = tmp_path / request.param
    WRITERS[request.param](made, arrow_table(table_of_thousand()))
    return made


# -- what was written is what is read --------------------------------------------------------------


@pytest.mark.parametrize("rows_per_block", [1, 17, 128, 5000])
def test_the_rows_are_those_that_were_written(path, rows_per_block):
    source = open_source(path)

    assert source.shape == (ROWS, len(NAMES))
    assert source.dtype == np.float64
    np.testing.assert_array_equal(rows_in(source, rows_per_block), table_of_thousand())


def test_names_are_kept_and_text_is_left_out(path):
    source = open_source(path)

    assert source.names == NAMES
    assert source.left_out == ("city",)


@pytest.mark.parametrize("start", [1, 16, 17, 299, 700, 999])
def test_reading_may_start_anywhere(path, start):
    source = open_source(path)

    np.testing.assert_array_equal(rows_in(source, 128, start), table_of_thousand()[start:])


def test_columns_come_in_the_order_asked_for(path):
    source = open_source(path, ["d", "a"])

    assert source.names == ("d", "a")
    np.testing.assert_array_equal(rows_in(source), table_of_thousand()[:, [3, 0]])


def test_panels_and_samples_are_parts_of_the_rows(path):
    source, written = open_source(path), table_of_thousand()

    np.testing.assert_array_equal(np.hstack(list(source.panels(3))), written)
    np.testing.assert_array_equal(source.sample(np.array([999, 0, 500])), written[[999, 0, 500]])


def test_text_asked_for_by_name_is_an_error_that_shows_it(path):
    with pytest.raises(FileError, match=r"column 'city' holds 'Basel', which is not a number"):
        open_source(path, ["a", "city"])


def test_a_file_that_changes_between_passes_is_an_error(path):
    source = open_source(path)
    list(source.blocks(500))
    os.utime(path, ns=(0, 0))

    with pytest.raises(FileError, match=r"changed while it was being read"):
        list(source.blocks(500))


def test_a_file_that_vanished_is_an_error(path):
    source = open_source(path)
    path.unlink()

    with pytest.raises(FileError, match=r"there is no such file"):
        list(source.blocks(500))


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv.zst", "t.parquet", "lz4.feather"])
def test_a_file_cut_off_is_an_error(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path, arrow_table(table_of_thousand()))
    path.write_bytes(path.read_bytes()[:-200])

    with pytest.raises(FileError, match=r"cannot be read as .*may be truncated"):
        open_source(path)


@pytest.mark.parametrize(
    "name", ["t.parquet", "t.arrow", "t.mtx", "t.csv", "t.csv.gz", "t.csv.zst"]
)
def test_foreign_content_is_an_error(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 50)

    with pytest.raises(
        FileError, match=r"cannot be read as .*of another kind than its ending says"
    ):
        open_source(path)


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet", "t.feather", "t.mtx"])
def test_an_empty_file_is_an_error(tmp_path, name):
    (tmp_path / name).touch()

    with pytest.raises(FileError, match=r"is empty: it has no rows"):
        open_source(tmp_path / name)


@pytest.mark.parametrize("name", WRITERS)
def test_no_rows_are_an_error(tmp_path, name):
    WRITERS[name](tmp_path / name, arrow_table(table_of_thousand()[:0]))

    with pytest.raises(FileError, match=r"holds no rows of numbers"):
        open_source(tmp_path / name)


# -- Parquet and Arrow -----------------------------------------------------------------------------

GAPS = {
    "whole": pa.array([1, None, 3]),
    "short": pa.array([1, None, 3], pa.uint8()),
    "real": [0.5, None, 2.5],
    "half": pa.array(np.array([0.5, 1, 2], np.float16)),
    "truth": [True, None, False],
    "price": [Decimal("1.50"), None, Decimal("2.25")],
    "nothing": pa.nulls(3),
}
FILLED = [
    [1, 1, 0.5, 0.5, 1, 1.5, np.nan],
    [np.nan, np.nan, np.nan, 1, np.nan, np.nan, np.nan],
    [3, 3, 2.5, 2, 0, 2.25, np.nan],
]


@pytest.mark.parametrize("name", ["t.parquet", "lz4.feather", "plain.arrow", "stream.ipc"])
def test_nulls_become_nan_in_every_kind_of_column(tmp_path, name):
    WRITERS[name](tmp_path / name, pa.table(GAPS))

    source = open_source(tmp_path / name)

    assert source.names == tuple(GAPS)
    np.testing.assert_array_equal(rows_in(source), FILLED)


@pytest.mark.parametrize("name", ["t.parquet", "lz4.feather"])
def test_single_precision_stays(tmp_path, name):
    single = table_of_thousand().astype(np.float32)
    WRITERS[name](tmp_path / name, arrow_table(single))

    source = open_source(tmp_path / name)

    assert source.dtype == np.float32
    np.testing.assert_array_equal(rows_in(source), single)


@pytest.mark.parametrize("name", ["t.parquet", "lz4.feather"])
def test_dates_categories_and_nested_columns_are_left_out(tmp_path, name):
    others = {
        "day": pa.array([0, 1], pa.date32()),
        "moment": pa.array([0, 1], pa.timestamp("ms")),
        "group": pa.array(["x", "y"]).dictionary_encode(),
        "pair": [{"x": 1.0}, {"x": 2.0}],
        "list": [["a"], ["b"]],
    }
    WRITERS[name](tmp_path / name, pa.table({"number": [1.0, 2.0]} | others))

    source = open_source(tmp_path / name)

    assert source.names == ("number",)
    assert source.left_out == tuple(others)


def test_a_name_that_begins_like_another_is_not_mistaken_for_it(tmp_path):
    columns = {"a": [1.0, 2.0], "a.b": [3.0, 4.0], "a.b.c": [5.0, 6.0]}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")

    source = open_source(tmp_path / "t.parquet", ["a.b", "a"])

    np.testing.assert_array_equal(rows_in(source), [[3, 1], [4, 2]])


def test_the_index_of_a_pandas_frame_is_no_column(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0]}, index=pd.Index([10, 20], name="id"))
    frame.to_parquet(tmp_path / "t.parquet")

    source = open_source(tmp_path / "t.parquet")

    assert source.names == ("x",)
    with pytest.raises(FileError, match=r"'id' holds 'the index of a pandas frame'"):
        open_source(tmp_path / "t.parquet", ["id"])


def test_parquet_starts_at_row_groups(tmp_path):
    pq.write_table(arrow_table(table_of_thousand()), tmp_path / "t.parquet", row_group_size=300)

    reader = parquet_file.reader_of(tmp_path / "t.parquet", None)

    assert reader.starts == (0, 300, 600, 900)


def test_parquet_counts_only_the_bytes_of_numbers(tmp_path):
    noise = np.random.default_rng(0)
    words = [noise.bytes(50).hex() for _ in range(ROWS)]
    numbers = {"x": noise.standard_normal(ROWS)}
    pq.write_table(pa.table(numbers | {"word": words}), tmp_path / "t.parquet")

    reader = parquet_file.reader_of(tmp_path / "t.parquet", None)

    assert 8 * ROWS < reader.stored_bytes < 20 * ROWS


@pytest.mark.parametrize("name", ["t.parquet", "lz4.feather", "t.csv"])
def test_a_file_without_any_number_is_an_error_that_shows_a_value(tmp_path, name):
    WRITERS[name](tmp_path / name, pa.table({"city": ["Basel", "Bern"]}))

    with pytest.raises(FileError, match=r"column 'city' holds 'Basel', which is not a number"):
        open_source(tmp_path / name)


def test_feather_of_version_one_is_refused(tmp_path):
    (tmp_path / "t.feather").write_bytes(b"FEA1" + bytes(100) + b"FEA1")

    with pytest.raises(FileError, match=r"Feather of version 1"):
        open_source(tmp_path / "t.feather")


def test_large_batches_are_mapped(tmp_path, monkeypatch):
    monkeypatch.setattr(arrow_file, "LARGEST_READ", 100)
    WRITERS["plain.arrow"](tmp_path / "t.arrow", arrow_table(table_of_thousand()))

    source = open_source(tmp_path / "t.arrow", ["d", "b"])

    np.testing.assert_array_equal(rows_in(source, 300), table_of_thousand()[:, [3, 1]])


def test_what_dictionaries_take_while_they_are_read_is_told(tmp_path):
    noise = pa.table({"x": np.random.default_rng(0).standard_normal(50_000)})
    pq.write_table(noise, tmp_path / "with.parquet")
    pq.write_table(noise, tmp_path / "without.parquet", use_dictionary=False)

    many, few = (
        parquet_file.reader_of(tmp_path / name, None).working_bytes
        for name in ("with.parquet", "without.parquet")
    )

    assert many - few > 2 * noise.nbytes
