"""Deterministic parallel analysis, and the edge of noise it rests on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from benchmarks.noise_models import spectrum_of
from eigenlens.errors import OptionError
from eigenlens.rank.dpa import DPA
from eigenlens.rank.noise_edge import generalized_edge, tracy_widom
from eigenlens.rank.spectrum import Spectrum
from tests.reference.rank import slow_edge


def variances(count, seed):
    return np.random.default_rng(seed).gamma(1, 1, count) + 1e-3


@pytest.mark.parametrize(
    ("columns", "rows"), [(100, 500), (500, 100), (50, 50), (1, 30), (3, 1000)]
)
def test_white_noise_ends_where_marchenko_and_pastur_say(columns, rows):
    edge, unit = generalized_edge(np.full(columns, 2.5), rows)

    root = np.sqrt(columns / rows)
    assert_allclose(edge, 2.5 * (1 + root) ** 2, rtol=1e-12)
    assert_allclose(unit, 2.5 * (1 + root) ** (4 / 3) * root ** (-1 / 3) * rows ** (-2 / 3))


@pytest.mark.parametrize(("columns", "rows"), [(20, 100), (100, 20), (40, 40)])
@pytest.mark.parametrize("seed", range(3))
def test_the_edge_is_that_of_the_textbook_formula(columns, rows, seed):
    t = variances(columns, seed)

    assert_allclose(generalized_edge(t, rows)[0], slow_edge(t, rows), rtol=1e-9)


@given(st.integers(1, 60), st.integers(2, 200), st.integers(0, 99), st.floats(1.0, 5.0))
def test_more_variance_in_any_column_raises_the_edge(columns, rows, seed, factor):
    t = variances(columns, seed)
    raised = t.copy()
    raised[seed % columns] *= factor

    assert generalized_edge(raised, rows)[0] >= generalized_edge(t, rows)[0] * (1 - 1e-9)


@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_the_edge_has_the_units_of_the_variances(factor):
    t = variances(30, 0)

    edge, unit = generalized_edge(t, 80)

    assert_allclose(generalized_edge(t * factor, 80), (edge * factor, unit * factor), rtol=1e-12)


@pytest.mark.parametrize(
    ("level", "quantile"), [(0.05, 0.9793), (0.01, 2.0234), (0.005, 2.4224), (0.001, 3.2724)]
)
def test_tracy_widom_quantiles(level, quantile):
    assert_allclose(tracy_widom(level), quantile, atol=0.03)


@pytest.mark.parametrize("shape", [(300, 60), (60, 300)])
def test_noise_of_unequal_columns_is_kept_out_at_its_level(shape):
    rng = np.random.default_rng(0)
    deviations = np.sqrt(np.geomspace(1, 30, shape[1]))

    ranks = [
        DPA().choose(spectrum_of(rng.standard_normal(shape) * deviations)).value for _ in range(100)
    ]

    assert 0.9 <= np.mean(np.array(ranks) == 0) <= 1.0


def test_without_variances_columns_count_as_equal_and_the_reason_says_so():
    spectrum = spectrum_of(np.random.default_rng(0).standard_normal((100, 20)))
    blind = Spectrum(spectrum.values, spectrum.total, 20, 100, 20)

    verdict = DPA().choose(blind)

    assert verdict.value == 0
    assert "not known" in verdict.reason


def test_columns_that_do_not_vary_change_nothing():
    rows = np.random.default_rng(0).standard_normal((100, 20))

    one = DPA().choose(spectrum_of(rows))
    two = DPA().choose(spectrum_of(np.hstack([rows, np.ones((100, 5))])))

    assert_allclose(one.evidence["threshold"], two.evidence["threshold"], rtol=1e-12)


def test_a_lower_level_raises_the_bar():
    spectrum = spectrum_of(np.random.default_rng(0).standard_normal((100, 20)))

    strict, plain = (DPA(level).choose(spectrum).evidence for level in (0.001, 0.05))

    assert strict["threshold"] > plain["threshold"] > plain["edge"]


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0])
def test_a_level_is_a_probability(level):
    with pytest.raises(OptionError, match=r"level=.*between 0 and 1.*level=0.05"):
        DPA(level)
