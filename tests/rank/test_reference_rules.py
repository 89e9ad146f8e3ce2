"""Kaiser, broken stick, Gavish-Donoho, Bai-Ng, GCV, Kritchman-Nadler: what people ask for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from benchmarks.noise_models import MODELS, drawn, spectrum_of
from eigenlens.errors import OptionError
from eigenlens.rank.bai_ng import BaiNg
from eigenlens.rank.broken_stick import BrokenStick, stick_lengths
from eigenlens.rank.gavish_donoho import GavishDonoho, threshold_coefficient
from eigenlens.rank.gcv import GCV
from eigenlens.rank.kaiser import Kaiser
from eigenlens.rank.kritchman_nadler import KritchmanNadler, iterate_noise_variance
from eigenlens.rank.spectrum import Spectrum
from tests.reference.rank import slow_bai_ng, slow_broken_stick, slow_gcv

BY_NAME = {model.name: model for model in MODELS}


@st.composite
def spectra(draw):
    count = draw(st.integers(3, 40))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    values = np.sort(rng.gamma(draw(st.sampled_from([0.3, 1.0, 20.0])), 1, count))[::-1] + 1e-3
    rows = draw(st.sampled_from([max(count + 1, 10), max(3 * count, 10), 1000]))
    return Spectrum(values, float(values.sum()), count, rows, count, rounding=1e-12)


def white(n, d, strengths=(), seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n, d))
    rows[:, : len(strengths)] *= np.asarray(strengths)
    return spectrum_of(rows)


@given(spectra())
def test_kaiser_counts_what_exceeds_the_average(spectrum):
    values = spectrum.values

    assert Kaiser().choose(spectrum).value == np.count_nonzero(values > values.mean())


def test_kaiser_keeps_nearly_half_of_pure_noise():
    assert 40 <= Kaiser().choose(white(500, 100)).value <= 50


@given(spectra())
def test_the_broken_stick_is_the_loop(spectrum):
    slow = slow_broken_stick(list(spectrum.values), spectrum.most)

    assert BrokenStick().choose(spectrum).value == slow


@given(st.integers(1, 60))
def test_the_pieces_make_up_the_stick(count):
    assert_allclose(stick_lengths(count).sum(), 1)
    assert (np.diff(stick_lengths(count)) < 0).all()


@pytest.mark.parametrize(("aspect", "known"), [(1.0, 4 / np.sqrt(3)), (0.0, np.sqrt(2))])
def test_the_coefficient_at_its_ends(aspect, known):
    assert_allclose(threshold_coefficient(aspect), known)


@pytest.mark.parametrize("shape", [(400, 100), (100, 400), (200, 200), (300, 31)])
def test_the_median_tells_the_noise(shape):
    rows = 2.5 * np.random.default_rng(0).standard_normal(shape)

    verdict = GavishDonoho().choose(spectrum_of(rows))

    assert_allclose(verdict.evidence["sigma"], 2.5, rtol=0.02)
    assert verdict.value == 0


def test_half_of_the_spectrum_is_enough_for_the_median():
    rows = drawn(BY_NAME["strong"], np.random.default_rng(0)).rows

    assert GavishDonoho().choose(spectrum_of(rows, 50)) is None
    half, whole = (GavishDonoho().choose(spectrum_of(rows, listed)) for listed in (51, None))
    assert half.evidence["sigma"] == whole.evidence["sigma"]
    assert half.value == whole.value == 5
    assert "51 largest of 100" in str(GavishDonoho().out_of_reach(spectrum_of(rows, 50)))


@given(spectra())
def test_bai_ng_is_the_smallest_criterion(spectrum):
    most = min(20, spectrum.most - 1)

    slow = slow_bai_ng(list(spectrum.values), spectrum.rows, spectrum.columns, most)

    assert BaiNg().choose(spectrum).value == slow


@given(spectra())
def test_gcv_is_the_smallest_error(spectrum):
    most = min(20, spectrum.most - 1)

    slow = slow_gcv(list(spectrum.values), spectrum.rows, spectrum.columns, most)

    assert GCV().choose(spectrum).value == slow


@pytest.mark.parametrize("rule", [BaiNg(), GCV(), KritchmanNadler()])
def test_noise_alone_may_keep_nothing(rule):
    verdict = rule.choose(white(500, 100))

    assert verdict.value == 0
    assert "no structure to find" in verdict.reason


@pytest.mark.parametrize("rule", [GCV(), KritchmanNadler()])
def test_running_away_is_called_a_sign(rule):
    verdict = rule.choose(spectrum_of(drawn(BY_NAME["serial"], np.random.default_rng(0)).rows))

    assert verdict.value == 20
    assert "not white" in verdict.reason


def test_kritchman_and_nadler_keep_their_level():
    rule = KritchmanNadler(level=0.05)

    kept = [rule.choose(white(100, 60, seed=seed)).value for seed in range(200)]

    # 200 draws at 5 %: 10 expected, a standard deviation of 3.
    assert 1 <= np.count_nonzero(kept) <= 20


def test_the_noise_variance_is_freed_of_what_the_signal_took():
    rows = np.random.default_rng(0).standard_normal((200, 100))
    rows[:, :5] *= 8
    spectrum = spectrum_of(rows)

    found = iterate_noise_variance(spectrum.values[:5], spectrum.total, 199, 100)

    naive = spectrum.values[5:].sum() / 95
    assert abs(found - 1) < 0.02 < abs(naive - 1)


@pytest.mark.parametrize("rule", [BaiNg, GCV, KritchmanNadler])
def test_the_largest_is_a_count(rule):
    with pytest.raises(OptionError, match="largest=0"):
        rule(largest=0)


def test_the_noise_is_positive():
    with pytest.raises(OptionError, match=r"sigma=-1"):
        GavishDonoho(sigma=-1)


def test_the_level_is_a_probability():
    with pytest.raises(OptionError, match=r"level=2"):
        KritchmanNadler(level=2)
