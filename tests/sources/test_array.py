"""Arrays: views wherever BLAS can take them, conversion by blocks elsewhere, clear refusals."""

import tracemalloc

import numpy as np
import pytest

from eigenlens.errors import DataError, UnsupportedData
from eigenlens.sources import open_source
from tests.sources.kinds import small_table


@pytest.mark.parametrize(
    "repeated",
    [np.broadcast_to(np.arange(3.0), (5, 3)), np.broadcast_to(np.arange(5.0)[:, None], (5, 3))],
    ids=["one row", "one column"],
)
def test_a_broadcast_array_is_unfolded_block_by_block(repeated):
    blocks = list(open_source(repeated).blocks(2))

    np.testing.assert_array_equal(np.vstack(blocks), repeated)
    assert all(0 not in block.strides for block in blocks)


@pytest.mark.parametrize("dtype", [np.int64, np.bool_, np.float16, ">f8"])
def test_a_converted_block_is_fresh_and_the_readers_own(dtype):
    table = (small_table() > 50).astype(dtype)

    block = next(open_source(table).blocks(4))
    block += 1

    np.testing.assert_array_equal(block, table[:4].astype(float) + 1)
    np.testing.assert_array_equal(table, small_table() > 50)


def test_booleans_are_zeros_and_ones():
    block = next(open_source(small_table() > 50).blocks(99))

    assert block.dtype == np.float64
    np.testing.assert_array_equal(block, np.where(small_table() > 50, 1.0, 0.0))


@pytest.mark.parametrize("order", ["C", "F"])
def test_conversion_keeps_the_order_of_the_array(order):
    table = np.array(small_table().astype(int), order=order)

    block = next(open_source(table).blocks(4))

    assert block.flags[f"{order}_CONTIGUOUS"]


@pytest.mark.parametrize("walk", ["blocks", "panels"])
@pytest.mark.parametrize("columns", [None, [0, 7, 40]])
def test_integers_are_never_converted_whole(walk, columns):
    table = np.ones((20_000, 50), dtype=np.int32)
    source = open_source(table, columns=columns)

    tracemalloc.start()
    total = sum(part.sum() for part in getattr(source, walk)(500 if walk == "blocks" else 1))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert total == 20_000 * source.shape[1]
    assert peak < 0.2 * table.nbytes


def test_one_pass_reads_the_stored_bytes():
    assert open_source(np.zeros((10, 4), dtype=np.int16)).stored_bytes == 80
    assert open_source(np.zeros((10, 4)), columns=[0, 2]).stored_bytes == 160


def test_a_sample_may_be_changed_without_harm():
    table = small_table()

    open_source(table).sample(np.array([0, 1]))[:] = -1

    np.testing.assert_array_equal(table, small_table())


@pytest.mark.parametrize("shape", [(), (4,), (1, 2, 3, 4, 5)])
def test_a_table_has_two_dimensions(shape):
    with pytest.raises(
        DataError, match=rf"{len(shape) or 'no'} dimension.*np\.asarray\(data\)\.reshape"
    ):
        open_source(np.ones(shape))


def test_complex_numbers_are_refused():
    with pytest.raises(UnsupportedData, match=r"complex128.*np\.abs"):
        open_source(np.ones((3, 2), dtype=complex))


def test_a_structured_array_is_refused_by_its_fields():
    with pytest.raises(UnsupportedData, match=r"'x', 'y'.*structured_to_unstructured"):
        open_source(np.zeros(3, dtype=[("x", float), ("y", float)]))


def test_masked_entries_are_missing_numbers():
    source = open_source(np.ma.masked_greater([[1, 2], [3, 4]], 2))

    (block,) = source.blocks(2)

    assert np.array_equal(block, [[1, 2], [np.nan, np.nan]], equal_nan=True)


def test_rows_of_different_lengths_are_no_table():
    with pytest.raises(DataError, match="same number of entries"):
        open_source([[1, 2], [3]])


@pytest.mark.parametrize("dtype", ["M8[s]", "m8[s]", "S3", "U3", "V4"])
def test_a_dtype_without_numbers_is_named_for_every_column(dtype):
    with pytest.raises(UnsupportedData, match=r"2 columns do not hold numbers: '0' \(.*'1' \("):
        open_source(np.zeros((3, 2), dtype=dtype))


MIXED_ROWS = [[1, "a", 2.5, None], [3, "b", 4.5, "c"]]


@pytest.mark.parametrize("data", [MIXED_ROWS, np.array(MIXED_ROWS, dtype=object)])
def test_columns_of_objects_that_are_no_numbers_are_named(data):
    words = r"2 columns.*'1' \(str\), '3' \(str\).*columns=\[0, 2\]"

    with pytest.raises(UnsupportedData, match=words):
        open_source(data)


@pytest.mark.parametrize("data", [MIXED_ROWS, np.array(MIXED_ROWS, dtype=object)])
def test_the_way_out_of_mixed_rows_works(data):
    source = open_source(data, columns=[0, 2])

    np.testing.assert_array_equal(next(source.blocks(9)), [[1, 2.5], [3, 4.5]])
