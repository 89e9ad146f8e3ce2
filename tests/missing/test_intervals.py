"""Intervals of filled cells hold what they promise, also where a law was learned from few rows."""

import numpy as np

import eigenlens as el
from eigenlens.missing.completer import Completer
from eigenlens.missing.hidden import MOST_ROUNDS, mask_some_cells
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellReader, observe_cells
from eigenlens.sources.array import ArraySource
from tests.missing.drawn import draw_holes, draw_table


def reader_of(rows):
    source = ArraySource(rows, slice(0, rows.shape[1]))
    return CellReader(source, observe_cells(source))


def held_share(n, d, share, draws, depends=False):
    """How many of the filled cells lie within 1.96 standard errors, over all draws."""
    inside, count = 0, 0
    for seed in range(draws):
        rows = draw_table(n, d, seed)
        lacking = draw_holes(rows, share, seed)
        if depends:  # the first column is mostly missing where the second is high
            lacking = rows.copy()
            high = rows[:, 1] > np.median(rows[:, 1])
            lacking[high & (np.random.default_rng(seed).random(n) < 0.8), 0] = np.nan
        filled, errors = el.fit(lacking, 1, missing="auto").complete(lacking, errors=True)
        holes = np.isnan(lacking)
        inside += int((np.abs(filled - rows) <= 1.96 * errors)[holes].sum())
        count += int(holes.sum())
    return inside / count


def test_intervals_of_small_tables_hold_95_percent():
    assert 0.93 < held_share(20, 6, 0.3, 30) < 0.97


def test_intervals_hold_where_cells_are_missing_beside_high_values():
    assert held_share(30, 5, 0.0, 12, depends=True) >= 0.88


def test_small_tables_hide_other_cells_in_each_round():
    rows = draw_table(20, 6, 0)

    test = mask_some_cells(reader_of(rows), np.random.default_rng(0))

    assert len(test.rounds) == MOST_ROUNDS
    assert np.sum([one.hidden for one in test.rounds], axis=0).max() == 1


def test_large_tables_hide_cells_once():
    test = mask_some_cells(reader_of(draw_table(2000, 6, 0)), np.random.default_rng(0))

    assert len(test.rounds) == 1
    assert test.count > 400


def test_errors_are_those_of_a_regression_where_one_column_lacks_cells():
    """1 + 1/n + (x - mean)' S^-1 (x - mean) / n times the residual variance."""
    law = Normal(np.zeros(3), np.array([[1.0, 0.5, 0.3], [0.5, 1.0, 0.2], [0.3, 0.2, 1.0]]))
    ones, support = np.ones(3), np.full(3, 25.0)
    row = np.array([[np.nan, 2.0, -1.0]])
    among = law.covariance[1:, 1:]
    residual = 1.0 - law.covariance[0, 1:] @ np.linalg.solve(among, law.covariance[1:, 0])
    leverage = (1 + row[0, 1:] @ np.linalg.solve(among, row[0, 1:])) / 25

    found = Completer(law, 0 * ones, ones, ones, support=support).complete(row)

    np.testing.assert_allclose(found.errors[0, 0], np.sqrt(residual * (1 + leverage)))


def test_scores_and_files_have_the_same_errors(tmp_path):
    rows = draw_holes(draw_table(25, 5, 1), 0.2, 1)
    model = el.fit(rows, 2, missing="auto")
    model.save(tmp_path / "model.eigenlens")
    again = el.load(tmp_path / "model.eigenlens")

    for errors, kept in (
        (model.complete(rows, errors=True)[1], again.complete(rows, errors=True)[1]),
        (model.project(rows, errors=True)[1], again.project(rows, errors=True)[1]),
    ):
        np.testing.assert_array_equal(errors, kept)
    assert model.missing.completer.support is not None
