"""Sampling intervals: as wide as the rows' own tails ask for."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.explain import sampling_intervals

POPULATION = np.array([8.0, 2.0, 0.5])


def columns(table):
    return np.column_stack([table["low"], table["high"]])


@pytest.mark.parametrize("sampler", ["standard_normal", "laplace"])
def test_nineteen_of_twenty_hold_the_population(sampler):
    # Of 3 x 120 intervals: 95 % within four standard errors of so many.
    held = []
    for rng in np.random.default_rng(0).spawn(120):
        numbers = getattr(rng, sampler)(size=(200, 3)) / (1 if "normal" in sampler else np.sqrt(2))
        rows = numbers * np.sqrt(POPULATION)
        low, high = columns(sampling_intervals(el.fit(rows, 3), rows)).T
        held.append((low <= POPULATION) & (high >= POPULATION))

    assert abs(np.mean(held) - 0.95) <= 4 * np.sqrt(0.95 * 0.05 / (3 * 120))


def test_of_normal_rows_both_ways_agree():
    rows = np.random.default_rng(0).standard_normal((20_000, 3)) * np.sqrt(POPULATION)
    model = el.fit(rows, 3)

    for name in ("low", "high", "proportion_low", "proportion_high"):
        own, normal = sampling_intervals(model, rows)[name], sampling_intervals(model)[name]

        np.testing.assert_allclose(own, normal, rtol=4e-3)


def test_heavy_tails_widen_the_interval():
    rng = np.random.default_rng(0)
    rows = rng.standard_t(5, (2000, 3)) * [3, 2, 1]
    model = el.fit(rows, 3)

    own, normal = columns(sampling_intervals(model, rows)), columns(sampling_intervals(model))

    assert np.all(np.diff(own) > 1.2 * np.diff(normal))


def test_integer_weights_are_repeated_rows():
    rng = np.random.default_rng(0)
    rows, weights = rng.standard_normal((60, 3)) * [3, 2, 1], rng.integers(1, 4, 60)
    repeated = np.repeat(rows, weights, axis=0)

    one = sampling_intervals(el.fit(rows, 2, weights=weights), rows, weights=weights)
    two = sampling_intervals(el.fit(repeated, 2), repeated)

    np.testing.assert_allclose(columns(one), columns(two), rtol=1e-9)


def test_units_scale_eigenvalues_and_leave_shares():
    rows = np.random.default_rng(0).standard_normal((80, 4)) * [4, 3, 2, 1]
    one = sampling_intervals(el.fit(rows, 2), rows)
    two = sampling_intervals(el.fit(rows * 8, 2), rows * 8)

    np.testing.assert_allclose(columns(two), 64 * columns(one), rtol=1e-12)
    np.testing.assert_allclose(two["proportion_low"], one["proportion_low"], rtol=1e-12)


def test_empty_components_have_none_and_equal_ones_a_note():
    rng = np.random.default_rng(0)
    flat = rng.standard_normal((100, 2)) @ rng.standard_normal((2, 4))
    table = sampling_intervals(el.fit(flat, 3), flat)
    alike = rng.standard_normal((100, 3))

    assert np.isnan(table["low"][2])
    assert "not told apart" in str(sampling_intervals(el.fit(alike, 3), alike))


def test_intervals_hold_the_estimate_however_much_sampling_adds_to_it():
    rng = np.random.default_rng(7)
    rows = rng.standard_normal((60, 3)) + 1.5 * rng.standard_normal((60, 1))
    ranks = np.argsort(np.argsort(rows, axis=0), axis=0)
    frame = pd.DataFrame(ranks * 20 // 60, columns=list("abc")).astype(str)
    model = el.fit(frame, 3, categories="auto", rare=0)

    low, high = columns(found := sampling_intervals(model, frame)).T

    assert ((low <= model.eigenvalues) & (model.eigenvalues <= high)).all()
    assert (model.explained_ratio <= found["proportion_high"]).all()
    assert (model.explained_ratio >= found["proportion_low"]).all()


def test_a_level_is_a_probability():
    model = el.fit(np.random.default_rng(0).standard_normal((30, 3)), 2)

    with pytest.raises(el.OptionError, match="probability between 0 and 1"):
        sampling_intervals(model, level=95)


@pytest.mark.parametrize("power", [-490, -150, 150, 490])
def test_the_size_of_the_numbers_changes_no_interval(power):
    rows = np.random.default_rng(0).standard_t(4, (60, 4))
    other = np.ldexp(rows, power)

    one = sampling_intervals(el.fit(rows, 2), rows)
    two = sampling_intervals(el.fit(other, 2), other)

    for name in ("proportion_low", "proportion_high"):
        np.testing.assert_allclose(two[name], one[name], rtol=1e-9)
    for name in ("low", "high"):
        np.testing.assert_allclose(two[name] / two["eigenvalue"], one[name] / one["eigenvalue"])
