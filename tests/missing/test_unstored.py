"""Sparse tables whose unstored entries are unknown."""

import numpy as np
import pytest
import scipy.sparse

import eigenlens as el
from tests.missing.drawn import draw_table

ROWS = draw_table(200, 9, seed=8, offset=2.0)
KNOWN = np.random.default_rng(9).random(ROWS.shape) < 0.5
KNOWN[np.arange(200), np.arange(200) % 9] = True
HOLES = np.where(KNOWN, ROWS, np.nan)


def stored(rows, known, form="csr"):
    where = np.nonzero(known)
    return scipy.sparse.coo_array((rows[where], where), shape=rows.shape).asformat(form)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_what_is_not_stored_is_missing(form):
    sparse = stored(ROWS, KNOWN, form)

    one, other = el.fit(sparse, 2, missing="unstored"), el.fit(HOLES, 2, missing="auto")

    assert np.array_equal(one.eigenvalues, other.eigenvalues)
    assert np.array_equal(one.project(sparse), other.project(HOLES))
    assert np.array_equal(one.complete(sparse), other.complete(HOLES))


def test_a_stored_zero_is_a_zero():
    rows = np.where(ROWS > 3, 0.0, ROWS)

    one = el.fit(stored(rows, KNOWN), 2, missing="unstored")

    assert one.missing.cells == int((~KNOWN).sum())


def test_new_rows_and_saved_models_keep_to_it(tmp_path):
    sparse = stored(ROWS, KNOWN)
    model = el.fit(sparse, 2, missing="unstored")
    model.save(tmp_path / "m.eigenlens")

    again = el.load(tmp_path / "m.eigenlens")

    assert np.array_equal(again.project(sparse[:5]), model.project(HOLES[:5]))


def test_otherwise_zeros_are_zeros():
    model = el.fit(stored(ROWS, KNOWN), 2, missing="auto")

    assert model.missing.cells == 0


def test_a_dense_table_stores_everything():
    with pytest.raises(el.OptionError, match="sparse table"):
        el.fit(HOLES, 2, missing="unstored")
