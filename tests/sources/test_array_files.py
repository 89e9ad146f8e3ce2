"""`.npy` files: how they are read, and what is said of those that cannot be.

That every kind of file gives the same numbers is checked in tests/contracts/test_sources.py.
"""

import numpy as np
import pytest

from eigenlens.errors import DataError, FileError, UnsupportedData
from eigenlens.sources import open_source
from eigenlens.sources.files import npy_file
from tests.sources.kinds import small_table
from tests.sources.reading import peak_bytes, rows_of, source_of


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f4", "f8", ">f8", "g", "?", "i1", ">i2", "u8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_of_every_real_dtype_and_order(tmp_path, dtype, order):
    table = np.array(small_table() > 50, dtype=dtype, order=order)
    np.save(tmp_path / "table.npy", table)

    reader = npy_file.reader_of(tmp_path / "table.npy", None)

    assert reader.dtype == (np.float32 if dtype[-2:] in ("f2", "f4") else np.float64)
    assert reader.stored_bytes == table.nbytes
    np.testing.assert_array_equal(rows_of(reader), small_table() > 50)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_npy_of_every_version_of_the_format(tmp_path, version):
    with open(tmp_path / "table.npy", "wb") as file:
        np.lib.format.write_array(file, small_table(), version=version)

    np.testing.assert_array_equal(
        rows_of(npy_file.reader_of(tmp_path / "table.npy", None)), small_table()
    )


def test_a_block_of_a_c_ordered_npy_is_read_once_and_not_copied(tmp_path):
    np.save(tmp_path / "table.npy", np.ones((5000, 100)))
    source = source_of(npy_file.reader_of(tmp_path / "table.npy", None))

    peak = peak_bytes(lambda: sum(len(block) for block in source.blocks(1000)))

    assert peak < 2.5 * 1000 * 100 * 8  # the one in use and the one being read


@pytest.mark.parametrize("order", ["C", "F"])
def test_panels_of_a_npy_hold_no_more_than_themselves(tmp_path, order):
    np.save(tmp_path / "table.npy", np.ones((20_000, 200), order=order))
    source = source_of(npy_file.reader_of(tmp_path / "table.npy", None))

    peak = peak_bytes(lambda: sum(panel.shape[1] for panel in source.panels(5)))

    assert peak < 3 * 20_000 * 5 * 8 + npy_file.READ_BYTES


@pytest.mark.parametrize("columns", [slice(2, 9), np.array([9, 2, 40_000 - 1])])
def test_long_rows_are_skipped_through(tmp_path, columns):
    table = np.random.default_rng(0).standard_normal((7, 40_000))
    np.save(tmp_path / "wide.npy", table)
    reader = npy_file.reader_of(tmp_path / "wide.npy", None)

    pieces = list(reader.chunks(columns, 2, 3))

    assert reader.by_columns
    np.testing.assert_array_equal(np.vstack(pieces), table[2:, columns])


def test_some_columns_cost_their_share_only_where_that_is_true(tmp_path):
    np.save(tmp_path / "rows.npy", np.zeros((10, 4)))
    np.save(tmp_path / "columns.npy", np.zeros((10, 4), order="F"))

    assert not npy_file.reader_of(tmp_path / "rows.npy", None).by_columns
    assert npy_file.reader_of(tmp_path / "columns.npy", None).by_columns


def test_a_npy_that_is_cut_off_says_how_many_bytes_are_missing(tmp_path):
    path = tmp_path / "table.npy"
    np.save(path, small_table())
    path.write_bytes(path.read_bytes()[:-100])

    with pytest.raises(FileError, match=r"table.npy.*take 656 bytes, but it has 556.*again"):
        npy_file.reader_of(path, None)


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_npy_cut_off_between_its_blocks_is_an_error_and_no_crash(tmp_path, order):
    path = tmp_path / "table.npy"
    np.save(path, np.ones((100, 6), order=order))
    blocks = source_of(npy_file.reader_of(path, None)).blocks(10)
    next(blocks)
    with open(path, "r+b") as file:
        file.truncate(1000)

    with pytest.raises(FileError, match=r"changed while it was being read"):
        list(blocks)


@pytest.mark.parametrize(
    ("array", "error", "words"),
    [
        (np.zeros(5), DataError, r"1 dimension.*\(5,\)"),
        (np.zeros((2, 3, 4)), DataError, r"3 dimension.*\(2, 3, 4\)"),
        (np.zeros((2, 2), complex), UnsupportedData, "complex128"),
        (np.zeros((2, 2), "U5"), UnsupportedData, r"table.npy.*<U5"),
        (np.zeros((2, 2), "M8[s]"), UnsupportedData, "datetime64"),
        (np.array([[1, "a"]], dtype=object), UnsupportedData, "object"),
        (np.zeros((2, 2), [("height", "f8"), ("Ω", "f8")]), UnsupportedData, "structured.*height"),
    ],
    ids=["1-D", "3-D", "complex", "text", "times", "objects", "structured"],
)
@pytest.mark.filterwarnings("ignore:Stored array in format 3.0")
def test_what_is_no_table_of_real_numbers_is_refused_by_name(tmp_path, array, error, words):
    np.save(tmp_path / "table.npy", array)

    with pytest.raises(error, match=words):
        npy_file.reader_of(tmp_path / "table.npy", None)


@pytest.mark.parametrize("content", [b"x" * 200, b"\x93NUMPY\x01\x00\x76\x00{'descr'", b"\x93NUM"])
def test_what_is_no_npy_is_said_to_be_none(tmp_path, content):
    (tmp_path / "table.npy").write_bytes(content)

    with pytest.raises(FileError, match=r"cannot be read as a \.npy file"):
        npy_file.reader_of(tmp_path / "table.npy", None)


def test_a_header_with_a_negative_shape_is_refused(tmp_path):
    path = tmp_path / "table.npy"
    np.save(path, np.zeros((10, 6)))
    path.write_bytes(path.read_bytes().replace(b"(10, 6)", b"(-9, 6)"))

    with pytest.raises(FileError, match=r"its shape is \(-9, 6\)"):
        npy_file.reader_of(path, None)


def test_a_npy_has_nothing_inside(tmp_path):
    with pytest.raises(FileError, match="no table 'part'"):
        npy_file.reader_of(tmp_path / "table.npy", "part")


def test_a_file_that_is_gone_is_missed(tmp_path):
    np.save(tmp_path / "table.npy", small_table())
    source = source_of(npy_file.reader_of(tmp_path / "table.npy", None))
    (tmp_path / "table.npy").unlink()

    with pytest.raises(FileError, match=r"table.npy.*there is no such file"):
        next(source.blocks(4))


@pytest.mark.parametrize("content", ["no bytes", "no rows"])
def test_a_file_without_rows_is_said_to_be_empty(tmp_path, content):
    path = tmp_path / "table.npy"
    if content == "no rows":
        np.save(path, np.zeros((0, 6)))
    else:
        path.touch()

    with pytest.raises(FileError, match=r"table.npy' (is empty|holds no rows)"):
        open_source(path)
