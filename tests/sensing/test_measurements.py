"""Measurements are linear operators with a true adjoint, drawn by their seed."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.testing import CheckFailed, check_adjoint

KINDS = ("gaussian", "dct", "pixels")
EPS = np.finfo(np.float64).eps


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [20, (4, 6), (2, 3, 4)])
@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_a_measurement_has_a_true_adjoint(kind, shape, share):
    entries = int(np.prod(shape))

    A = el.sensing.measurement(kind, max(1, round(share * entries)), shape, seed=3)

    check_adjoint(A, np.random.default_rng(0))


def test_an_adjoint_that_is_none_is_seen():
    from scipy.sparse.linalg import LinearOperator

    wrong = LinearOperator(
        (4, 4), matvec=lambda x: 2 * x, rmatvec=lambda x: x[::-1], dtype=np.float64
    )

    with pytest.raises(CheckFailed, match="<A v, u> = <v, A'u>"):
        check_adjoint(wrong, np.random.default_rng(0))


@pytest.mark.parametrize("kind", ["dct", "pixels"])
def test_rows_of_a_partial_transform_are_orthonormal(kind):
    A = el.sensing.measurement(kind, 9, (4, 6), seed=1)

    gram = A.matmat(A.rmatmat(np.eye(9)))

    assert np.abs(gram - np.eye(9)).max() <= 64 * EPS


def test_gaussian_columns_have_length_one_on_average():
    A = el.sensing.measurement("gaussian", 200, 300, seed=1).matmat(np.eye(300))

    # The mean of 300 squared lengths, each with a variance of 2 / 200: six deviations.
    assert abs(np.square(A).sum(axis=0).mean() - 1) <= 6 * np.sqrt(2 / 200 / 300)


def test_pixels_are_entries_of_the_signal_each_at_most_once():
    signal = np.arange(24.0)

    seen = el.sensing.measurement("pixels", 10, (4, 6), seed=2) @ signal

    assert len(set(seen)) == 10
    assert set(seen) <= set(signal)


def test_the_seed_decides():
    one, same, other = (
        el.sensing.measurement("gaussian", 3, 5, seed=seed) @ np.ones(5) for seed in (1, 1, 2)
    )

    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fourier", 3, 8), ["kind='fourier'", "'gaussian', 'dct', 'pixels'"]),
        (("pixels", 9, 8), ["m=9", "from 1 to 8"]),
        (("pixels", 0, 8), ["m=0"]),
        (("pixels", 2.5, 8), ["m=2.5"]),
        (("pixels", 2, 8, "x"), ["seed='x'"]),
        (("gaussian", 30_000, (300, 300)), ["30000 x 90000", "21.6 GB", "'pixels'"]),
    ],
)
def test_a_mistake_is_told(arguments, words):
    with pytest.raises(el.OptionError) as caught:
        el.sensing.measurement(*arguments)

    assert [word for word in words if word not in str(caught.value)] == []
