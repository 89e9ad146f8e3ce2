"""What cannot be opened is refused with words that help."""

import numpy as np
import pytest

from eigenlens.errors import DataError, OptionError, UnsupportedData
from eigenlens.sources import open_source
from tests.sources.kinds import OwnSource, small_table


@pytest.mark.parametrize("data", [3, {"a": [1.0]}, None, {1, 2}, object()])
def test_an_unknown_kind_is_named_and_the_known_ones_listed(data):
    with pytest.raises(UnsupportedData, match=rf"type {type(data).__name__}\. Possible: .*numpy"):
        open_source(data)


def test_a_source_passes_through():
    own = OwnSource(small_table())

    assert open_source(own) is own


def test_opening_twice_is_opening_once():
    source = open_source(small_table())

    assert open_source(source) is source


def test_an_opened_source_has_its_columns_already():
    with pytest.raises(OptionError, match="when opening"):
        open_source(open_source(small_table()), columns=[0])


@pytest.mark.parametrize("data", [np.zeros((0, 3)), [], np.zeros((0, 0))])
def test_no_rows_is_an_error(data):
    with pytest.raises(DataError, match=r"0 rows.*at least 2"):
        open_source(data)


@pytest.mark.parametrize("data", [np.zeros((3, 0)), [[], []]])
def test_no_columns_is_an_error(data):
    with pytest.raises(DataError, match=r"0 feature\(s\).*minimum of 1"):
        open_source(data)


def test_an_own_source_without_rows_is_an_error():
    own = OwnSource(small_table())
    own.shape = (0, 6)

    with pytest.raises(DataError, match="0 rows"):
        open_source(own)


def test_a_dask_like_collection_is_not_computed_by_accident():
    class Collection:
        def __array__(self, dtype=None, copy=None):
            raise AssertionError("computed whole")

        def __dask_graph__(self):
            raise AssertionError("never asked")

    with pytest.raises(UnsupportedData, match="type Collection"):
        open_source(Collection())


@pytest.mark.parametrize("size", [0, -3])
def test_a_block_has_at_least_one_row_and_a_panel_one_column(size):
    source = open_source(small_table())

    with pytest.raises(OptionError, match=f"rows_per_block={size}"):
        next(source.blocks(size))
    with pytest.raises(OptionError, match=f"columns_per_panel={size}"):
        next(source.panels(size))


@pytest.mark.parametrize("data", [small_table(), small_table().tolist()])
def test_a_source_shows_its_size_and_not_its_numbers(data):
    assert repr(open_source(data)) == "ArraySource(11 x 6, stored as float64)"
