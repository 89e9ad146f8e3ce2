"""Outlying cells: an objective that never rises, on the engine for missing cells."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import observe_cells
from eigenlens.missing.prior import Prior
from eigenlens.missing.sums import sum_over
from eigenlens.robust.alternation import Alternation
from eigenlens.robust.cells import first_law, fit_cells
from eigenlens.robust.screen import CellScreen, measure_cells, row_costs
from eigenlens.sources.open import open_source
from tests.robust.tables import angle, draw_clean, plant_cells


def draw_law(seed, d):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((d, d + 2))
    return Normal(rng.standard_normal(d), root @ root.T / (d + 2))


@settings(max_examples=25)
@given(st.integers(0, 99), st.integers(2, 6), st.sampled_from([0.0, 0.3, 0.7]))
def test_residuals_are_those_of_conditional_laws(seed, d, share):
    law, rng = draw_law(seed, d), np.random.default_rng([seed, 1])
    rows, holes = 3 * rng.standard_normal((7, d)), rng.random((7, d)) < share

    found = measure_cells(law, rows, holes)

    for i in range(7):
        for j in range(d):
            others = [c for c in range(d) if c != j and not holes[i, c]]
            among, across = law.covariance[np.ix_(others, others)], law.covariance[j, others]
            gain = np.linalg.solve(among, across) if others else np.zeros(0)
            expected = gain @ rows[i, others]
            variance = law.covariance[j, j] - gain @ across
            assert found.residuals[i, j] == pytest.approx(rows[i, j] - expected, abs=1e-8)
            assert found.variances[i, j] == pytest.approx(variance, rel=1e-7)


@settings(max_examples=25)
@given(st.integers(0, 99), st.integers(2, 6))
def test_no_single_cell_can_lower_the_cost_of_a_row(seed, d):
    law, rng = draw_law(seed, d), np.random.default_rng([seed, 2])
    rows, absent = 3 * rng.standard_normal((9, d)), rng.random((9, d)) < 0.1
    screen = CellScreen.from_law(law, np.ones(d, dtype=bool))

    found = screen.find(law, rows, absent)
    flags, costs = found.flags, found.costs

    assert not (flags & absent).any()
    for j in range(d):
        changed = flags.copy()
        changed[:, j] ^= True
        other = row_costs(law, rows, changed | absent) + screen.add_penalties(changed)
        free = ~absent[:, j]
        assert (other[free] >= costs[free] - 1e-8 * np.abs(costs[free])).all()


@pytest.mark.parametrize("share", [0.0, 0.1, 0.2, 0.35])
def test_the_objective_never_rises(share):
    rows, _ = draw_clean(150, 8, 1)
    spoiled, _ = plant_cells(rows, share, 1)

    trail = np.array(fit_cells(open_source(spoiled), 0.25, True, np.random.default_rng(0)).trail)

    assert len(trail) > 1
    assert (np.diff(trail) <= 1e-9 * np.abs(trail[:-1])).all()


@pytest.mark.parametrize("share", [0.05, 0.1, 0.2])
def test_planted_cells_are_found_and_the_plane_stays(share):
    rows, plane = draw_clean(200, 20, 2)
    spoiled, bad = plant_cells(rows, share, 2)

    model = el.fit(spoiled, 3, robust="cells")
    filled, errors = model.complete(spoiled, errors=True)

    found = errors > 0
    assert angle(model, plane) < 12
    assert found[bad].mean() > 0.97
    assert found[~bad].mean() < 0.02
    apart = np.abs(filled - rows)[bad & found] / errors[bad & found]
    assert (apart < 1.96).mean() > 0.85


def test_no_more_of_a_column_is_left_out_than_the_limit():
    rows, _ = draw_clean(200, 6, 3)
    rows[:120, 2] += 50

    found = fit_cells(open_source(rows), 0.25, True, np.random.default_rng(0))

    assert found.source.change.flags.read(slice(None)).sum(axis=0).max() <= 50


def test_missing_cells_are_estimated_with_the_outlying_ones():
    rows, plane = draw_clean(300, 10, 4)
    spoiled, _ = plant_cells(rows, 0.05, 4)
    spoiled[np.random.default_rng(1).random(rows.shape) < 0.1] = np.nan

    with pytest.raises(el.DataError, match="missing"):
        el.fit(spoiled, 3, robust="cells")
    model = el.fit(spoiled, 3, robust="cells", missing="auto")

    assert model.missing.cells == np.isnan(spoiled).sum() + model.missing.outlying
    assert angle(model, plane) < 12


def test_new_rows_are_screened_too():
    rows, _ = draw_clean(400, 8, 5)
    model = el.fit(rows, 3, robust="cells")
    clean = rows[:1]
    row = clean.copy()
    row[0, 3] += 60

    assert np.linalg.norm(model.project(row) - model.project(clean)) < 3
    assert np.linalg.norm((row - clean) @ model.components.T) > 10


def test_a_long_table_goes_over_a_sample_first():
    rows, plane = draw_clean(9000, 6, 6)
    spoiled, bad = plant_cells(rows, 0.05, 6, size=30.0)

    model = el.fit(spoiled, 3, robust="cells")

    assert angle(model, plane) < 3
    assert model.robust.outlying > 0.9 * bad.sum()
    assert model.choices["robust"].evidence["changing"] < 0.001 * rows.size


def test_the_order_of_the_cells_in_memory_makes_no_difference():
    rows = plant_cells(draw_clean(200, 8, 3)[0], 0.1, 3)[0]
    rows[np.random.default_rng(3).random(rows.shape) < 0.05] = np.nan

    one = el.fit(rows, 2, robust="cells", missing="auto")
    other = el.fit(np.asfortranarray(rows), 2, robust="cells", missing="auto")

    assert other.eigenvalues == pytest.approx(one.eigenvalues, rel=1e-9)


def test_rows_that_are_not_looked_at_again_stay_as_they_are():
    rows = plant_cells(draw_clean(6000, 8, 5)[0], 0.05, 5)[0]
    source = open_source(rows)
    law, screen, observed = first_law(rows, observe_cells(source))
    table = Alternation(source, observed, screen, Prior(2.0), 0.25)
    seen, look = [], table.revise

    def count_rows(law, near, split):
        seen.append(len(near))
        return look(law, near, split)

    table.revise = count_rows
    law = table.run(law, 30)
    assert seen
    assert min(seen) < len(rows) / 4
    flags, sums = table.flags.read(slice(None)), table.sum(law)
    whole = sum_over(law, table.reader)
    assert sums.second == pytest.approx(whole.second, rel=1e-9, abs=1e-6)
    assert table.count_cells().complete_rows == (~flags.any(axis=1)).sum()

    table.sweep(law, None)

    assert (flags != table.flags.read(slice(None))).mean() <= 0.001
