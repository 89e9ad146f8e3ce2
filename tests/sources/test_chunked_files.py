"""HDF5 and Zarr: which array is meant, where reading begins, and what is said of damage.

That every kind of file gives the same numbers is checked in tests/contracts/test_sources.py.
"""

import sys
from dataclasses import replace

import numpy as np
import pytest

from eigenlens.errors import DataError, FileError, UnsupportedData
from eigenlens.sources.files import anndata_file, hdf5_file, zarr_store
from tests.sources import files
from tests.sources.kinds import N_COLUMNS, N_ROWS, NAMES, small_table
from tests.sources.reading import rows_of, source_of

# -- HDF5 ----------------------------------------------------------------------------------


@pytest.fixture
def h5py():
    return pytest.importorskip("h5py")


@pytest.mark.parametrize("inside", ["a/data", "/a/data"])
def test_one_of_several_datasets_is_named(tmp_path, h5py, inside):
    with h5py.File(tmp_path / "some.h5", "w") as file:
        file["a/data"], file["b"] = small_table(), np.zeros((2, 2))

    reader = hdf5_file.reader_of(tmp_path / "some.h5", inside)

    np.testing.assert_array_equal(rows_of(reader), small_table())


def test_several_datasets_ask_for_a_name(tmp_path, h5py):
    with h5py.File(tmp_path / "some.h5", "w") as file:
        file["a/data"], file["b"], file["c"] = small_table(), np.zeros((2, 2)), np.zeros(5)

    with pytest.raises(FileError, match=r"2 tables: '/a/data', '/b'.*some.h5::/a/data'"):
        hdf5_file.reader_of(tmp_path / "some.h5", None)


def test_a_dataset_that_is_not_there_is_told_what_is(tmp_path, h5py):
    with h5py.File(tmp_path / "some.h5", "w") as file:
        file["a/data"] = small_table()

    with pytest.raises(FileError, match=r"no table '/a'. It has '/a/data'"):
        hdf5_file.reader_of(tmp_path / "some.h5", "a")


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        (np.zeros((2, 2), complex), UnsupportedData, "complex128"),
        (["a", "b"], UnsupportedData, r"some.h5::/data.*object"),
        (np.zeros(3), DataError, r"1 dimension.*\(3,\)"),
        (np.zeros(3, [("x", "f4")]), UnsupportedData, "structured.*'x'"),
    ],
)
def test_a_dataset_that_is_no_table_is_refused(tmp_path, h5py, values, error, words):
    with h5py.File(tmp_path / "some.h5", "w") as file:
        file["data"] = values

    with pytest.raises(error, match=words):
        hdf5_file.reader_of(tmp_path / "some.h5", None)


def test_a_file_without_datasets_is_said_to_have_none(tmp_path, h5py):
    with h5py.File(tmp_path / "some.h5", "w") as file:
        file.create_group("empty")

    with pytest.raises(FileError, match="there is no array in it"):
        hdf5_file.reader_of(tmp_path / "some.h5", None)


@pytest.mark.parametrize(
    ("chunks", "starts"), [(None, None), ((3, 2), [0, 3, 6, 9]), ((N_ROWS, 1), [0])]
)
def test_hdf5_can_be_begun_where_chunks_begin(tmp_path, h5py, chunks, starts):
    files.hdf5(small_table(), NAMES, tmp_path, chunks=chunks)

    reader = hdf5_file.reader_of(tmp_path / "table.h5", None)

    assert (None if reader.starts is None else list(reader.starts)) == starts


def test_chunks_are_read_whole_and_in_bands(tmp_path, h5py):
    files.hdf5(small_table(), NAMES, tmp_path, chunks=(3, 2))
    reader = hdf5_file.reader_of(tmp_path / "table.h5", None)

    sizes = [len(piece) for piece in reader.chunks(slice(0, N_COLUMNS), 1, 7)]

    assert sizes == [5, 5]  # rows 1 to 5, then two rows of chunks: 6 to 8, 9 to 10


def test_chunks_with_very_many_rows_do_not_fill_the_memory(tmp_path, h5py, monkeypatch):
    monkeypatch.setattr("eigenlens.sources.files.chunked.BAND_BYTES", 64)
    files.hdf5(small_table(), NAMES, tmp_path, chunks=(N_ROWS, 1))
    reader = hdf5_file.reader_of(tmp_path / "table.h5", None).within(64)

    pieces = list(reader.chunks(slice(0, N_COLUMNS), 0, 4))

    assert [len(piece) for piece in pieces] == [4, 4, 3]
    np.testing.assert_array_equal(np.vstack(pieces), small_table())


@pytest.mark.parametrize("columns", [slice(1, 3), np.array([2, 0])], ids=["some", "turned"])
@pytest.mark.parametrize("start", [0, 5])
def test_columns_and_starts_of_tall_chunks(tmp_path, h5py, monkeypatch, columns, start):
    monkeypatch.setattr("eigenlens.sources.files.chunked.BAND_BYTES", 64)
    files.hdf5(small_table(), NAMES, tmp_path, chunks=(N_ROWS // 2, 2))
    reader = hdf5_file.reader_of(tmp_path / "table.h5", None).within(64)

    pieces = list(reader.chunks(columns, start, 3))

    np.testing.assert_array_equal(np.vstack(pieces), small_table()[start:, columns])


def test_every_tall_chunk_is_decoded_once(tmp_path, h5py, monkeypatch):
    monkeypatch.setattr("eigenlens.sources.files.chunked.BAND_BYTES", 64)
    files.hdf5(small_table(), NAMES, tmp_path, chunks=(N_ROWS, 1))
    reader = hdf5_file.reader_of(tmp_path / "table.h5", None).within(64)
    opened = []
    counted = replace(reader, opened=lambda: opened.append(1) or reader.opened())

    for _ in range(3):
        list(counted.chunks(slice(0, N_COLUMNS), 0, 4))

    assert len(opened) == 1


def test_an_hdf5_file_that_is_cut_off_is_an_error(tmp_path, h5py):
    path = tmp_path / "table.h5"
    files.hdf5(np.ones((1000, 10)), NAMES, tmp_path)
    path.write_bytes(path.read_bytes()[:5000])

    with pytest.raises(FileError, match=r"table.h5.*cannot be read as an HDF5 file.*truncated"):
        hdf5_file.reader_of(path, None)


def test_a_spoiled_chunk_is_an_error(tmp_path, h5py):
    path = tmp_path / "table.h5"
    table = np.random.default_rng(0).standard_normal((1000, 10))
    files.hdf5(table, NAMES, tmp_path, chunks=(100, 10), compression="gzip", fletcher32=True)
    with h5py.File(path) as file:
        place = file["group/data"].id.get_chunk_info(4)
    content = bytearray(path.read_bytes())
    content[place.byte_offset + place.size // 2] ^= 0xFF
    path.write_bytes(content)

    with pytest.raises(FileError, match=r"cannot be read as an HDF5 file"):
        rows_of(hdf5_file.reader_of(path, None), 100)


@pytest.mark.parametrize(
    ("kind", "package", "path"),
    [
        (hdf5_file, "h5py", "some.h5"),
        (anndata_file, "h5py", "some.h5ad"),
        (zarr_store, "zarr", "some.zarr"),
    ],
)
def test_a_missing_package_is_named_with_what_to_type(tmp_path, monkeypatch, kind, package, path):
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(FileError, match=rf"{path}' needs {package}.*pip install 'eigenlens\[files"):
        kind.reader_of(tmp_path / path, None)


# -- Zarr ----------------------------------------------------------------------------------


@pytest.fixture
def zarr():
    return pytest.importorskip("zarr")


@pytest.fixture
def group(tmp_path, zarr):
    group = zarr.create_group(tmp_path / "some.zarr")
    group.create_array("deep/data", data=small_table(), chunks=(4, 2))
    group.create_array("line", data=np.zeros(5))
    return group


def test_the_only_table_of_a_group_is_found(tmp_path, group):
    reader = zarr_store.reader_of(tmp_path / "some.zarr", None)

    np.testing.assert_array_equal(rows_of(reader), small_table())
    assert list(reader.starts) == [0, 4, 8]


@pytest.mark.parametrize("inside", ["deep/data", "/deep/data"])
def test_one_of_several_zarr_arrays_is_named(tmp_path, group, inside):
    group.create_array("other", data=np.zeros((2, 2)))

    with pytest.raises(FileError, match=r"2 tables: .*'deep/data'.*some.zarr::"):
        zarr_store.reader_of(tmp_path / "some.zarr", None)
    reader = zarr_store.reader_of(tmp_path / "some.zarr", inside)
    np.testing.assert_array_equal(rows_of(reader), small_table())


def test_a_zarr_array_that_is_not_there_is_told_what_is(tmp_path, group):
    with pytest.raises(FileError, match=r"no table 'deep'. It has 'deep/data'"):
        zarr_store.reader_of(tmp_path / "some.zarr", "deep")


def test_a_folder_that_is_no_store_is_said_to_be_none(tmp_path, zarr):
    (tmp_path / "some.zarr").mkdir()

    with pytest.raises(FileError, match=r"some.zarr.*cannot be read as a Zarr store"):
        zarr_store.reader_of(tmp_path / "some.zarr", None)


def test_a_chunk_rewritten_between_passes_is_noticed(tmp_path, group):
    source = source_of(zarr_store.reader_of(tmp_path / "some.zarr", None))
    list(source.blocks(4))

    group["deep/data"][0, 0] = 7.5

    with pytest.raises(FileError, match="changed while it was being read"):
        list(source.blocks(4))


def test_shards_are_read_chunk_by_chunk(tmp_path, zarr):
    table = np.arange(64.0 * 6).reshape(64, 6)
    array = zarr.create_array(
        tmp_path / "some.zarr", shape=table.shape, dtype="f8", chunks=(4, 6), shards=(16, 6)
    )
    array[:] = table

    reader = zarr_store.reader_of(tmp_path / "some.zarr", None)

    np.testing.assert_array_equal(rows_of(reader, 5), table)


def test_links_are_followed_when_asked_for(tmp_path, h5py):
    files.hdf5(small_table(), (), tmp_path)
    with h5py.File(tmp_path / "links.h5", "w") as file:
        file["own"] = small_table()[:3]
        file["soft"] = h5py.SoftLink("/own")
        file["outside"] = h5py.ExternalLink("table.h5", "/group/data")
        file["nowhere"] = h5py.SoftLink("/nothing")

    def read(name):
        return rows_of(hdf5_file.reader_of(tmp_path / "links.h5", name))

    np.testing.assert_array_equal(read(None), small_table()[:3])
    np.testing.assert_array_equal(read("soft"), small_table()[:3])
    np.testing.assert_array_equal(read("outside"), small_table())
    with pytest.raises(FileError, match="holds no table '/nowhere'"):
        read("nowhere")
