"""Rows of unit length with missing cells: the length of such a row is not known."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.preprocessing import normalize

import eigenlens as el


def rows_with_holes(spoiled=np.nan):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((60, 5)) * [5, 4, 3, 2, 1] + 3
    rows[[4, 9, 9, 30], [0, 1, 3, 2]] = spoiled
    return rows


@pytest.mark.parametrize("missing", ["auto", "gaussian", "lowrank", el.missing.LowRank(2)])
def test_cells_of_rows_of_unknown_length_are_not_estimated(missing):
    with pytest.raises(el.OptionError, match="the length of a row with one is not known") as told:
        el.fit(rows_with_holes(), 2, normalize="l2", missing=missing)

    assert "missing='drop'" in str(told.value)


@pytest.mark.parametrize("robust", ["wrap", "cells"])
def test_nor_are_they_in_a_robust_fit(robust):
    with pytest.raises(el.OptionError, match="the length of a row with one is not known"):
        el.fit(rows_with_holes(), 2, normalize="l2", missing="auto", robust=robust)


def test_outlying_cells_of_rows_of_known_length_are():
    rows = np.nan_to_num(rows_with_holes(), nan=90.0)

    model = el.fit(rows, 2, normalize="l2", missing="auto", robust="cells")

    assert model.n_rows == 60


def test_rows_of_unknown_length_may_be_left_out():
    rows = rows_with_holes()

    model = el.fit(rows, 2, normalize="l2", missing="drop")

    truth = el.fit(normalize(rows[~np.isnan(rows).any(axis=1)]), 2)
    assert np.allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-12)


def test_the_error_counts_the_cells_of_the_data():
    """And does not advise what would be refused."""
    with pytest.raises(el.DataError, match=r"4 missing cells .* in 3 of its 60 rows") as told:
        el.fit(rows_with_holes(), 2, normalize="l2")

    assert "missing='drop' (57 rows are left)" in str(told.value)
    assert "auto" not in str(told.value)


@pytest.mark.parametrize("missing", ["error", "auto"])
def test_infinite_values_are_called_infinite(missing):
    with pytest.raises(el.DataError, match="contains 4 infinite values in 3"):
        el.fit(rows_with_holes(np.inf), 2, normalize="l2", missing=missing)


def test_what_a_sparse_table_does_not_store_has_no_length_either():
    rows = scipy.sparse.random_array((60, 8), density=0.5, rng=np.random.default_rng(1))

    with pytest.raises(el.OptionError, match="missing='unstored' needs rows that are not divided"):
        el.fit(rows, 2, normalize="l2", missing="unstored")


@pytest.mark.filterwarnings("error", "ignore::eigenlens.MostlyMissing")
@pytest.mark.parametrize("missing", ["auto", "gaussian", "lowrank"])
def test_rows_that_are_equal_divide_nothing_by_zero(missing):
    rows = np.array([[1.0, 2.0], [1.0, 2.0], [np.nan, np.nan], [np.nan, np.nan]])

    with pytest.raises(el.DataError, match="all 2 rows of the 2 x 2 table are equal"):
        el.fit(rows, 1, missing=missing)
