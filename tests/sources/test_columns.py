"""columns= by name, position, mask or slice, and every way to get it wrong."""

import numpy as np
import pandas as pd
import pytest

from eigenlens.errors import DataError, OptionError, UnsupportedData
from eigenlens.sources import open_source
from eigenlens.sources.columns import pick_columns
from tests.sources.kinds import NAMES, small_table


@pytest.fixture
def people():
    return pd.DataFrame(small_table(), columns=NAMES)


def test_names_choose_columns_in_the_order_asked(people):
    source = open_source(people, columns=["income", "height"])

    assert source.names == ("income", "height")
    np.testing.assert_array_equal(next(source.blocks(99)), small_table()[:, [3, 0]])


@pytest.mark.parametrize(
    ("columns", "picked"),
    [
        (None, slice(0, 6)),
        ([2, 3, 4], slice(2, 5)),
        (["width", "age"], slice(1, 3)),
        ([False, True, True, False, False, False], slice(1, 3)),
        (slice(None, -1), slice(0, 5)),
        (range(1, 4), slice(1, 4)),
    ],
)
def test_columns_side_by_side_become_a_slice_so_that_they_are_views(columns, picked):
    assert pick_columns(columns, NAMES) == picked


def test_chosen_neighbors_share_memory_with_the_array():
    table = small_table()

    source = open_source(table, columns=[1, 2, 3])

    assert all(np.shares_memory(block, table) for block in source.blocks(4))


def test_scattered_columns_keep_the_order_of_the_array():
    table = np.asfortranarray(small_table())

    block = next(open_source(table, columns=[5, 0]).blocks(4))

    assert block.flags.f_contiguous


def test_a_misspelt_name_is_answered_by_the_nearest(people):
    with pytest.raises(UnsupportedData, match=r"no column 'hieght'.*Did you mean 'height'"):
        open_source(people, columns=["hieght", "age"])


@pytest.mark.parametrize("position", [6, -7])
def test_a_position_outside_is_named(people, position):
    with pytest.raises(UnsupportedData, match=f"no column {position}: .* 0 to 5"):
        open_source(people, columns=[0, position])


def test_a_name_asked_of_an_array_is_answered_by_positions():
    with pytest.raises(UnsupportedData, match=r"no column 'age'.*position, 0 to 5"):
        open_source(small_table(), columns=["age"])


def test_a_column_chosen_twice_is_an_error(people):
    with pytest.raises(DataError, match="more than once: 'age'"):
        open_source(people, columns=["age", "age", "width"])


def test_the_same_position_from_both_ends_is_chosen_twice():
    with pytest.raises(DataError, match="more than once: 5"):
        open_source(small_table(), columns=[5, -1])


def test_a_mask_needs_one_truth_value_per_column(people):
    with pytest.raises(OptionError, match=r"mask of 2 columns.*each of the 6"):
        open_source(people, columns=[True, False])


@pytest.mark.parametrize("columns", ["age", [["age"]], 3])
def test_columns_is_a_list(people, columns):
    with pytest.raises(OptionError, match=r"needs a list.*columns=\[\.\.\.\]"):
        open_source(people, columns=columns)


@pytest.mark.parametrize("columns", [[], np.zeros(6, dtype=bool), slice(0, 0)])
def test_choosing_nothing_is_an_error(people, columns):
    with pytest.raises(DataError, match=r"0 feature\(s\)"):
        open_source(people, columns=columns)


def test_names_and_positions_do_not_mix(people):
    with pytest.raises(UnsupportedData, match="no column 2"):
        open_source(people, columns=["age", 2])
