"""What is saved on long tables changes nothing: fewer rows measured, moments instead of rows."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellBlock
from eigenlens.missing.sums import sum_block
from eigenlens.robust import near_rows
from eigenlens.robust.near_rows import MeasuredRows
from eigenlens.robust.one_hole import OneHoleRows
from eigenlens.robust.plane import find_spread, fit_plane_to, limit_of_scores, mad_limit
from eigenlens.robust.row_table import RowTable
from eigenlens.robust.split_cells import SplitCells
from eigenlens.sources.open import open_source
from tests.robust.tables import draw_clean, plant_rows

ROWS = 6000


def draw_long(seed, noise="normal", offset=0.0, share=0.2):
    rows, plane = draw_clean(ROWS, 12, seed)
    if noise == "t3":
        rows += np.random.default_rng(seed).standard_t(3, rows.shape)
    return plant_rows(rows, plane, share, seed)[0] + offset


def planes_nearby(rows, seed):
    """Of all rows but a few."""
    rng = np.random.default_rng(seed)
    return [fit_plane_to(rows[rng.permutation(ROWS)[few:]], 3) for few in (1, 3, 10)]


@pytest.mark.parametrize("noise", ["normal", "t3"])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_rows_that_cannot_change_sides_are_judged_as_if_they_were_measured(noise, offset):
    rows = draw_long(1, noise, offset)
    first = fit_plane_to(rows, 3)
    within, off = first.distances(rows)
    measured = MeasuredRows(open_source(rows), first, within, off, find_spread(off))

    for plane in planes_nearby(rows, 2):
        kept, limit = measured.judge(plane)

        within, off = plane.distances(rows)
        expected = mad_limit(off, plane)
        assert limit == pytest.approx(expected, rel=1e-10)
        assert np.array_equal(kept, (within <= limit_of_scores(3)) & (off <= expected))
        assert 0 < len(measured.near.places) < ROWS / 2


def test_a_plane_that_is_far_is_not_judged_from_another_one():
    rows = draw_long(3, share=0.0)
    one, other = fit_plane_to(rows[:50], 3), fit_plane_to(rows, 3)
    within, off = one.distances(rows)

    assert MeasuredRows(open_source(rows), one, within, off, find_spread(off)).judge(other) is None


@pytest.mark.parametrize("scale", [None, "std"])
def test_measuring_every_row_every_time_leaves_out_the_same_rows(scale, monkeypatch):
    rows = draw_long(4, offset=50.0)
    quick = el.fit(rows, 3, robust="rows", scale=scale)
    monkeypatch.setattr(near_rows, "FEW", -1.0)

    slow = el.fit(rows, 3, robust="rows", scale=scale)

    assert np.array_equal(quick.robust.kept, slow.robust.kept)
    assert np.array_equal(quick.components, slow.components)


@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_distances_from_a_second_plane_follow_from_those_from_the_first(offset):
    rows = draw_long(5, offset=offset)
    table = RowTable(open_source(rows), None, np.random.default_rng(0))
    first, second, _ = planes_nearby(rows, 6)
    table.distances(first)

    within, off = table.distances(second)

    expected = second.distances(rows)
    np.testing.assert_allclose(within, expected[0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(off, expected[1], rtol=1e-6, atol=1e-6)


def draw_holes(seed, width=7, count=500):
    rng = np.random.default_rng(seed)
    mixing = rng.standard_normal((width, width))
    law = Normal(rng.standard_normal(width), mixing @ mixing.T + np.eye(width))
    values = rng.standard_normal((count, width)) @ mixing.T + 3.0
    lacking = rng.integers(0, width - 1, count)  # no row lacks the last one
    values[np.arange(count), lacking] = 0.0
    holes = np.zeros(values.shape, dtype=bool)
    holes[np.arange(count), lacking] = True
    return law, values, holes, lacking


def assert_same_sums(one, other):
    for name, expected in vars(other).items():
        np.testing.assert_allclose(getattr(one, name), expected, rtol=1e-10, atol=1e-8)


def test_rows_with_one_hole_are_summed_by_their_moments():
    law, values, holes, lacking = draw_holes(7)

    found = OneHoleRows.of_rows(values, lacking).sum(law)

    block = CellBlock(0, np.arange(len(values)), values, holes, None)
    assert_same_sums(found, sum_block(law, block))


def test_rows_that_change_their_holes_are_moved_between_the_sums():
    law, values, _, _ = draw_holes(8)
    rng = np.random.default_rng(9)
    before, after = rng.random((2, *values.shape)) < 0.15
    some = np.flatnonzero((before != after).any(axis=1))
    nothing = SplitCells.none(10_000, values.shape[1])
    assert nothing.single is not None

    moved = nothing.separate(0, values, before).exchange(
        some, values[some], before[some], after[some]
    )

    assert_same_sums(moved.sum(law), nothing.separate(0, values, after).sum(law))
    assert_same_sums(moved.join(400).sum(law), moved.sum(law))
