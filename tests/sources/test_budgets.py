"""A reader that cannot keep to a budget says so before anything is read, and what would do."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import eigenlens as el
from eigenlens.sources.files import arrow_file
from eigenlens.sources.measurements import open_measurements
from eigenlens.sources.traits import keep_within, traits_of

SMAPS = Path("/proc/self/smaps")
ROWS = np.random.default_rng(0).standard_normal((200_000, 100)).astype(np.float32)  # 80 MB


@pytest.fixture(scope="module")
def feather(tmp_path_factory):
    def written(compression):
        path = tmp_path_factory.mktemp("feather") / f"{compression}.feather"
        table = pa.table({f"x{place}": ROWS[:, place] for place in range(ROWS.shape[1])})
        pyarrow.feather.write_feather(table, path, compression=compression, chunksize=len(ROWS))
        return path

    return written


def test_one_large_batch_is_mapped_and_nothing_of_it_is_copied(feather):
    source = el.open(feather("uncompressed"))
    before, most = pa.total_allocated_bytes(), 0

    for number, block in enumerate(source.blocks(10_000)):
        most = max(most, pa.total_allocated_bytes() - before)
        np.testing.assert_array_equal(block, ROWS[10_000 * number : 10_000 * (number + 1)])

    assert most < 16 << 20
    assert traits_of(source).working_bytes == 0


@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_a_compressed_batch_larger_than_the_budget_is_refused_unread(feather, compression):
    path = feather(compression)

    with pytest.raises(el.MemoryBudgetError, match=r"memory='1\d\dMB'"):
        el.fit(path, 2, memory="32MB")

    assert el.fit(path, 2, memory="200MB").n_rows == len(ROWS)


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_a_file_says_whether_it_is_compressed(feather, compression):
    assert arrow_file.is_compressed(feather(compression)) == (compression != "uncompressed")


@pytest.mark.parametrize("compression", ["uncompressed", "lz4"])
def test_nothing_of_a_batch_is_read_to_see_whether_it_is_compressed(feather, compression, tmp_path):
    with feather(compression).open("rb") as file:
        (tmp_path / "beginning.feather").write_bytes(file.read(1 << 16))

    found = arrow_file.is_compressed(tmp_path / "beginning.feather")

    assert found == (compression != "uncompressed")


@pytest.mark.skipif(not SMAPS.exists(), reason="mapped pages are counted by Linux")
def test_few_pages_of_a_mapped_batch_are_held_at_a_time(feather):
    path, most = feather("uncompressed"), 0

    for _ in el.open(path).blocks(len(ROWS) // 2):
        most = max(most, mapped_bytes(path))

    assert 0 < most < 24 << 20


def mapped_bytes(path):
    """Pages of the file that are in this process."""
    parts = SMAPS.read_text().split(str(path))[1:]
    return sum(int(part.split("Rss:")[1].split()[0]) << 10 for part in parts)


@pytest.mark.parametrize("shape", ["tall", "whole"])
def test_zarr_in_tall_chunks_is_spooled_or_refused(tmp_path, shape):
    zarr = pytest.importorskip("zarr")
    chunks = (len(ROWS), 4) if shape == "tall" else ROWS.shape
    array = zarr.create_array(
        tmp_path / "t.zarr", shape=ROWS.shape, chunks=chunks, dtype=ROWS.dtype
    )
    array[:] = ROWS

    if shape == "whole":
        with pytest.raises(el.MemoryBudgetError, match="memory='160MB'"):
            el.fit(tmp_path / "t.zarr", 2, memory="32MB")
        return
    source = keep_within(el.open(tmp_path / "t.zarr"), 32_000_000)

    for number, block in enumerate(source.blocks(50_000)):
        np.testing.assert_array_equal(block, ROWS[50_000 * number : 50_000 * (number + 1)])


def test_what_a_column_is_used_for_is_told_from_the_first_rows_only(tmp_path):
    names = ["id", *(f"x{place}" for place in range(40))]
    table = pa.table({name: np.arange(200_000.0) for name in names})
    pa.parquet.write_table(table, tmp_path / "t.parquet", row_group_size=1000)
    before = pa.default_memory_pool().max_memory()

    source = open_measurements(tmp_path / "t.parquet", None)

    assert "id" in traits_of(source).left_out
    assert pa.default_memory_pool().max_memory() - before < 16 << 20
