"""ScreeNOT: the cut, how many values it replaces, and where there is no noise to learn from."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from benchmarks.noise_models import MODELS, NoiseModel, drawn, spectrum_of, white
from eigenlens import RankError
from eigenlens.errors import OptionError
from eigenlens.rank.dpa import DPA
from eigenlens.rank.pseudo_noise import best_cut, without_signal
from eigenlens.rank.screenot import ScreeNOT, most_replaced
from eigenlens.rank.spectrum import Spectrum
from tests.reference.rank import slow_screenot

BY_NAME = {model.name: model for model in MODELS}


def table(n=200, d=40, strengths=(6.0, 4.0), seed=0):
    """White noise with components of these strengths; 1 is the limit of detection."""
    return drawn(NoiseModel("", (n, d), tuple(strengths), white), np.random.default_rng(seed)).rows


def scaled(spectrum, factor):
    return Spectrum(
        spectrum.values * factor,
        spectrum.total * factor,
        spectrum.most,
        spectrum.rows,
        spectrum.columns,
        variances=spectrum.variances * factor,
        rounding=spectrum.rounding,
    )


@pytest.mark.parametrize("aspect", [0.02, 0.3, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_cut_is_that_of_the_formula(aspect, seed):
    values = np.sort(np.random.default_rng(seed).gamma(2, 1, 60))[::-1]

    cut = best_cut(without_signal(values, 10), aspect)

    slow, _ = slow_screenot(np.sqrt(values), aspect, 10)
    assert_allclose(cut, slow**2, rtol=1e-6)


def test_for_white_noise_it_is_the_cut_of_gavish_and_donoho():
    # Quantiles of the law itself: no randomness, only the replaced values are approximate.
    from eigenlens.rank.gavish_donoho import threshold_coefficient
    from eigenlens.rank.marchenko_pastur import marchenko_pastur_law

    places, share = marchenko_pastur_law(0.5)
    values = np.interp((np.arange(2000)[::-1] + 0.5) / 2000, share, places)

    cut = best_cut(without_signal(values, 10), 0.5)

    assert_allclose(cut, threshold_coefficient(0.5) ** 2, rtol=1e-3)


@pytest.mark.parametrize("shape", [(300, 60), (60, 300), (100, 100)])
def test_the_count_is_that_of_the_formula(shape):
    spectrum = spectrum_of(table(*shape))

    verdict = ScreeNOT().choose(spectrum)

    _, slow = slow_screenot(np.sqrt(spectrum.values), spectrum.aspect, 10)
    assert verdict.value == slow == 2
    assert verdict.low == verdict.high == 2


@pytest.mark.parametrize("factor", [1e-300, 1e-20, 1e20, 1e296])
def test_units_do_not_matter(factor):
    for listed in (None, 25):
        spectrum = spectrum_of(table(), listed)

        here, there = (
            ScreeNOT(widest=None).choose(one) for one in (spectrum, scaled(spectrum, factor))
        )

        assert (here.value, here.low, here.high) == (there.value, there.low, there.high)
        assert_allclose(there.evidence["margin"], here.evidence["margin"], rtol=1e-9)


@pytest.mark.parametrize(
    ("shape", "most"),
    [((1000, 500), 249), ((30, 22), 10), ((20, 100), 9), ((50, 4), 1), ((9, 3), 0)],
)
def test_small_tables_have_fewer_values_replaced(shape, most):
    n, d = shape
    spectrum = Spectrum(np.ones(1), 1.0, min(n - 1, d), n, d)

    assert most_replaced(spectrum) == most
    assert 2 * most + 2 <= min(n, d)


@pytest.mark.parametrize("rank", [7, 10, 14, 23, 30, 45, 60])
@pytest.mark.parametrize("weakest", [6, 11])
def test_more_components_than_it_started_with_are_found(rank, weakest):
    # With ten values replaced and more than ten of signal, all would be taken for noise: 0.
    rows = table(600, 150, tuple(np.linspace(12, weakest, rank)))

    assert ScreeNOT().choose(spectrum_of(rows)).value == rank
    assert shown_more_and_more(rows).value == rank


def shown_more_and_more(rows):
    """As a fit does it: twice as many eigenvalues until there is an answer."""
    most = min(len(rows) - 1, rows.shape[1])
    listed = ScreeNOT().first_guess(most)
    while (verdict := ScreeNOT().choose(spectrum_of(rows, listed))) is None:
        assert listed < most
        listed = min(2 * listed, most)
    return verdict


def test_a_small_table_where_nothing_is_found_is_judged_by_the_edge():
    # Four columns leave one value to replace: two components would be taken for noise.
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((150, 4)) + 3 * rng.standard_normal((150, 2))[:, [0, 0, 1, 1]]
    verdict = ScreeNOT().choose(spectrum_of(rows))

    assert verdict.value >= 1
    assert "dpa" in verdict.reason


def test_a_long_memory_between_rows_is_not_taken_for_structure():
    # With twice or three times as many values replaced, noise that has a memory counts as signal.
    model = BY_NAME["serial"]
    spectra = [spectrum_of(drawn(model, rng).rows) for rng in np.random.default_rng(3).spawn(10)]

    ours = [ScreeNOT().choose(one).value for one in spectra]
    larger = [ScreeNOT(most=30).choose(one).value for one in spectra]

    assert ours == [5] * 10
    assert larger != ours


def test_noise_alone_keeps_nothing_and_says_so():
    verdict = ScreeNOT().choose(spectrum_of(table(strengths=())))

    assert verdict.value == 0
    assert "there may be no structure to find" in verdict.reason


@pytest.mark.parametrize("listed", [None, 25])
def test_a_table_without_noise_has_its_rank(listed):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((100, 5)) @ rng.standard_normal((5, 60))

    verdict = ScreeNOT().choose(spectrum_of(rows, listed))

    assert verdict.value == 5
    assert "no noise" in verdict.reason


def test_columns_that_follow_from_others_are_not_a_table_without_noise():
    rows = table()
    rows[:, -1] = rows[:, :-1].sum(axis=1) / 6
    rows[:, -2] = 3.0

    assert ScreeNOT().choose(spectrum_of(rows)).value in (2, 3)


def test_few_columns_are_judged_by_the_edge():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((200, 3)) + 3 * rng.standard_normal((200, 1))
    spectrum = spectrum_of(rows)

    verdict = ScreeNOT().choose(spectrum)

    assert verdict.rule == "screenot"
    assert "dpa" in verdict.reason
    assert verdict.value == DPA().choose(spectrum).value == 1


def test_one_column_is_kept():
    assert ScreeNOT().choose(spectrum_of(np.arange(20.0)[:, None])).value == 1


def test_equal_rows_have_no_structure():
    verdict = ScreeNOT().choose(Spectrum(np.zeros(5), 0.0, 5, 20, 5))

    assert verdict.value == 0
    assert "equal" in verdict.reason


def test_fewer_than_ten_rows_are_refused():
    with pytest.raises(RankError, match=r"10 rows or more.*here are 9.*k=0.95"):
        ScreeNOT().choose(spectrum_of(table(9, 40)))


def test_what_is_lacking_is_said():
    words = str(ScreeNOT().out_of_reach(spectrum_of(table(), 7)))

    assert "25 leading eigenvalues" in words
    assert "stopped with 7" in words
    assert "max_passes" in words


def test_many_values_that_settle_nothing_are_not_called_too_few():
    words = str(ScreeNOT().out_of_reach(spectrum_of(table(), 30)))

    assert "25" not in words
    assert "further down, where noise begins" in words
    assert "stopped with 30" in words


@pytest.mark.parametrize("options", [{"most": 0}, {"widest": -1}])
def test_bad_options_fail_at_birth(options):
    with pytest.raises(OptionError, match="whole number"):
        ScreeNOT(**options)
