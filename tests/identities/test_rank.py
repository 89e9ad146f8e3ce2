"""Choosing k: what the rules promise, whatever the spectrum."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.rank.automatic import Automatic
from eigenlens.rank.catalogue import rule_for
from eigenlens.rank.count import Count
from eigenlens.rank.fraction import Fraction
from eigenlens.rank.frobenius import Frobenius
from eigenlens.rank.screenot import ScreeNOT
from eigenlens.rank.small_table import SmallTable
from eigenlens.rank.spectrum import Spectrum
from tests.reference import exact_spectrum
from tests.strategies import problems

fractions = st.floats(0.01, 0.999)


@st.composite
def spectra(draw):
    """Descending eigenvalues of some decay, a few of them zero at times."""
    count = draw(st.integers(1, 40))
    power = draw(st.sampled_from([0.0, 0.5, 1.0, 3.0]))
    noise = np.random.default_rng(draw(st.integers(0, 999))).uniform(0.5, 1, count)
    values = np.sort(noise / np.arange(1, count + 1) ** power)[::-1]
    values[count - draw(st.integers(0, count - 1)) :] = 0
    return values


def whole(values):
    return seen(values, len(values), rounding=1e-12)


def seen(values, count, **known):
    """The leading part of a spectrum, as a solver that has found `count` of them knows it."""
    size = len(values)
    return Spectrum(values[:count], float(values.sum()), size, 1000, size, **known)


def smallest(values, fraction):
    held = np.cumsum(values) / values.sum()
    return int(np.flatnonzero(held >= min(fraction, held[-1]))[0]) + 1


@given(spectra(), fractions)
def test_a_fraction_gives_the_smallest_k_that_holds_it(values, fraction):
    verdict = Fraction(fraction).choose(whole(values))

    assert verdict.value == smallest(values, fraction)
    assert verdict.evidence["captured"] >= fraction * (1 - 1e-12)


@given(spectra(), fractions, fractions)
def test_a_larger_fraction_never_takes_fewer(values, one, two):
    low, high = sorted([one, two])

    few, many = (
        rule(part).choose(whole(values)).value for rule, part in [(Fraction, low), (Fraction, high)]
    )
    fewer, more = (Frobenius(part).choose(whole(values)).value for part in (low, high))

    assert few <= many
    assert fewer <= more


@given(spectra(), fractions, st.integers(-300, 300))
def test_scaling_all_data_changes_no_choice(values, fraction, power):
    scaled = values * 2.0 ** (power // 2)

    for rule in (Fraction(fraction), Frobenius(fraction)):
        assert rule.choose(whole(scaled)).value == rule.choose(whole(values)).value


@given(spectra(), fractions)
def test_squares_need_no_more_components_than_variance(values, fraction):
    # Squaring moves weight to the front, so their partial sums are never smaller.
    assert Frobenius(fraction).choose(whole(values)).value <= smallest(values, fraction)


@given(spectra(), fractions, st.data())
def test_a_rule_that_has_seen_too_little_asks_for_more(values, fraction, data):
    count = data.draw(st.integers(1, len(values)))

    verdict = Fraction(fraction).choose(seen(values, count))

    held = values[:count].sum() / values.sum()
    assert (verdict is None) == (held < fraction) or abs(held - fraction) < 1e-12
    if verdict is not None:
        assert verdict.value == smallest(values, fraction)


@given(spectra(), fractions, st.data())
def test_a_bracket_of_squares_holds_the_true_k(values, fraction, data):
    count = data.draw(st.integers(1, len(values)))
    beyond = values[count] if count < len(values) else 0.0
    exact = smallest(values**2, fraction)

    verdict = Frobenius(fraction).choose(seen(values, count, leftover=float(beyond)))

    if verdict is not None:
        assert verdict.low <= exact <= verdict.high == verdict.value
    else:
        # Not even all that is listed is certain to hold it.
        assert (
            np.sum(values[:count] ** 2)
            < fraction * np.sum(values**2) + beyond * values[count:].sum()
        )


@given(spectra(), fractions, st.data(), st.floats(0.5, 1.0))
def test_a_bracket_holds_the_true_k_also_from_values_that_are_too_small(
    values, fraction, data, part
):
    # Ritz values lie below the truth and what they miss is part of the tail.
    count = data.draw(st.integers(1, len(values)))
    spectrum = Spectrum(
        values[:count] * part,
        float(values.sum()),
        len(values),
        1000,
        len(values),
        leftover=float(values[0]),
        ceilings=values[:count],
    )

    verdict = Frobenius(fraction).choose(spectrum)

    if verdict is not None:
        assert verdict.low <= smallest(values**2, fraction) <= verdict.high


@given(spectra(), fractions)
def test_as_many_values_as_there_can_be_are_not_yet_all_the_variance(values, fraction):
    # A solver stopped early has as many Ritz values as asked for, but half of each is missing.
    size = len(values)
    halved = Spectrum(values / 2, float(values.sum()), size, 1000, size, rounding=1e-12)

    verdict = Fraction(fraction).choose(halved)

    assert (verdict is None) == (fraction > 0.5) or abs(fraction - 0.5) < 1e-12


@pytest.mark.parametrize("k", [1, 5])
def test_a_count_is_taken_as_it_is_once_enough_is_seen(k):
    values = np.arange(9.0, 0.0, -1)

    assert Count(k).choose(seen(values, k - 1)) is None
    assert Count(k).choose(seen(values, k)).value == k


def test_the_table_of_rules_is_what_k_means():
    shape, limits = (20, 10), (10, True)

    assert rule_for(7, shape, *limits) == Count(7)
    assert rule_for(0.9, shape, *limits) == Fraction(0.9)
    assert rule_for("fraction", shape, *limits) == Fraction(0.95)
    assert rule_for("fraction:0.8", shape, *limits) == Fraction(0.8)
    assert rule_for("frobenius", shape, *limits) == Frobenius(0.9)
    assert rule_for("frobenius:0.95", shape, *limits) == Frobenius(0.95)
    assert rule_for("auto", shape, *limits) == Automatic()
    assert rule_for("screenot", shape, *limits) == ScreeNOT()
    assert rule_for("small_table", shape, *limits) == SmallTable()


@given(problems(), fractions)
def test_the_fraction_asked_for_is_held(problem, fraction):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", el.NotCertified)
        model = el.fit(
            problem.rows,
            fraction,
            center=problem.center,
            scale=problem.scale,
            weights=problem.weights,
        )

    truth = exact_spectrum(problem)
    held = np.cumsum(truth.eigenvalues) / truth.total
    allowance = model.certificate.rounding.sum() / truth.total
    slack = 1e-12 + 2 * allowance + 4 * model.proof.facts.roundoff * model.certificate.hazard
    assert held[model.n_components - 1] >= min(fraction, held[-1]) - slack
