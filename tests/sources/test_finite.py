"""NaN and infinity are counted and the first five named, without making sparse data dense."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from eigenlens.errors import DataError
from eigenlens.sources import finite, locate_not_finite, open_source
from tests.sources.kinds import KINDS, NAMES, OwnSource, small_table


def spoiled():
    table = small_table()
    table[2, 1] = np.nan
    table[2, 4] = np.inf
    table[3, 0] = -np.inf
    table[9] = np.nan
    return table


WORDS = (
    "7 missing cells (NaN) and 2 infinite values in 3 of its 11 rows: row 2, column 1; row 2, "
    "column 4; row 3, column 0; row 9, column 0; row 9, column 1; and 4 more."
)


@pytest.mark.parametrize("rows_per_block", [1, 3, 100])
@pytest.mark.parametrize(
    "make",
    [
        np.array,
        np.asfortranarray,
        np.float32,
        pd.DataFrame,
        sp.csr_array,
        sp.csc_array,
        sp.coo_matrix,
    ],
)
def test_places_and_counts_are_those_of_the_table(make, rows_per_block, monkeypatch):
    monkeypatch.setattr(finite, "BLOCK_ENTRIES", 6 * rows_per_block)

    error = locate_not_finite(open_source(make(spoiled())))

    assert isinstance(error, DataError)
    assert WORDS in str(error)


def test_columns_are_named_where_they_have_names():
    error = locate_not_finite(open_source(pd.DataFrame(spoiled(), columns=NAMES)))

    assert "row 2, column 'width'; row 2, column 'rooms'" in str(error)


def test_chosen_columns_keep_their_names():
    people = pd.DataFrame(spoiled(), columns=NAMES)

    error = locate_not_finite(open_source(people, columns=["age", "height"]))

    assert "row 3, column 'height'; row 9, column 'age'; row 9, column 'height'." in str(error)


def test_nulls_are_found_as_nan():
    frame = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": [1.0, 2.0, 3.0]})

    error = locate_not_finite(open_source(frame))

    assert "1 missing cell (NaN) in 1 of its 3 rows: row 1, column 'a'." in str(error)


def test_an_own_source_is_searched_too():
    error = locate_not_finite(OwnSource(spoiled()))

    assert "7 missing cells (NaN) and 2 infinite" in str(error)


def test_an_own_sparse_source_is_searched_by_blocks():
    class Sparse(OwnSource):
        is_sparse = True
        names = None

        def blocks(self, rows_per_block):
            return map(sp.csr_array, super().blocks(4))

    assert WORDS in str(locate_not_finite(Sparse(spoiled())))


def test_finite_data_whose_sums_were_not_have_overflowed():
    error = locate_not_finite(open_source(np.full((3, 2), 1e300)))

    assert "every number is finite" in str(error)


def test_a_long_double_beyond_float64_is_infinite():
    if np.finfo(np.longdouble).max <= np.finfo(np.float64).max:
        pytest.skip("long doubles are float64 here")
    table = small_table().astype(np.longdouble)
    table[4, 2] = np.longdouble("1e400")

    error = locate_not_finite(open_source(table))

    assert "contains 1 infinite value in 1 of its 11 rows: row 4, column 2." in str(error)


@pytest.mark.parametrize("kind", list(KINDS.values()), ids=list(KINDS))
def test_a_good_table_of_any_kind_has_no_bad_places(kind, tmp_path):
    error = locate_not_finite(open_source(kind.make(small_table(), tmp_path)))

    assert "every number is finite" in str(error)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, sp.csc_array])
def test_rows_of_finite_numbers_only_are_complete(kind):
    table = np.eye(6)
    table[2, 3], table[4, 0] = np.nan, np.inf

    complete = finite.complete_rows(open_source(kind(table)))

    assert complete.tolist() == [True, True, False, True, False, True]
