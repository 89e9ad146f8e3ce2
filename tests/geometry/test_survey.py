"""One look at all rows: repeated ones, ranges, units."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from eigenlens import DataError, ScaleError
from eigenlens import open as open_data
from eigenlens.geometry.distinct_rows import read_distinct_rows


def rows(n=50, d=4, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def test_repeated_rows_are_left_out_once():
    table = rows()
    table[20], table[49] = table[3], table[3]

    view = read_distinct_rows(open_data(table))

    assert_array_equal(view.distinct, np.delete(np.arange(50), [20, 49]))


def test_zero_and_minus_zero_are_equal():
    table = rows()
    table[0, 0], table[1] = 0.0, table[0]
    table[1, 0] = -0.0

    assert read_distinct_rows(open_data(table)).n_rows == 49


def test_rows_with_exchanged_entries_are_not_equal():
    table = rows()
    table[1] = table[0][::-1]

    assert read_distinct_rows(open_data(table)).n_rows == 50


def test_sparse_rows_repeat_where_dense_ones_do():
    from scipy.sparse import csr_matrix

    table = np.round(rows(200, 3)) * (rows(200, 3, seed=1) > 0)
    table[:, 0] += np.arange(200) // 2

    view = read_distinct_rows(open_data(csr_matrix(table)))

    assert view.n_rows == len(np.unique(table, axis=0)) < 200


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e150, 1e300])
def test_rows_are_brought_to_the_unit_box(unit):
    view = read_distinct_rows(open_data(unit * rows()))

    (block,) = view.blocks()

    assert_allclose(np.abs(block.rows).max(), 1.0)
    assert_allclose(view.reach, unit * read_distinct_rows(open_data(rows())).reach)


def test_standardized_columns_have_the_same_deviation():
    view = read_distinct_rows(open_data(rows() * [1, 10, 100, 1e-9] + 5), scale="std")

    (block,) = view.blocks()

    deviations = block.rows.std(axis=0)
    assert_allclose(deviations, deviations[0])


def test_a_constant_column_cannot_be_standardized():
    table = rows()
    table[:, 2] = 7.0

    with pytest.raises(ScaleError, match=r"constant column.*'2'"):
        read_distinct_rows(open_data(table), scale="std")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_not_finite_is_located(bad):
    table = rows()
    table[7, 1] = bad

    with pytest.raises(DataError, match="row 7, column 1"):
        read_distinct_rows(open_data(table))
