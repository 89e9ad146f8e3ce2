"""What every rule on the spectrum promises: units, explanations, and honest partial answers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.noise_models import MODELS, drawn, spectrum_of
from eigenlens import RankError
from eigenlens.rank.bai_ng import BaiNg
from eigenlens.rank.broken_stick import BrokenStick
from eigenlens.rank.dpa import DPA
from eigenlens.rank.fraction import Fraction
from eigenlens.rank.frobenius import Frobenius
from eigenlens.rank.gap import Gap
from eigenlens.rank.gavish_donoho import GavishDonoho
from eigenlens.rank.gcv import GCV
from eigenlens.rank.kaiser import Kaiser
from eigenlens.rank.kritchman_nadler import KritchmanNadler
from eigenlens.rank.minka import Minka
from eigenlens.rank.screenot import ScreeNOT
from eigenlens.rank.spectrum import Spectrum

LEADING = (
    Fraction(0.9),
    Frobenius(0.9),
    Gap(),
    DPA(),
    ScreeNOT(),
    Kaiser(),
    BrokenStick(),
    BaiNg(),
    GCV(),
    KritchmanNadler(),
)
EVERY = (*LEADING, GavishDonoho(), Minka())


def named(rule):
    return rule.name


def rows_of(model, seed):
    return drawn(model, np.random.default_rng(seed)).rows


@pytest.mark.parametrize("rule", EVERY, ids=named)
def test_the_answer_explains_itself(rule):
    verdict = rule.choose(spectrum_of(rows_of(MODELS[0], 0)))

    assert verdict.rule == rule.name
    assert 0 <= verdict.value <= 100
    assert len(verdict.reason) > 20
    assert "\n" not in verdict.reason
    assert verdict.evidence
    assert rule.question in ("compression", "detection", "denoising")


@pytest.mark.parametrize("rule", [one for one in EVERY if not isinstance(one, Minka)], ids=named)
def test_the_margin_is_told(rule):
    margin = rule.choose(spectrum_of(rows_of(MODELS[0], 0))).evidence["margin"]

    assert 0 <= margin < np.inf


@pytest.mark.parametrize("rule", EVERY, ids=named)
@pytest.mark.parametrize("factor", [1e-300, 1e-100, 1e290])
def test_the_units_of_the_data_do_not_matter(rule, factor):
    spectrum = spectrum_of(rows_of(MODELS[0], 1))
    scaled = replace(
        spectrum,
        values=spectrum.values * factor,
        total=spectrum.total * factor,
        variances=spectrum.variances * factor,
    )

    assert rule.choose(scaled).value == rule.choose(spectrum).value


@given(st.sampled_from(MODELS), st.integers(0, 9), st.integers(1, 60))
@settings(max_examples=60)
def test_a_part_of_the_spectrum_never_contradicts_the_whole(model, seed, listed):
    rows = rows_of(model, seed)
    part, whole = spectrum_of(rows, listed), spectrum_of(rows)

    for rule in LEADING:
        answer = rule.choose(part)

        if answer is None:
            continue
        exact = rule.choose(whole).value
        low = answer.value if answer.low is None else answer.low
        high = answer.value if answer.high is None else answer.high
        assert low <= exact <= high, rule.name


@pytest.mark.parametrize("rule", LEADING, ids=named)
def test_the_whole_spectrum_always_has_an_answer(rule):
    for model in MODELS:
        assert rule.choose(spectrum_of(rows_of(model, 2))) is not None


@pytest.mark.parametrize("rule", EVERY, ids=named)
def test_a_rule_that_saw_too_little_says_what_it_needs(rule):
    part = spectrum_of(rows_of(MODELS[0], 0), 1)

    assert 1 <= rule.first_guess(100) <= 100
    assert rule.first_guess(1) == 1
    assert rule.choose(part) is None
    error = rule.out_of_reach(part)
    assert isinstance(error, RankError)
    assert any(way in str(error) for way in ("max_passes", "solver="))


@pytest.mark.parametrize("rule", [DPA(), Kaiser(), GavishDonoho(sigma=1.0)], ids=named)
def test_bounds_from_above_widen_the_answer(rule):
    spectrum = spectrum_of(rows_of(MODELS[0], 0))
    sure = rule.choose(spectrum)
    bar = sure.evidence["threshold"]
    short = spectrum.values.copy()
    short[sure.value - 1] = 0.99 * bar  # a value that has not converged: its ceiling is the truth
    unsure = Spectrum(
        np.sort(short)[::-1],
        spectrum.total,
        100,
        500,
        100,
        variances=spectrum.variances,
        ceilings=spectrum.values,
        leftover=0.0,
    )

    verdict = rule.choose(unsure)

    assert verdict.value == sure.value - 1
    assert verdict.low == sure.value - 1
    assert verdict.high >= sure.value


@pytest.mark.parametrize("rule", [DPA(), Gap(), Kaiser(), BrokenStick(), BaiNg(), GCV()], ids=named)
def test_one_direction_is_kept_and_none_is_no_error(rule):
    one = Spectrum(np.array([2.0]), 2.0, 1, 20, 1, variances=np.array([2.0]))
    none = Spectrum(np.zeros(4), 0.0, 4, 20, 4, variances=np.zeros(4))

    assert rule.choose(one).value == 1
    assert rule.choose(none).value == 0
