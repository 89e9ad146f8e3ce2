"""Parquet in a small budget: a few columns are decoded at a time, and the rows are the same."""

import errno
import io
import os
from tempfile import gettempdir

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import eigenlens as el
from eigenlens.sources.files.spooled import SpooledFile
from eigenlens.sources.traits import keep_within, traits_of

NAMES = [f"c{index}" for index in range(12)]


@pytest.fixture
def path(tmp_path):
    rng = np.random.default_rng(0)
    columns = [pyarrow.array(rng.standard_normal(5000)) for _ in NAMES]
    columns[3] = pyarrow.array(rng.integers(0, 9, 5000))
    table = pyarrow.table(columns, names=NAMES)
    pyarrow.parquet.write_table(table, tmp_path / "rows.parquet", row_group_size=1700)
    return tmp_path / "rows.parquet"


def spooled(source, budget=1 << 19):
    kept = keep_within(source, budget)
    assert isinstance(kept.reader.file, SpooledFile)
    return kept


def rows_of(source, size=700, start=0):
    return np.vstack([np.array(block) for block in source.blocks(size, start)])


def test_a_small_budget_gives_the_same_rows(path):
    source = el.open(path)

    assert np.array_equal(rows_of(spooled(source)), rows_of(source))


@pytest.mark.parametrize("start", [1, 1699, 1700, 4000])
def test_reading_may_begin_anywhere(path, start):
    source = el.open(path)

    assert np.array_equal(rows_of(spooled(source), 333, start), rows_of(source)[start:])


def test_some_columns_in_another_order(path):
    source = el.open(path, columns=["c7", "c3", "c0"])

    assert np.array_equal(rows_of(spooled(source)), rows_of(source))


def test_it_takes_less_memory_and_says_so(path):
    source = el.open(path)

    assert traits_of(spooled(source)).working_bytes < traits_of(source).working_bytes / 3


def test_a_large_budget_changes_nothing(path):
    source = el.open(path)

    assert keep_within(source, 1 << 40).reader is source.reader


def test_a_list_of_files_keeps_the_budget_too(path):
    source = keep_within(el.open([path, path]), 1 << 19)

    assert all(isinstance(one.file, SpooledFile) for one in source.reader.readers)
    assert len(rows_of(source)) == 10_000


def test_missing_values_stay_missing(tmp_path):
    column = pyarrow.array([1.0, None, 3.0] * 400)
    pyarrow.parquet.write_table(pyarrow.table({"a": column, "b": column}), tmp_path / "n.parquet")

    rows = rows_of(spooled(el.open(tmp_path / "n.parquet"), 1 << 10))

    assert np.array_equal(np.isnan(rows[:, 0]), np.arange(1200) % 3 == 1)


def test_a_fit_within_a_small_budget_is_the_same(path):
    small, large = el.fit(path, 3, memory="1MB"), el.fit(path, 3)

    assert np.allclose(small.eigenvalues, large.eigenvalues, rtol=1e-10)


def test_the_first_rows_alone_need_no_spool(path, monkeypatch):
    source = spooled(el.open(path))
    monkeypatch.setattr("tempfile.TemporaryFile", lambda: pytest.fail("it was spooled"))

    seen = source.glance(50)

    assert len(seen) == 50


def test_few_rows_at_a_time_are_decoded_no_slower(path, monkeypatch):
    """The spool is written in large pieces however small the blocks are that are asked for."""
    from eigenlens.sources.files.parquet_file import ParquetFile

    asked, group_parts = [], ParquetFile.group_parts
    monkeypatch.setattr(
        ParquetFile,
        "group_parts",
        lambda self, columns, group, rows: (
            asked.append(rows) or group_parts(self, columns, group, rows)
        ),
    )

    rows_of(spooled(el.open(path)), 10)

    assert {rows for rows in asked if rows != 10} == {1700, 1600}  # whole groups


class FullDisk(io.BytesIO):
    def write(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_temporary_folder_is_not_the_fault_of_the_data(path, monkeypatch):
    source = spooled(el.open(path))
    monkeypatch.setattr("tempfile.TemporaryFile", FullDisk)

    with pytest.raises(el.FileError) as refused:
        rows_of(source)

    message = str(refused.value)
    for word in ("temporary file", "No space left on device", "TMPDIR", "memory=", gettempdir()):
        assert word in message
    assert "rows.parquet" not in message


def test_a_damaged_file_is_not_the_fault_of_the_temporary_folder(path):
    source = spooled(el.open(path))
    content = bytearray(path.read_bytes())
    content[2000:40_000] = bytes(38_000)
    times = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    with pytest.raises(el.FileError, match=r"rows.parquet' cannot be read as Parquet"):
        rows_of(source)
