"""The gap: found where there is one, denied where the spectrum is smooth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.noise_models import MODELS, drawn, spectrum_of
from eigenlens.errors import OptionError
from eigenlens.rank.gap import Gap
from eigenlens.rank.spectrum import Spectrum
from tests.reference.rank import slow_growth_ratio

ARBITRARY = "no gap: any cut-off is arbitrary"


def whole(values, rows=1000):
    values = np.asarray(values, float)
    return Spectrum(values, float(values.sum()), len(values), rows, len(values), rounding=1e-13)


@given(st.integers(30, 60), st.integers(0, 999))
def test_the_choice_is_the_largest_growth_ratio(count, seed):
    rng = np.random.default_rng(seed)
    values = np.sort(rng.gamma(0.5, 1, count))[::-1] + 0.01

    assert Gap().choose(whole(values)).value == slow_growth_ratio(list(values), 20)


@pytest.mark.parametrize("exponent", [0.25, 0.5, 1.0, 2.0, 4.0])
def test_powers_have_no_gap(exponent):
    verdict = Gap().choose(whole(np.arange(1, 101.0) ** -exponent))

    assert not verdict.evidence["stands_out"]
    assert verdict.reason.startswith(ARBITRARY)


@pytest.mark.parametrize("ratio", [0.3, 0.7, 0.9, 0.99])
@pytest.mark.parametrize("count", [5, 60])
def test_geometric_spectra_have_no_gap(ratio, count):
    verdict = Gap().choose(whole(ratio ** np.arange(count)))

    assert not verdict.evidence["stands_out"]
    assert verdict.reason.startswith(ARBITRARY)


def test_a_step_in_the_spectrum_is_a_gap():
    verdict = Gap().choose(whole([*np.linspace(9, 7, 4), *np.linspace(1, 0.5, 40)]))

    assert verdict.value == 4
    assert verdict.evidence["stands_out"]
    assert "eigenvalue 4 is 7 times the next" in verdict.reason


def test_the_eigenvalue_ratio_stands_beside_it():
    evidence = Gap().choose(whole([*np.linspace(9, 7, 4), *np.linspace(1, 0.5, 40)])).evidence

    assert evidence["rank_by_eigenvalue_ratio"] == 4
    assert abs(evidence["eigenvalue_ratio"] - 7) < 1e-12
    assert evidence["growth_ratio"] > 1


@pytest.mark.parametrize(
    ("values", "rank"), [([10, 9, 0.1], 2), ([4.2, 0.24, 0.08, 0.02], 1), ([5, 0.1], 1)]
)
def test_few_columns_show_their_gap(values, rank):
    verdict = Gap().choose(whole(values))

    assert verdict.value == rank
    assert verdict.evidence["stands_out"]


def test_noise_alone_has_none():
    noise = next(model for model in MODELS if model.name == "noise")

    verdict = Gap().choose(spectrum_of(drawn(noise, np.random.default_rng(0)).rows))

    assert verdict.value == 0
    assert ARBITRARY in verdict.reason
    assert "no structure" in verdict.reason


def test_an_exact_rank_is_the_plainest_gap():
    rng = np.random.default_rng(0)

    verdict = Gap().choose(spectrum_of(rng.standard_normal((90, 4)) @ rng.standard_normal((4, 40))))

    assert verdict.value == 4
    assert verdict.evidence["stands_out"]


def test_leading_values_and_the_total_are_enough():
    rows = drawn(MODELS[0], np.random.default_rng(0)).rows

    part, full = (Gap().choose(spectrum_of(rows, listed)) for listed in (26, None))

    assert part.value == full.value == 5
    assert Gap().choose(spectrum_of(rows, 25)) is None
    assert "26 leading eigenvalues" in str(Gap().out_of_reach(spectrum_of(rows, 25)))


def test_the_largest_is_a_count():
    with pytest.raises(OptionError, match="largest=0"):
        Gap(0)
