"""explain.missing(shift=): how far components turn if missing values are not as expected."""

import numpy as np
import pytest

import eigenlens as el
from tests.missing.drawn import draw_table


def lacking_table(n=200, d=5, share=0.4, rows=None):
    rows = draw_table(n, d, 0) if rows is None else rows.copy()
    rows[np.random.default_rng(1).random(n) < share, 2] = np.nan
    return rows


@pytest.mark.parametrize("scale", [None, "std"])
def test_the_turn_is_that_of_the_moved_table(scale):
    rows = lacking_table()
    model = el.fit(rows, 2, missing="auto", scale=scale)
    filled, errors = model.complete(rows, errors=True)
    own = np.cov(filled.T)
    # What is uncertain in the filled cells is part of C*, moved or not.
    expected = model.moments.squares / (len(rows) - 1)
    uncertain = np.diag(np.where(np.arange(5) == 2, expected - np.diag(own), 0.0))

    found = el.explain.missing(model, rows, shift=1.5)

    angles = []
    for sign in (1, -1):
        moved = np.cov((filled + sign * 1.5 * errors).T) + uncertain
        if scale:
            sizes = np.sqrt(np.diag(moved))
            moved = moved / np.outer(sizes, sizes)
        axes = np.linalg.eigh(moved)[1][:, :-3:-1].T
        along = np.abs(np.sum(axes * model.components, axis=1)).clip(0, 1)
        angles.append(np.degrees(np.arccos(along)).max())
    assert found["turn"][2] == pytest.approx(max(angles), abs=1e-4)
    assert np.isnan(np.delete(found["turn"], 2)).all()


def test_few_holes_turn_nothing_and_many_do():
    rows = np.random.default_rng(2).standard_normal((200, 4)) * [2, 1.5, 1, 0.5]
    few, many = lacking_table(share=0.02, rows=rows), lacking_table(share=0.6, rows=rows)

    for given, turns in ((few, False), (many, True)):
        model = el.fit(given, 2, missing="auto")
        table = el.explain.missing(model, given, shift=5.0)
        assert np.isfinite(table["turns_at"][2]) == turns


def test_without_a_shift_the_table_is_as_it_was():
    rows = lacking_table()

    table = el.explain.missing(el.fit(rows, 2, missing="auto"), rows)

    assert list(table.columns)[-1] == "v_test"


@pytest.mark.parametrize("shift", [0, -1.0, np.inf, "much", True])
def test_a_shift_is_a_positive_number(shift):
    rows = lacking_table()

    with pytest.raises(el.OptionError, match="shift"):
        el.explain.missing(el.fit(rows, 2, missing="auto"), rows, shift=shift)
