"""Outlying rows: weights of 0 and 1 that reproduce themselves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.robust.plane import limit_of_scores, mad_limit
from eigenlens.robust.row_table import RowTable
from eigenlens.robust.rows import leave_out_outlying
from eigenlens.sources.open import open_source
from tests.robust.tables import angle, draw_clean, plant_rows


@pytest.mark.parametrize("share", [0.0, 0.05, 0.1, 0.2, 0.3, 0.4])
def test_planted_rows_are_found_and_the_plane_stays(share):
    rows, plane = draw_clean(200, 20, 11)
    spoiled, bad = plant_rows(rows, plane, share, 11)

    model = el.fit(spoiled, 3, robust="rows")

    assert angle(model, plane) < 13
    assert not model.robust.kept[bad].any()
    assert (~model.robust.kept[~bad]).mean() < 0.1


def test_the_answer_is_the_fit_with_these_weights():
    rows, plane = draw_clean(150, 8, 1)
    spoiled, _ = plant_rows(rows, plane, 0.1, 1)

    model = el.fit(spoiled, 3, robust="rows")
    other = el.fit(spoiled, 3, weights=model.robust.kept)

    assert np.array_equal(model.components, other.components)
    assert np.array_equal(model.certificate.eigenvalue_bounds, other.certificate.eigenvalue_bounds)


@settings(max_examples=20)
@given(
    st.integers(0, 50),
    st.integers(30, 200),
    st.integers(2, 9),
    st.sampled_from([0.0, 0.1, 0.25]),
    st.sampled_from([None, "std"]),
)
def test_the_distances_of_the_fit_give_its_weights(seed, n, d, share, scale):
    rows, plane = draw_clean(n, d, seed, sizes=(5.0, 3.0)[: min(2, d - 1)])
    rows, _ = plant_rows(rows, plane, share, seed)
    rank = plane.shape[1]

    model = el.fit(rows, rank, robust="rows", scale=scale)

    verdict = model.choices["robust"]
    if not verdict.evidence["fixed_point"]:
        return
    table = RowTable(open_source(rows), scale, np.random.default_rng(0))
    again = table.fit_plane(model.robust.kept, fake_plane(rank))
    scores, distances = table.distances(again)
    kept = (scores <= limit_of_scores(rank)) & (distances <= mad_limit(distances, again))
    assert np.array_equal(kept, model.robust.kept)
    turned = np.linalg.svd(model.components @ again.basis, compute_uv=False)
    assert turned.min() > 1 - 1e-8


def fake_plane(rank):
    class Before:
        pass

    Before.rank = rank
    return Before


def test_a_long_table_is_judged_like_a_short_one():
    rows, plane = draw_clean(6000, 6, 3)
    spoiled, bad = plant_rows(rows, plane, 0.1, 3)

    kept = el.fit(spoiled, 3, robust="rows").robust.kept

    assert not kept[bad].any()
    assert (~kept[~bad]).mean() < 0.08


@pytest.mark.parametrize("shape", [(30, 200), (2500, 2100)])
def test_tables_wider_than_a_matrix_should_be(shape):
    n, d = shape
    rows, plane = draw_clean(n, d, 4, sizes=(60.0, 40.0))
    spoiled, bad = plant_rows(rows, plane, 0.1, 4, size=300.0)

    selection = leave_out_outlying(
        RowTable(open_source(spoiled), None, np.random.default_rng(0)),
        2,
        0.75,
        np.random.default_rng(0),
    )

    assert not selection.kept[bad].any()


def test_the_number_of_components_may_be_left_open():
    rows, plane = draw_clean(200, 10, 5)
    spoiled, bad = plant_rows(rows, plane, 0.2, 5)

    model = el.fit(spoiled, "auto", robust="rows")

    assert not model.robust.kept[bad].any()
    assert model.n_components == 3


def test_what_cannot_be_is_refused_in_words():
    rows, _ = draw_clean(60, 4, 6)
    holes = rows.copy()
    holes[3, 1] = np.nan

    with pytest.raises(el.OptionError, match=r"0\.5 to 1"):
        el.robust.Rows(kept=0.3)
    with pytest.raises(el.OptionError, match=r"robust.*weights"):
        el.fit(rows, 2, robust="rows", weights=np.ones(60))
    with pytest.raises(el.OptionError, match="cells"):
        el.fit(holes, 2, robust="rows", missing="auto")
    with pytest.raises(el.OptionError, match="Possible: 'wrap', 'rows', 'cells'"):
        el.fit(rows, 2, robust="row")
    with pytest.raises(el.OptionError, match="10 rows"):
        el.fit(rows[:8], 2, robust="rows")
    assert el.fit(holes, 2, robust="rows", missing="drop").n_rows == 59
