"""Columns of Parquet and Arrow files: which are numbers, why others are not, and positions."""

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from eigenlens.errors import FileError
from eigenlens.sources import open_source
from tests.sources.written import rows_in


def write_stream(path, table):
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


WRITERS = {
    "t.parquet": lambda path, table: pq.write_table(table, path),
    "t.feather": lambda path, table: pa.feather.write_feather(table, path),
    "t.ipc": write_stream,
}


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.ipc"])
def test_numbers_stored_once_each_are_numbers(tmp_path, name):
    columns = {
        "real": pa.array([1.5, 2.5, 1.5, None]).dictionary_encode(),
        "single": pa.array([1, 2, 1, 2], pa.float32()).dictionary_encode(),
        "whole": pa.array([1, 2, 1, 2]).dictionary_encode(),
        "word": pa.array(["a", "b", "a", "b"]).dictionary_encode(),
    }
    WRITERS[name](tmp_path / name, pa.table(columns))

    source = open_source(tmp_path / name)

    assert source.names == ("real", "single", "whole")
    assert source.left_out == ("word",)
    expected = [[1.5, 1, 1], [2.5, 2, 2], [1.5, 1, 1], [np.nan, 2, 2]]
    np.testing.assert_array_equal(rows_in(source), expected)


def test_runs_of_numbers_are_numbers(tmp_path):
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 5], pa.int32()), pa.array([1.5, 2.5]))
    write_stream(tmp_path / "t.arrow", pa.table({"x": runs}))

    assert rows_in(open_source(tmp_path / "t.arrow"))[:, 0].tolist() == [1.5, 1.5, 2.5, 2.5, 2.5]


def test_reasons_to_leave_a_column_out_name_its_kind(tmp_path):
    others = {
        "day": pa.array([0, 1], pa.date32()),
        "word": ["a", "b"],
        "kind": pa.array(["a", "b"]).dictionary_encode(),
        "pair": [{"x": 1.0}, {"x": 2.0}],
        "raw": [b"a", b"b"],
    }
    table = pa.table({"x": [1.0, 2.0]} | others)
    pq.write_table(table, tmp_path / "t.parquet")

    reasons = open_source(tmp_path / "t.parquet").why_left_out

    assert reasons == {
        "day": "holds dates or times",
        "word": "holds text",
        "kind": "holds text",
        "pair": "holds lists or records",
        "raw": "holds bytes",
    }


@pytest.mark.parametrize("name", ["t.parquet", "t.feather"])
def test_positions_are_those_in_the_file(tmp_path, name):
    table = pa.table({"a": [1.0, 2.0], "city": ["Basel", "Bern"], "b": [3.0, 5.0]})
    WRITERS[name](tmp_path / name, table)

    source = open_source(tmp_path / name, [2, 0])

    assert source.names == ("b", "a")
    with pytest.raises(FileError, match="column 'city' holds 'Basel'"):
        open_source(tmp_path / name, [1])


@pytest.mark.parametrize("name", ["t.parquet", "t.ipc"])
@pytest.mark.parametrize("other", [["a", "b"], [3.0, 4.0]], ids=["text", "numbers"])
def test_a_name_that_two_columns_have_is_refused(tmp_path, name, other):
    columns = [pa.array([1.0, 2.0]), pa.array([2.0, 3.0]), pa.array(other)]
    WRITERS[name](tmp_path / name, pa.Table.from_arrays(columns, names=["x", "y", "x"]))

    with pytest.raises(FileError, match="these occur more than once: 'x'"):
        open_source(tmp_path / name)


def test_who_asks_for_columns_is_not_told_of_others(tmp_path):
    write_stream(tmp_path / "t.ipc", pa.table({"x": [1.0, 2.0], "y": [1.0, 3.0], "w": ["a", "b"]}))

    assert open_source(tmp_path / "t.ipc", ["x"]).left_out == ()
    assert open_source(tmp_path / "t.ipc", slice(1, 3)).left_out == ("w",)
