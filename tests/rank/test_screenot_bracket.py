"""ScreeNOT from a part of the spectrum: the bracket, and when more must be shown."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from benchmarks.noise_models import MODELS, NoiseModel, drawn, spectrum_of, white
from eigenlens.rank.pseudo_noise import (
    best_cut,
    even_tail,
    likely_tail,
    two_point_tail,
    without_signal,
)
from eigenlens.rank.screenot import ScreeNOT
from eigenlens.rank.spectrum import Spectrum

BY_NAME = {model.name: model for model in MODELS}


def table(n=200, d=40, strengths=(6.0, 4.0), seed=0):
    """White noise with components of these strengths; 1 is the limit of detection."""
    return drawn(NoiseModel("", (n, d), tuple(strengths), white), np.random.default_rng(seed)).rows


@st.composite
def tails(draw):
    """Listed values, and what is not listed: below the last, of any shape."""
    count, listed = draw(st.integers(30, 120)), draw(st.integers(21, 28))
    rng = np.random.default_rng(draw(st.integers(0, 9999)))
    power = draw(st.sampled_from([0.1, 0.5, 1.0, 3.0, 20.0]))
    values = np.sort(rng.uniform(0, 1, count) ** power)[::-1] + 1e-9
    values[: draw(st.integers(0, 5))] *= draw(st.sampled_from([1.0, 2.0, 50.0]))
    return np.sort(values)[::-1], listed


@given(tails(), st.floats(0.01, 1.0))
def test_the_extreme_tails_bracket_the_cut(drawing, aspect):
    values, listed = drawing
    left, count, roof = values[listed:].sum(), len(values) - listed, values[listed - 1]

    def cut(tail):
        return best_cut(without_signal(np.append(values[:listed], tail), 10), aspect)

    low, likely, high = (
        cut(tail(left, count, roof)) for tail in (even_tail, likely_tail, two_point_tail)
    )

    slack = 1 + 1e-9
    assert low <= cut(values[listed:]) * slack
    assert cut(values[listed:]) <= high * slack
    assert low <= likely * slack
    assert likely <= high * slack


@given(st.floats(0, 1), st.integers(1, 50), st.floats(1e-6, 1))
def test_tails_have_the_right_sum_and_stay_under_the_roof(share, count, roof):
    left = share * count * roof

    for tail in (even_tail, likely_tail, two_point_tail):
        values = tail(left, count, roof)

        assert len(values) == count
        assert values.max() <= roof * (1 + 1e-12)
        if tail is not likely_tail:
            assert_allclose(values.sum(), left, atol=1e-12)
        else:
            assert values.sum() <= left * (1 + 1e-12) + 1e-300


@given(st.sampled_from(sorted(BY_NAME)), st.integers(0, 99), st.integers(21, 60))
@settings(max_examples=30)
def test_a_part_of_the_spectrum_brackets_the_answer_of_the_whole(name, seed, listed):
    rows = drawn(BY_NAME[name], np.random.default_rng(seed)).rows

    part = ScreeNOT(widest=None).choose(spectrum_of(rows, listed))

    assert part.low <= ScreeNOT().choose(spectrum_of(rows)).value <= part.high
    assert part.low <= part.value <= part.high


@given(st.integers(0, 99), st.integers(21, 40))
@settings(max_examples=20)
def test_seeing_more_never_widens_the_bracket(seed, listed):
    rows = drawn(BY_NAME["weak"], np.random.default_rng(seed)).rows

    few, more = (
        ScreeNOT(widest=None).choose(spectrum_of(rows, count)) for count in (listed, listed + 20)
    )

    assert few.low <= more.low
    assert more.high <= few.high


def test_a_bracket_too_wide_asks_for_more():
    # A tail about which nothing is known but a sum, under a high roof.
    values = np.append([9.0, 8.0, 2.9, 2.8, 2.7], np.linspace(2, 1.9, 20))
    part = Spectrum(values, 600.0, 1000, 1001, 1000)

    wide = ScreeNOT(widest=None).choose(part)

    assert wide.high - wide.low > 1
    assert ScreeNOT().choose(part) is None
    assert ScreeNOT(widest=wide.high - wide.low).choose(part) == wide


def test_too_few_values_ask_for_more_unless_anything_goes():
    spectrum = spectrum_of(table(), listed=24)

    assert ScreeNOT().first_guess(1000) == 25
    assert ScreeNOT().choose(spectrum) is None
    anyhow = ScreeNOT(widest=None).choose(spectrum)
    assert anyhow.low <= 2 <= anyhow.high


@pytest.mark.parametrize("listed", [1, 2, 5])
def test_a_model_with_a_few_components_still_gives_a_bracket(listed):
    rows = table(strengths=(8.0, 7.0, 6.0))

    part = ScreeNOT(widest=None).choose(spectrum_of(rows, listed))

    assert part.low <= ScreeNOT().choose(spectrum_of(rows)).value <= part.high


def test_noise_is_answered_from_what_is_shown_first():
    # Whether to look further must not depend on luck: that would double the cost of most fits.
    for model in MODELS:
        if model.name in ("weak", "heavy", "noise"):
            continue
        for rng in np.random.default_rng(2).spawn(5):
            assert ScreeNOT().choose(spectrum_of(drawn(model, rng).rows, 25)) is not None


def test_to_find_nothing_takes_a_second_look():
    rows = table(600, 150, ())

    assert ScreeNOT().choose(spectrum_of(rows, 25)) is None
    assert ScreeNOT().choose(spectrum_of(rows, 85)).value == 0


def test_values_far_above_what_is_not_listed_are_not_taken_for_noise():
    rows = table(600, 150, tuple(np.linspace(12, 6, 30)))
    part = spectrum_of(rows, 25)

    assert ScreeNOT().choose(part) is None
    assert ScreeNOT(widest=None).choose(part) is None  # rather silent than "nothing to find"
