"""Ellipses hold what they say they hold."""

import numpy as np
import pytest

from eigenlens.plots.coloring import read_colors
from eigenlens.plots.ellipses import ellipses_of


def inside(ellipse, points):
    local = np.linalg.solve(ellipse.axes, (points - ellipse.center).T)
    return np.square(local).sum(axis=0) <= 1


@pytest.mark.parametrize("count", [5, 40])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_ellipses_of_normal_groups_hold_their_share(count, level):
    rng = np.random.default_rng(0)
    mixing = np.array([[2.0, 1.0], [0.0, 0.5]])
    means = rows = 0
    trials = 2000

    for _ in range(trials):
        sample = rng.standard_normal((count + 1, 2)) @ mixing
        around, middle = ellipses_of(sample[:-1], None, ("concentration", "confidence"), level)
        rows += inside(around, sample[-1:])[0]
        means += inside(middle, np.zeros((1, 2)))[0]

    # Three standard deviations of a share counted in so many trials.
    error = 3 * np.sqrt(level * (1 - level) / trials)
    assert abs(rows / trials - level) < error
    assert abs(means / trials - level) < error


def test_each_group_has_its_own_ellipse():
    points = np.vstack([np.eye(2), -np.eye(2), 10 + np.eye(2), 10 - np.eye(2)])
    groups = read_colors(["a"] * 4 + ["b"] * 4, None, 8)

    found = ellipses_of(points, groups, "confidence", 0.95)

    assert [one.group for one in found] == ["a", "b"]
    assert [tuple(one.center) for one in found] == [(0, 0), (10, 10)]
