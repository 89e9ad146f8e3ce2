"""Comparison functions must be able to fail: each is fed a right and a wrong answer."""

import numpy as np
import pytest

from tests import distances

BASIS = np.eye(6)[:, :3]
VALUES = np.array([4.0, 2.0, 1e-9])


def tilted(sine):
    """BASIS with its last vector turned out of the span by an angle with this sine."""
    basis = BASIS.copy()
    basis[:, 2] = np.sqrt(1 - sine**2) * basis[:, 2] + sine * np.eye(6)[:, 4]
    return basis


RIGHT = [
    (distances.assert_close_relative, (VALUES * (1 + 1e-13), VALUES, 1e-12)),
    (distances.assert_close_relative, ([0.0, 1.0], [0.0, 1.0], 0.0)),
    (distances.assert_close_scaled, (VALUES + 1e-12, VALUES, 1e-12)),
    (distances.assert_close_scaled, ([0.0], [0.0], 0.0)),
    (distances.assert_same_subspace, (BASIS @ np.diag([1, -1, 1])[:, [2, 0, 1]], BASIS, 1e-15)),
    (distances.assert_same_subspace, (tilted(1e-12), BASIS, 1.1e-12)),
    (distances.assert_orthonormal, (BASIS,)),
    (distances.assert_inside, (VALUES, np.stack([VALUES, VALUES], axis=1))),
    (distances.assert_descending, ([3.0, 3.0, 0.0],)),
]

WRONG = {
    "one small value off": (distances.assert_close_relative, (VALUES + 1e-12, VALUES, 1e-12)),
    "zero expected": (distances.assert_close_relative, ([1e-300], [0.0], 1.0)),
    "nan found": (distances.assert_close_relative, ([np.nan], [1.0], 1.0)),
    "nan found for zero": (distances.assert_close_relative, ([np.nan], [0.0], 1.0)),
    "nan expected": (distances.assert_close_relative, ([1.0], [np.nan], 1.0)),
    "too few": (distances.assert_close_relative, ([1.0], [1.0, 1.0], 1.0)),
    "scaled off": (distances.assert_close_scaled, (VALUES + 1e-10, VALUES, 1e-12)),
    "scaled nan": (distances.assert_close_scaled, ([np.nan, 1.0], [1.0, 1.0], 1.0)),
    "scaled zero expected": (distances.assert_close_scaled, ([1e-300], [0.0], 1.0)),
    "angle too small for cosines": (
        distances.assert_same_subspace,
        (tilted(1e-12), BASIS, 0.9e-12),
    ),
    "orthogonal": (distances.assert_same_subspace, (np.eye(6)[:, 3:], BASIS, 0.99)),
    "other dimension": (distances.assert_same_subspace, (BASIS[:, :2], BASIS, 1.0)),
    "transposed": (distances.assert_same_subspace, (BASIS.T, BASIS, 1.0)),
    "nan in the basis": (distances.assert_same_subspace, (np.full((6, 3), np.nan), BASIS, 1.0)),
    "collapsed": (distances.assert_same_subspace, (BASIS[:, [0, 1, 1]], BASIS, 0.1)),
    "not of length one": (distances.assert_orthonormal, (BASIS * (1 + 1e-9),)),
    "not orthogonal": (distances.assert_orthonormal, (BASIS + 1e-9 * BASIS[:, [1, 0, 2]],)),
    "nan is not orthonormal": (distances.assert_orthonormal, (BASIS * np.nan,)),
    "just above": (distances.assert_inside, ([1 + 1e-15], [[0.0, 1.0]])),
    "just below": (distances.assert_inside, ([-1e-300], [[0.0, 1.0]])),
    "nan bound": (distances.assert_inside, ([1.0], [[np.nan, 2.0]])),
    "too few bounds": (distances.assert_inside, ([1.0, 1.0], [[0.0, 2.0]])),
    "rising": (distances.assert_descending, ([1.0, 1.0 + 1e-15],)),
    "negative": (distances.assert_descending, ([1.0, -1e-300],)),
    "nan does not descend": (distances.assert_descending, ([1.0, np.nan],)),
}


@pytest.mark.parametrize(("check", "answer"), RIGHT)
def test_a_right_answer_passes(check, answer):
    check(*answer)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_fails(name):
    check, answer = WRONG[name]

    with pytest.raises(AssertionError):
        check(*answer)


def test_every_assertion_meets_a_right_and_a_wrong_answer():
    assertions = {value for name, value in vars(distances).items() if name.startswith("assert_")}

    assert {check for check, _ in RIGHT} == assertions
    assert {check for check, _ in WRONG.values()} == assertions


def test_subspace_distance_sees_angles_far_below_the_root_of_eps():
    distance = distances.subspace_distance(tilted(1e-14), BASIS)

    assert distance == pytest.approx(1e-14, rel=1e-6)


def test_clear_cuts_skip_ties():
    assert distances.clear_cuts([4.0, 4.0, 2.0, 1.999, 1.0], gap=0.01) == [2, 4]
