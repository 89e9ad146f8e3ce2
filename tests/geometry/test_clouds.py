"""What flat clouds are expected to show is what drawn ones do show."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from eigenlens.geometry.gride import gride
from eigenlens.geometry.neighbors import NumberedRows, nearest_rows
from eigenlens.geometry.reference_clouds import (
    box_log_distances,
    expected_dimensions,
    gaussian_log_distances,
    share_within,
    sphere_log_distances,
)

RANKS = (1, 4, 16)
SHAPES = {
    sphere_log_distances: "sphere",
    gaussian_log_distances: "gaussian",
    box_log_distances: "box",
}


def drawn(kind, n, d, rng):
    if kind == "box":
        return rng.uniform(size=(n, d))
    rows = rng.standard_normal((n, d + (kind == "sphere")))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True) if kind == "sphere" else rows


def seen(rows):
    numbered = NumberedRows(np.arange(len(rows)), rows)
    found = nearest_rows(numbered, [numbered], 2 * RANKS[-1])
    return [gride(found.log_ratios(rank), rank).value for rank in RANKS]


@pytest.mark.parametrize("d", [1, 3, 8, 20])
@pytest.mark.parametrize("cloud", [sphere_log_distances, gaussian_log_distances, box_log_distances])
def test_the_expected_dimension_is_the_one_that_drawn_rows_show(cloud, d):
    rng = np.random.default_rng(d)
    many = np.array([seen(drawn(SHAPES[cloud], 300, d, rng)) for _ in range(30)])

    expected = expected_dimensions(cloud, d, RANKS, 300)

    # 3 % for what the saddlepoint and the spacing of the draws leave, and three standard errors.
    allowed = 0.03 * d + 3 * many.std(axis=0) / np.sqrt(len(many))
    assert (np.abs(many.mean(axis=0) - expected) <= allowed).all()


@pytest.mark.parametrize("cloud", [sphere_log_distances, gaussian_log_distances, box_log_distances])
def test_many_rows_show_the_dimension_itself(cloud):
    assert_allclose(expected_dimensions(cloud, 2, RANKS, 10**8), 2, rtol=0.01)


def test_twenty_dimensions_are_underestimated_by_a_thousand_rows():
    assert expected_dimensions(gaussian_log_distances, 20, (8,), 1000)[0] < 15


@pytest.mark.parametrize("d", [1, 2, 3])
def test_a_ball_inside_the_box_has_its_own_volume(d):
    volume = {1: 2, 2: np.pi, 3: 4 * np.pi / 3}[d]

    found = share_within(np.array([[0.01]]), np.full((1, d), 0.5))

    assert_allclose(found, volume * 0.1**d, rtol=1e-6)


def test_a_ball_around_a_corner_is_cut_to_an_eighth():
    found = share_within(np.array([[0.01]]), np.zeros((1, 3)))

    assert_allclose(found, 4 * np.pi / 3 * 0.1**3 / 8, rtol=1e-6)
