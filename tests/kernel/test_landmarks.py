"""Which rows become landmarks: the law they are drawn by, their order, and what they see."""

import numpy as np
import pytest

from eigenlens.errors import OptionError
from eigenlens.kernel import RBF, Linear
from eigenlens.kernel.features import landmarks_of
from eigenlens.kernel.pivots import PIVOT_RULES, GrowingFactor, pivot_rule, take_landmarks
from eigenlens.kernel.points import points_of
from tests.kernel.clouds import blobs, curve, gaussian, roll

ALL = sorted(PIVOT_RULES)


def grown(kernel, rows, rule, most, seed=0, tolerance=0.0):
    growing = GrowingFactor(kernel, points_of(rows, 0, None), most)
    take_landmarks(growing, PIVOT_RULES[rule], tolerance, np.random.default_rng(seed))
    return growing


def cloud(make, n=300, d=3, seed=0):
    return make(n, d, np.random.default_rng(seed))


@pytest.mark.parametrize("rule", ALL)
def test_the_factor_is_the_cholesky_factor_of_its_rows(rule):
    rows = cloud(roll)
    growing = grown(RBF(0.02), rows, rule, 40)

    taken = np.array(growing.taken)
    matrix = RBF(0.02).against(growing.points)(growing.points)
    lower = np.linalg.cholesky(matrix[np.ix_(taken, taken)])
    expected = np.linalg.solve(lower, matrix[taken]).T
    np.testing.assert_allclose(growing.factor, expected, atol=1e-8)
    left = 1 - np.square(expected).sum(axis=1)
    np.testing.assert_allclose(growing.left, np.maximum(left, 0), atol=1e-9)


@pytest.mark.parametrize("rule", ALL)
def test_more_landmarks_begin_with_the_fewer(rule):
    rows = cloud(blobs)

    few, many = (grown(RBF(0.05), rows, rule, most, seed=3).taken for most in (17, 90))

    assert many[:17] == few


@pytest.mark.parametrize("rule", ALL)
def test_the_same_seed_takes_the_same_rows(rule):
    rows = cloud(gaussian)

    assert grown(RBF(0.1), rows, rule, 50, 7).taken == grown(RBF(0.1), rows, rule, 50, 7).taken


def test_greedy_takes_the_row_with_most_left():
    rows = cloud(curve)
    growing = GrowingFactor(RBF(0.5), points_of(rows, 0, None), 20)
    rng = np.random.default_rng(0)

    for count in range(1, 15):
        farthest = int(np.argmax(growing.left))
        growing.most = count
        take_landmarks(growing, PIVOT_RULES["greedy"], 0.0, rng)

        assert growing.taken[-1] == farthest


def test_random_pivots_are_drawn_in_proportion_to_what_is_left():
    """The law of two pivots, known from the matrix, against what 4000 seeds draw in blocks."""
    rows = np.array([[0.0], [0.1], [3.0], [9.0], [9.3]])
    points = points_of(rows, 0, None)
    matrix = RBF(0.5).against(points)(points)
    law = np.zeros((5, 5))
    for first in range(5):
        left = np.diag(matrix) - matrix[first] ** 2 / matrix[first, first]
        law[first] = np.maximum(left, 0) / left.sum() / 5

    seen = np.zeros((5, 5))
    for seed in range(4000):
        first, second = grown(RBF(0.5), rows, "rpcholesky", 2, seed).taken
        seen[first, second] += 1 / 4000

    # Five standard deviations of the share of 4000 draws.
    assert np.abs(seen - law).max() < 5 * np.sqrt(law.max() / 4000)
    uniform = np.full((5, 5), 1 / 20) * (1 - np.eye(5))
    assert np.abs(uniform - law).max() > 5 * np.sqrt(law.max() / 4000)


@pytest.mark.parametrize("rule", ALL)
def test_landmarks_stop_where_nothing_is_left(rule):
    rows = cloud(gaussian, n=200, d=3)

    growing = grown(Linear(), rows, rule, 150)

    assert growing.count == 3
    assert growing.exhausted


@pytest.mark.parametrize("rule", ALL)
def test_landmarks_stop_where_enough_is_seen(rule):
    rows = cloud(roll)

    growing = grown(RBF(0.005), rows, rule, 250, tolerance=0.05)

    assert growing.unseen <= 0.05
    assert growing.count < 250


def test_unseen_is_the_share_of_the_variance_that_is_left():
    rows = cloud(roll)
    growing = grown(RBF(0.02), rows, "uniform", 60)
    matrix = RBF(0.02).against(growing.points)(growing.points)
    centered = matrix - matrix.mean(axis=0) - matrix.mean(axis=1)[:, None] + matrix.mean()

    # What is left is not centered, here and in what it is compared with.
    left = np.trace(matrix - growing.factor @ growing.factor.T)
    assert growing.unseen == pytest.approx(left / np.trace(centered), rel=0.02)
    assert growing.unseen <= left / np.trace(centered)


@pytest.mark.parametrize("rule", ALL)
def test_repeated_rows_are_taken_once(rule):
    rows = np.repeat(cloud(gaussian, n=12), 5, axis=0)

    taken = grown(RBF(0.2), rows, rule, 60).taken

    assert len(taken) == 12
    assert len({row // 5 for row in taken}) == 12


def test_landmarks_that_others_see_entirely_are_dropped():
    rows = cloud(gaussian, n=10)
    twice = points_of(np.vstack([rows, rows[:4]]), 0, None)

    landmarks = landmarks_of(RBF(0.2), twice)

    assert len(landmarks) == 10
    matrix = RBF(0.2).against(landmarks.points)(landmarks.points)
    np.testing.assert_allclose(landmarks.lower @ landmarks.lower.T, matrix, atol=1e-14)


def test_features_are_solved_in_blocks_as_at_once():
    points = points_of(cloud(gaussian, n=400, d=20), 0, None)
    landmarks = landmarks_of(RBF(0.05), points.part(slice(0, 300)))

    features = landmarks.features(points)

    values = RBF(0.05).against(landmarks.points)(points)
    np.testing.assert_allclose(features, np.linalg.solve(landmarks.lower, values.T).T, atol=1e-9)


@pytest.mark.parametrize("name", ["random", 3, None])
def test_an_unknown_rule_is_told_which_there_are(name):
    with pytest.raises(OptionError, match="'rpcholesky'"):
        pivot_rule(name)
