"""The rule of small tables: right on drawn ones, and 0 only where a test finds nothing."""

import numpy as np
import pytest

import eigenlens as el
from benchmarks.small_draws import CASES, draw_table, spectrum_for
from eigenlens.rank.eigenvalue_drops import expected_noise_drop
from eigenlens.rank.small_table import SmallTable

DRAWS = 60


def test_the_expected_drop_of_noise_is_within_a_quarter_of_the_simulated_one():
    rng = np.random.default_rng(0)
    for directions, rows in ((2, 40), (3, 100), (5, 40), (10, 100), (15, 300)):
        drops = []
        for _ in range(200):
            values = np.linalg.svd(rng.standard_normal((rows, directions)), compute_uv=False)
            drops.append(2 * np.log(values[0] / values[1]))

        assert expected_noise_drop(directions, rows) == pytest.approx(np.mean(drops), rel=0.25)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_number_put_in_is_found(case):
    # At least what results/small.md asks for, less three standard errors of so few draws.
    least = {"strong": 0.95, "moderate": 0.8, "noise": 0.95}[case.strength]
    allowed = least - 3 * np.sqrt(least * (1 - least) / DRAWS)
    hits = []
    for rng in np.random.default_rng(5).spawn(DRAWS):
        rows, rank = draw_table(case, rng)
        hits.append(SmallTable().choose(spectrum_for(rows, case.scaled)).value == rank)

    assert np.mean(hits) >= allowed


@pytest.mark.parametrize("noise", [0.0, 1e-6, 1e-2])
def test_a_plane_in_space_has_two_directions(noise):
    rng = np.random.default_rng(1)
    plane = rng.standard_normal((500, 2)) @ rng.standard_normal((2, 3))

    assert el.fit(plane + noise * rng.standard_normal(plane.shape)).n_components == 2


def test_columns_that_vary_much_more_than_others_are_kept():
    rng = np.random.default_rng(0)
    for _ in range(10):
        data = rng.standard_normal((120, 5)) * [9, 5, 1, 1, 1]

        assert el.fit(data).n_components == 2


def test_nothing_is_kept_of_noise_and_the_test_is_named():
    rng = np.random.default_rng(0)
    plain = el.fit(rng.standard_normal((200, 6))).choices["k"]
    unequal = el.fit(rng.standard_normal((200, 6)) * np.arange(1, 7), scale="std").choices["k"]

    assert (plain.value, plain.evidence["test"]) == (0, "sphericity")
    assert (unequal.value, unequal.evidence["test"]) == (0, "independence")
    assert plain.evidence["p"] > 0.01
    assert "sphericity" in plain.reason
    assert "independence" in unequal.reason


def test_unequal_variances_are_structure_until_they_are_scaled_away():
    data = np.random.default_rng(0).standard_normal((200, 6)) * np.arange(1, 7)

    assert el.fit(data).n_components > 0


def test_units_of_standardized_columns_do_not_matter():
    rng = np.random.default_rng(0)
    data = rng.standard_normal((150, 2)) @ rng.standard_normal((2, 8))
    data += 0.3 * rng.standard_normal(data.shape)
    units = 10.0 ** rng.integers(-3, 4, 8)

    one, two = el.fit(data, scale="std"), el.fit(data * units, scale="std")

    assert one.n_components == two.n_components == 2


def test_a_smooth_spectrum_has_no_cut_of_its_own_and_says_so():
    rng = np.random.default_rng(0)
    data = rng.standard_normal((2000, 8)) * np.sqrt(0.5 ** np.arange(8))
    verdict = el.fit(data).choices["k"]

    assert "without a clear cut" in verdict.reason
    assert verdict.evidence["share"] >= 0.8


def test_a_large_table_refuses_the_rule_and_auto_takes_another():
    data = np.random.default_rng(0).standard_normal((100, 30))

    with pytest.raises(el.RankError, match="fewer than 22 columns; here are 30"):
        el.fit(data, k="small_table")
    assert el.fit(data).choices["k"].rule == "screenot"
