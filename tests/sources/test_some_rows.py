"""Some rows of a table are a table: what is left out is not seen, and not forgotten either."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.errors import DataError, OptionError
from eigenlens.sources.some_rows import SomeRows
from eigenlens.sources.traits import blocks_from, traits_of

ROWS = np.random.default_rng(0).standard_normal((60, 4)) + 3.0
KEPT = np.arange(60) % 7 > 1


@pytest.fixture
def stored(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    return el.open(tmp_path / "rows.npy")


def test_a_fit_sees_only_the_rows_kept(stored):
    some = el.fit(SomeRows(stored, KEPT), 2)
    alone = el.fit(ROWS[KEPT], 2)

    assert some.n_rows == KEPT.sum()
    assert np.allclose(some.eigenvalues, alone.eigenvalues, rtol=1e-13)


@pytest.mark.parametrize("start", [0, 1, 17, KEPT.sum() - 1])
def test_reading_goes_on_from_any_row(stored, start):
    rows = np.concatenate(list(blocks_from(SomeRows(stored, KEPT), 5, start)))

    assert np.array_equal(rows, ROWS[KEPT][start:])


def test_other_rows_of_a_file_are_other_data(stored):
    one, other = SomeRows(stored, KEPT), SomeRows(stored, ~KEPT)

    assert one.fingerprint != other.fingerprint
    assert one.fingerprint == SomeRows(stored, KEPT.copy()).fingerprint


def test_rows_in_memory_are_not_called_stored():
    assert not traits_of(SomeRows(el.open(ROWS), KEPT)).is_stored


def test_no_row_at_all_is_an_error(stored):
    with pytest.raises(DataError, match="0 rows"):
        el.fit(SomeRows(stored, np.zeros(60, dtype=bool)))


def test_a_mask_has_one_truth_value_per_row(stored):
    with pytest.raises(OptionError, match="one truth value for each of the 60 rows"):
        SomeRows(stored, KEPT[:-1])


def test_other_columns_of_an_open_file_are_chosen_without_opening_it_anew(stored):
    assert np.array_equal(next(stored.only([3, 1]).blocks(60)), ROWS[:, [3, 1]])
