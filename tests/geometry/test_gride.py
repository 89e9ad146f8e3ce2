"""Gride and the maximum-likelihood yardstick against their formulas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from eigenlens.geometry.gride import gride, levina_bickel

RANKS = st.sampled_from([1, 2, 4, 8, 32])


def exact_ratios(d, rank, count, seed):
    """log mu of independent anchors in an even density: U[k] / U[2k] ~ Beta(k, k)."""
    return -np.log(np.random.default_rng(seed).beta(rank, rank, count)) / d


def log_likelihood(d, ratios, rank):
    mu_to_d = np.exp(d * ratios)
    terms = np.log(d) + (rank - 1) * np.log(mu_to_d - 1) - ((2 * rank - 1) * d + 1) * ratios
    return terms.sum()


@given(RANKS, st.floats(0.5, 30), st.integers(0, 999))
def test_no_other_dimension_is_more_likely(rank, d, seed):
    ratios = exact_ratios(d, rank, 50, seed)

    found = gride(ratios, rank).value

    best = log_likelihood(found, ratios, rank)
    for factor in (0.9, 0.999, 1.001, 1.1):
        assert log_likelihood(factor * found, ratios, rank) < best


@given(RANKS, st.floats(0.5, 30), st.integers(0, 999))
def test_the_error_is_the_curvature_of_the_likelihood(rank, d, seed):
    ratios = exact_ratios(d, rank, 50, seed)

    found = gride(ratios, rank)

    step = 1e-3 * found.value
    sides = [log_likelihood(found.value + one, ratios, rank) for one in (-step, 0, step)]
    curvature = -(sides[0] - 2 * sides[1] + sides[2]) / step**2
    assert_allclose(found.error, curvature**-0.5, rtol=1e-3)


@given(RANKS, st.floats(0.1, 10), st.integers(0, 999))
def test_shorter_ratios_mean_more_dimensions_in_proportion(rank, factor, seed):
    ratios = exact_ratios(3.0, rank, 40, seed)

    assert_allclose(gride(ratios / factor, rank).value, factor * gride(ratios, rank).value)


def test_rank_one_is_two_nn():
    ratios = exact_ratios(4.0, 1, 100, 0)

    assert_allclose(gride(ratios, 1).value, 100 / ratios.sum())


@pytest.mark.parametrize("rank", [1, 4, 16])
def test_independent_anchors_are_covered_at_the_nominal_rate(rank):
    found = [gride(exact_ratios(5.0, rank, 400, seed), rank) for seed in range(400)]

    covered = np.mean([abs(one.value - 5) <= 1.96 * one.error for one in found])

    assert 0.92 <= covered <= 0.98


def test_equal_distances_have_no_dimension():
    assert gride(np.zeros(20), 2).value == np.inf


def test_the_yardstick_is_the_formula():
    distances = np.sort(np.random.default_rng(0).uniform(size=(30, 12)), axis=1)

    found = levina_bickel(distances, 10).value

    inverses = [
        sum(np.log(row[9] / row[j]) for j in range(9)) / 9  # K - 1 of K = 10
        for row in distances
    ]
    assert_allclose(found, 1 / np.mean(inverses))


def test_the_yardstick_is_unbiased_on_an_even_line_from_few_neighbors_on():
    shares = np.sort(np.random.default_rng(0).uniform(size=(20_000, 4)), axis=1)

    found = levina_bickel(shares ** (1 / 3.0), 4)

    assert abs(found.value - 3) <= 3 * found.error
