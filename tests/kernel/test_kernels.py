"""Every kernel against its formula, pair by pair, for dense and sparse rows, near and far."""

import numpy as np
import pytest
import scipy.sparse as sp

from eigenlens.errors import KernelError, OptionError
from eigenlens.kernel import (
    RBF,
    Cosine,
    Exponential,
    Kernel,
    Laplacian,
    Linear,
    Polynomial,
    Sigmoid,
)
from eigenlens.kernel.catalogue import KERNELS, make_kernel
from eigenlens.kernel.points import Points, points_of
from eigenlens.kernel.user_kernels import Pairs, Precomputed
from tests.reference.kernel import kernel_values

EPS = np.finfo(np.float64).eps
NAMED = {
    "linear": Linear(),
    "rbf": RBF(0.3),
    "exponential": Exponential(0.3),
    "laplacian": Laplacian(0.3),
    "poly": Polynomial(0.3, 3, 1.0),
    "cosine": Cosine(),
    "sigmoid": Sigmoid(0.3, 1.0),
}


def rows(n, d=4, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def points(table):
    return points_of(table, 0, None)


def formula(name, one, other):
    # The reference shifts rows for the linear kernel, which its centered matrix does not mind.
    if name == "linear":
        return one @ other.T
    return kernel_values(name, one, other, 0.3).astype(float)


@pytest.mark.parametrize("name", NAMED)
def test_values_are_those_of_the_formula(name):
    one, other = rows(30), rows(20, seed=1)

    values = NAMED[name].against(points(other))(points(one))

    expected = formula(name, one, other)
    np.testing.assert_allclose(values, expected, atol=32 * EPS * np.abs(expected).max())


@pytest.mark.parametrize("name", NAMED)
def test_sparse_rows_have_the_same_values(name):
    one, other = rows(30) * (rows(30, seed=2) > 0), rows(20, seed=1) * (rows(20, seed=3) > 0)

    values = NAMED[name].against(points(sp.csr_array(other)))(points(sp.csr_array(one)))

    expected = NAMED[name].against(points(other))(points(one))
    np.testing.assert_allclose(values, expected, atol=32 * EPS * np.abs(expected).max())


@pytest.mark.parametrize("name", NAMED)
def test_the_diagonal_is_what_every_point_has_with_itself(name):
    one = rows(15)

    expected = np.diag(formula(name, one, one))
    np.testing.assert_allclose(NAMED[name].diagonal(points(one)), expected, rtol=1e-14)


@pytest.mark.parametrize("name", NAMED)
def test_a_kernel_satisfies_the_protocol_and_is_found_by_name(name):
    assert isinstance(NAMED[name], Kernel)
    assert make_kernel(name, 0.3, 3, 1.0, None) == NAMED[name]


@pytest.mark.parametrize("name", ["rbf", "exponential"])
@pytest.mark.parametrize("distance", [1e-9, 1e-6, 1e-3])
def test_near_points_far_away_keep_their_digits(name, distance):
    """The expanded square rounds by eps |x|^2: of two points 1e-6 apart at 1e4 nothing is left."""
    far = 1e4 + rows(6)
    near = far + distance * rows(6, seed=1)
    kernel = {"rbf": RBF(1 / distance**2), "exponential": Exponential(1 / distance)}[name]

    values = kernel.against(points(near))(points(far))

    gamma = kernel.gamma
    expected = kernel_values(name, far, near, gamma).astype(float)
    # Rows themselves are rounded by eps 1e4, which is this much of their distance.
    blur = 100 * EPS * 1e4 / distance
    np.testing.assert_allclose(np.diag(values), np.diag(expected), rtol=blur + 1e-10)


def test_a_row_of_length_zero_has_no_direction():
    one = np.vstack([np.zeros(4), rows(3)])

    values = Cosine().against(points(one))(points(one))

    assert (values[0] == 0).all()
    assert Cosine().diagonal(points(one)).tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize("degree", [1, 2, 3, 7])
def test_powers_by_multiplication_are_powers(degree):
    one, other = rows(10), rows(12, seed=1)

    values = Polynomial(0.2, degree, 0.5).against(points(other))(points(one))

    np.testing.assert_allclose(values, (0.2 * one @ other.T + 0.5) ** degree, rtol=1e-12)


@pytest.mark.parametrize(
    ("kernel", "psd"),
    [
        (Polynomial(1.0, 2, 0.0), True),
        (Polynomial(1.0, 2, -1.0), False),
        (Polynomial(1.0, 2.5, 1.0), False),
        (Sigmoid(1.0), False),
        (Pairs(np.dot), None),
        (Precomputed(), None),
    ],
)
def test_what_is_known_of_definiteness_is_told(kernel, psd):
    assert kernel.is_psd is psd


def test_a_function_of_two_rows_is_a_kernel():
    kernel = make_kernel(lambda x, y, power: float(x @ y) ** power, 1.0, 3, 1.0, {"power": 2})
    one = rows(5)

    values = kernel.against(points(one))(points(one))

    np.testing.assert_allclose(values, (one @ one.T) ** 2, rtol=1e-13)


def test_a_matrix_at_hand_is_read_by_columns():
    matrix = rows(6) @ rows(6).T
    anchors = Points(np.empty((2, 0)), np.array([4, 1]))

    values = Precomputed().against(anchors)(points(matrix[:3]))

    np.testing.assert_array_equal(values, matrix[:3][:, [4, 1]])


@pytest.mark.parametrize("gamma", [0, -1.0, np.nan, np.inf, True, "wide", None])
@pytest.mark.parametrize("make", [RBF, Exponential, Laplacian, Polynomial, Sigmoid])
def test_gamma_is_a_number_above_zero(make, gamma):
    with pytest.raises(OptionError, match=r"gamma=.* must be a number greater than 0"):
        make(gamma)


@pytest.mark.parametrize("kernel", ["wide", 3, None])
def test_an_unknown_kernel_is_told_which_there_are(kernel):
    with pytest.raises(OptionError, match="'rbf'"):
        make_kernel(kernel, 1.0, 3, 1.0, None)


def test_a_class_is_not_a_kernel():
    with pytest.raises(OptionError, match="an object, not a class"):
        make_kernel(RBF, 1.0, 3, 1.0, None)


def test_a_function_that_gives_no_number_is_told_so():
    kernel = make_kernel(lambda x, y: np.outer(x, y), 1.0, 3, 1.0, None)

    with pytest.raises(KernelError, match="not one finite number"):
        kernel.diagonal(points(rows(3)))


def test_every_name_makes_a_kernel():
    assert all(isinstance(make_kernel(name, 1.0, 2, 0.0, None), Kernel) for name in KERNELS)
