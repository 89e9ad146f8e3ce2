"""Mistakes that rules for the number of components are known for elsewhere, and not made here."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from benchmarks.noise_models import MODELS, drawn, spectrum_of
from eigenlens.rank.bai_ng import BaiNg
from eigenlens.rank.broken_stick import BrokenStick
from eigenlens.rank.dpa import DPA
from eigenlens.rank.fraction import Fraction
from eigenlens.rank.gavish_donoho import GavishDonoho
from eigenlens.rank.marchenko_pastur import marchenko_pastur_median
from eigenlens.rank.minka import Minka
from eigenlens.rank.screenot import ScreeNOT
from eigenlens.rank.spectrum import Spectrum

BY_NAME = {model.name: model for model in MODELS}


def noise(n, d, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def whole(values, rows=1000):
    values = np.asarray(values, float)
    return Spectrum(values, float(values.sum()), len(values), rows, len(values), rounding=1e-13)


@pytest.mark.parametrize("shape", [(1000, 100), (100, 1000)])
def test_known_noise_is_cut_by_the_larger_side(shape):
    # optht multiplies by the root of the smaller one: 15.8 here, which keeps all the noise.
    rows = noise(*shape)

    verdict = GavishDonoho(sigma=1.0).choose(spectrum_of(rows))

    assert_allclose(verdict.evidence["cut_off"], 50.0, atol=0.1)
    assert verdict.value == 0
    assert np.linalg.norm(rows - rows.mean(axis=0), 2) > 40


def test_the_median_is_never_that_of_a_truncated_list():
    # optht takes the median of whatever it is given: of the 30 largest, here, and keeps too few.
    rows = drawn(BY_NAME["strong"], np.random.default_rng(0)).rows

    assert GavishDonoho().choose(spectrum_of(rows, 30)) is None
    assert GavishDonoho().choose(spectrum_of(rows)).value == 5


@pytest.mark.parametrize("aspect", [0.01, 0.1, 0.5, 0.99, 1.0])
def test_the_median_of_white_noise_is_exact(aspect):
    # optht locates it to 1e-3 only.
    from scipy.integrate import quad

    low, high = (1 - np.sqrt(aspect)) ** 2, (1 + np.sqrt(aspect)) ** 2

    def density(x):
        return np.sqrt(max((high - x) * (x - low), 0)) / (2 * np.pi * aspect * x)

    share = quad(density, marchenko_pastur_median(aspect), high, epsabs=1e-11)[0]
    assert abs(share - 0.5) < 1e-6


@pytest.mark.parametrize(("values", "rank"), [([6, 2, 1, 1], 1), ([5.5, 3.5, 0.5, 0.5], 2)])
def test_the_broken_stick_keeps_not_one_too_many(values, rank):
    # Pieces of 4: .521 .271 .146 .063; scikit-dimension keeps the first that fails as well.
    assert BrokenStick().choose(whole(values)).value == rank


def test_the_broken_stick_of_a_flat_spectrum_keeps_nothing():
    assert BrokenStick().choose(whole(np.ones(10))).value == 0


def test_a_stick_that_never_fails_keeps_everything_not_nothing():
    # scikit-dimension answers 0 where no value fails. Shares above all their pieces cannot sum to
    # one over the whole spectrum, so the listed ones are all there are only if more may follow.
    assert BrokenStick().choose(Spectrum(np.array([5.0, 3.0]), 10.0, 50, 1000, 50)) is None


def test_the_broken_stick_of_a_wide_table_counts_directions_not_columns():
    # With 1000 pieces instead of 99 every direction would be kept.
    rows = noise(100, 1000)

    assert BrokenStick().choose(spectrum_of(rows)).value == 0


def test_a_fraction_counts_from_one():
    # ya_pca returns the zero-based index: one component too few.
    assert Fraction(0.9).choose(whole([8, 1.5, 0.5])).value == 2
    assert Fraction(0.5).choose(whole([8, 1.5, 0.5])).value == 1


def test_bai_ng_may_find_no_factor():
    # ya_pca starts at one.
    assert BaiNg().choose(spectrum_of(noise(500, 100))).value == 0


def test_pure_noise_has_no_components_where_minka_must_name_one():
    spectrum = spectrum_of(noise(500, 100))

    assert Minka().choose(spectrum).value >= 1
    assert ScreeNOT().choose(spectrum).value == DPA().choose(spectrum).value == 0


@pytest.mark.parametrize("rule", [ScreeNOT(), DPA()])
def test_tied_eigenvalues_are_counted_like_others(rule):
    assert rule.choose(whole([*[9.0] * 3, *[1.0] * 37])).value == 3


def test_tied_eigenvalues_are_no_error_for_minka():
    # log(0) in the history of scikit-learn's "mle"; the evidence of exact ties is arbitrary.
    verdict = Minka().choose(whole([*[9.0] * 3, *[1.0] * 37]))

    assert 1 <= verdict.value <= 39
    assert np.isfinite(verdict.evidence["log_evidence"])


@pytest.mark.parametrize("rule", [ScreeNOT(), DPA()])
def test_more_columns_than_rows_are_no_error(rule):
    # Where "mle" is undefined, and where DPA's published average assumes p <= n.
    found = [
        rule.choose(spectrum_of(drawn(BY_NAME["wide"], rng).rows)).value
        for rng in np.random.default_rng(0).spawn(5)
    ]

    assert found == [5] * 5


def test_a_table_and_its_transpose_have_the_same_cut():
    # Both sides of the table enter ScreeNOT alike; nothing is centered here.
    rows = noise(60, 200) + 3 * np.outer(np.ones(60), np.ones(200)) / 4
    values = np.linalg.svd(rows, compute_uv=False) ** 2
    tall = Spectrum(values / 60, float(values.sum() / 60), 60, 60, 200, False, rounding=1e-12)
    wide = Spectrum(values / 200, float(values.sum() / 200), 60, 200, 60, False, rounding=1e-12)

    one, two = (ScreeNOT().choose(spectrum) for spectrum in (tall, wide))

    assert one.value == two.value == 1
    assert_allclose(one.evidence["threshold"] * 60, two.evidence["threshold"] * 200)


@pytest.mark.parametrize("size", [1e-140, 1e-6, 1e140])
def test_screenot_works_in_any_units(size):
    # The published code stops within 1e-5 and steps by 2, whatever the units.
    rows = drawn(BY_NAME["strong"], np.random.default_rng(0)).rows

    assert ScreeNOT().choose(spectrum_of(rows * size)).value == 5


def test_every_variance_counts_in_the_edge():
    # DPA's published code thins the variances to a hundred points: one large column can vanish.
    rows = noise(2000, 400)
    rows[:, 7] *= 6

    assert DPA().choose(spectrum_of(rows)).value == 0
