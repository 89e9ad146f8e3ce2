"""`.npz` files: which array in them is meant, how it is unpacked, and what is refused.

That every kind of file gives the same numbers is checked in tests/contracts/test_sources.py.
"""

import numpy as np
import pytest
import scipy.sparse as sp

from eigenlens.errors import FileError, UnsupportedData
from eigenlens.sources.files import npz_file
from tests.sources import files
from tests.sources.kinds import N_COLUMNS, NAMES, small_table
from tests.sources.reading import peak_bytes, rows_of, source_of


@pytest.fixture(params=[np.savez, np.savez_compressed], ids=["stored", "packed"])
def save(request):
    return request.param


def test_the_only_table_of_a_npz_is_found_among_other_things(tmp_path, save):
    save(tmp_path / "some.npz", labels=np.array(["a", "b"]), table=small_table(), year=np.int64(9))

    reader = npz_file.reader_of(tmp_path / "some.npz", None)

    np.testing.assert_array_equal(rows_of(reader), small_table())


@pytest.mark.parametrize("inside", ["second", "second.npy"])
def test_one_of_several_arrays_is_named(tmp_path, save, inside):
    save(tmp_path / "some.npz", first=np.zeros((3, 2)), second=small_table())

    reader = npz_file.reader_of(tmp_path / "some.npz", inside)

    assert reader.label == f"{tmp_path / 'some.npz'}::second"
    np.testing.assert_array_equal(rows_of(reader), small_table())


def test_several_arrays_ask_for_a_name(tmp_path, save):
    save(tmp_path / "some.npz", first=np.zeros((3, 2)), second=small_table())

    with pytest.raises(FileError, match=r"2 tables: 'first', 'second'.*some.npz::first'"):
        npz_file.reader_of(tmp_path / "some.npz", None)


def test_a_name_that_is_not_inside_is_told_what_is(tmp_path, save):
    save(tmp_path / "some.npz", first=np.zeros((3, 2)))

    with pytest.raises(FileError, match=r"no table 'third'. It has 'first'"):
        npz_file.reader_of(tmp_path / "some.npz", "third")


def test_a_npz_without_a_table_says_what_it_holds(tmp_path, save):
    save(tmp_path / "some.npz", one=np.zeros(3), two=np.array(["a"]))

    with pytest.raises(FileError, match=r"two dimensions of numbers \(one \(3,\) float64, two"):
        npz_file.reader_of(tmp_path / "some.npz", None)


def test_a_npz_is_never_unpickled(tmp_path, save):
    save(tmp_path / "some.npz", table=np.array([[1, "a"]], dtype=object))

    with pytest.raises(UnsupportedData, match="object"):
        npz_file.reader_of(tmp_path / "some.npz", None)


def test_a_packed_array_is_unpacked_block_by_block(tmp_path, save):
    save(tmp_path / "some.npz", table=np.ones((20_000, 100)))
    source = source_of(npz_file.reader_of(tmp_path / "some.npz", None))

    peak = peak_bytes(lambda: sum(len(block) for block in source.blocks(500)))

    assert peak < 0.5 * 20_000 * 100 * 8


@pytest.mark.parametrize("place", [0.3, 0.6])
def test_a_spoiled_npz_is_an_error(tmp_path, place):
    path = tmp_path / "some.npz"
    np.savez_compressed(path, table=np.random.default_rng(0).standard_normal((3000, 20)))
    content = bytearray(path.read_bytes())
    content[int(place * len(content))] ^= 0xFF
    path.write_bytes(content)

    with pytest.raises(FileError, match=r"some.npz.*cannot be read as a .npz file"):
        rows_of(npz_file.reader_of(path, None), 500)


def test_a_npz_that_is_cut_off_is_an_error(tmp_path, save):
    path = tmp_path / "some.npz"
    save(path, table=small_table())
    path.write_bytes(path.read_bytes()[:-30])

    with pytest.raises(FileError, match=r"some.npz.*cannot be read as a .npz file"):
        npz_file.reader_of(path, None)


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("family", ["matrix", "array"])
def test_sparse_npz_of_every_format(tmp_path, layout, family):
    kind = getattr(sp, f"{layout}_{family}")
    path = files.npz_sparse(small_table().astype("f4"), NAMES, tmp_path, kind)

    reader = npz_file.reader_of(tmp_path / path, None)

    assert reader.is_sparse
    assert reader.dtype == np.float32
    np.testing.assert_array_equal(rows_of(reader), small_table())


def test_a_csr_npz_is_never_held_whole(tmp_path):
    matrix = sp.random_array((20_000, 500), density=0.05, rng=0, format="csr")
    sp.save_npz(tmp_path / "some.npz", matrix)
    source = source_of(npz_file.reader_of(tmp_path / "some.npz", None))

    peak = peak_bytes(lambda: sum(block.nnz for block in source.blocks(500)))

    assert peak < 0.5 * (matrix.data.nbytes + matrix.indices.nbytes)


@pytest.mark.parametrize("column", [-1, N_COLUMNS])
def test_a_stored_index_out_of_range_is_an_error_and_no_crash(tmp_path, column):
    matrix = sp.csr_array(small_table())
    matrix.indices[5] = column
    sp.save_npz(tmp_path / "some.npz", matrix)

    with pytest.raises(FileError, match=f"in column {column}, and there are {N_COLUMNS}"):
        rows_of(npz_file.reader_of(tmp_path / "some.npz", None))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda indptr: indptr[:-1], r"11 rows need 12 numbers in indptr"),
        (lambda indptr: indptr[::-1], "does not rise from 0"),
        (lambda indptr: indptr + 10 * (np.arange(12) == 11), r"announces \d+ entries, but \d+ are"),
    ],
    ids=["short", "falling", "too many"],
)
def test_spoiled_row_offsets_are_an_error(tmp_path, spoil, words):
    tidy = sp.csr_array(small_table())
    parts = {"data": tidy.data, "indices": tidy.indices, "indptr": spoil(tidy.indptr)}
    np.savez(tmp_path / "some.npz", format=b"csr", shape=tidy.shape, **parts)

    with pytest.raises(FileError, match=words):
        npz_file.reader_of(tmp_path / "some.npz", None)


def test_entries_stored_twice_are_added_up(tmp_path):
    parts = {"data": np.array([100, 100], "i1"), "indices": [2, 2], "indptr": [0, 2]}
    np.savez(tmp_path / "some.npz", format=b"csr", shape=(1, 3), **parts)

    block = next(source_of(npz_file.reader_of(tmp_path / "some.npz", None)).blocks(1))

    np.testing.assert_array_equal(block.data, [200.0])


def test_entries_that_are_none_are_an_error(tmp_path):
    parts = {"data": np.zeros((2, 2)), "indices": [0.5, 1.5], "indptr": [0, 2]}
    np.savez(tmp_path / "some.npz", format=b"csr", shape=(1, 3), **parts)

    with pytest.raises(FileError, match=r"data \(2, 2\) and indices \(2,\) float64 are no entries"):
        npz_file.reader_of(tmp_path / "some.npz", None)


def test_a_sparse_npz_without_its_parts_is_an_error(tmp_path):
    np.savez(tmp_path / "some.npz", format=b"csc", shape=(1, 3), data=np.ones(2))

    with pytest.raises(FileError, match=r"cannot be read as a sparse matrix: .*indices"):
        npz_file.reader_of(tmp_path / "some.npz", None)


def test_other_arrays_that_go_by_the_same_names_are_just_arrays(tmp_path, save):
    save(tmp_path / "some.npz", format=np.zeros(3), shape=np.zeros(3), data=small_table())

    np.testing.assert_array_equal(
        rows_of(npz_file.reader_of(tmp_path / "some.npz", None)), small_table()
    )


def test_repeated_entries_that_float32_cannot_add_are_refused(tmp_path):
    entries = np.array([1, 2.0**-30, 3, 4], dtype=np.float32)
    matrix = sp.csr_array((entries, [0, 0, 1, 0], [0, 3, 4]), shape=(2, 2))
    sp.save_npz(tmp_path / "repeated.npz", matrix)

    with pytest.raises(FileError, match="add up to numbers that float32 cannot hold"):
        rows_of(npz_file.reader_of(tmp_path / "repeated.npz", None))
