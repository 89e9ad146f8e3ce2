"""Where the observed cells say little, a fit says so in a sentence."""

import warnings

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from tests.missing.drawn import draw_holes, draw_table

ROWS = draw_table(80, 6, seed=3)


def apart(first, second):
    rows = ROWS.copy()
    rows[:40, first], rows[40:, second] = np.nan, np.nan
    return rows


def test_columns_that_no_row_has_together_are_named():
    frame = pd.DataFrame(apart(1, 2), columns=list("abcdef"))

    with pytest.warns(el.MostlyMissing, match="no row has both of these columns: 'b' and 'c'"):
        el.fit(frame, 2, missing="auto")


def test_a_column_that_is_nearly_empty_is_named():
    rows = ROWS.copy()
    rows[:70, 4] = np.nan

    with pytest.warns(el.MostlyMissing, match="column '4' lacks more than 80%"):
        el.fit(rows, 2, missing="auto")


def test_a_table_that_lacks_most_of_its_cells_is_estimated_and_said_to_be():
    truth = draw_table(400, 10, seed=4)
    rows = draw_holes(truth, 0.85, seed=4)
    holes = np.isnan(rows)

    with pytest.warns(el.MostlyMissing, match="more than 80%"):
        model = el.fit(rows, 2, missing="auto")

    filled, errors = model.complete(rows, errors=True)
    assert model.missing.share >= 0.8
    assert np.isfinite(model.eigenvalues).all()
    assert (np.abs(filled - truth) <= 1.96 * errors)[holes].mean() > 0.9


def test_an_ordinary_table_gives_no_warning():
    rows = ROWS.copy()
    rows[:30, 1], rows[30:55, 2] = np.nan, np.nan

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = el.fit(rows, 2, missing="auto")

    assert model.missing.cells == 55


def test_an_estimate_that_is_not_at_rest_says_so():
    rows = draw_holes(ROWS, 0.4, seed=1)

    with pytest.warns(el.NotCertified, match="not at rest after 4 passes"):
        el.fit(rows, 2, missing=el.missing.Gaussian(max_passes=4))


@pytest.mark.parametrize("rows", [5, 3])
def test_fewer_rows_than_columns_do(rows):
    few = ROWS[:rows].copy()
    few[0, 1] = np.nan

    model = el.fit(few, 1, missing="auto")

    assert model.missing.cells == 1
    assert np.isfinite(model.complete(few)).all()


def test_one_column_leaves_rows_out():
    model = el.fit(np.where(np.arange(80) < 7, np.nan, ROWS[:, 0])[:, None], 1, missing="auto")

    assert model.n_rows == 73
    assert "7 rows without any cell were left out" in str(model.missing)


@pytest.mark.parametrize(("size", "words"), [(1e200, "largest float64"), (1e-200, "underflow")])
def test_sizes_beyond_float64_are_refused_in_words(size, words):
    rows = ROWS * size
    rows[0, 0] = np.nan

    with pytest.raises(el.DataError, match=words):
        el.fit(rows, 2, missing="auto")
