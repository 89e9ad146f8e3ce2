"""Kernels of the distance: rbf, exponential and Laplacian. Positive semidefinite, and k(x, x) = 1.

    rbf          exp(-gamma |x - y|^2)      smooth: few landmarks see nearly everything
    exponential  exp(-gamma |x - y|)        rough: its spectrum falls slowly in any dimension
    laplacian    exp(-gamma |x - y|_1)      the same along every axis

Squared distances are one matrix product, [x, |x|^2, 1] [-2y, 1, |y|^2]', and the exponential is
taken in place. That product rounds by eps |x|^2, which a square root makes large beside a small
distance: where it matters the distance is taken again, from the difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.kernel.points import Points
from eigenlens.kernel.protocol import KernelValues

__all__ = ["RBF", "Exponential", "Laplacian", "refuse_not_positive_parameter"]

NEAR = 1e-4  # squared distances below this part of both lengths are taken again
FAR = 1e3  # gamma |x|^2 from which on rbf values between near points would lose digits
DIFFERENCES = 1 << 18
WHOLE = 1 / float(np.finfo(np.float64).eps)  # roundings: values lie between 0 and 1
ROUNDED_OFF = 0.25  # of 1 / gamma; a tenth to a half do as well on noisy curves


@dataclass(frozen=True)
class OfDistance:
    gamma: float

    is_psd = True
    moves = True

    def __post_init__(self) -> None:
        refuse_not_positive_parameter("gamma", self.gamma)

    def diagonal(self, points: Points) -> Float64Array:
        return np.ones(len(points))


@dataclass(frozen=True)
class RBF(OfDistance):
    name = "rbf"

    def against(self, anchors: Points) -> KernelValues:
        negative = squares_against(anchors, -self.gamma)

        def see(points: Points) -> Float64Array:
            values = negative(points)
            if self.gamma * max(longest_length(points), longest_length(anchors)) > FAR:
                recompute_small_squares(values, points, anchors, -self.gamma)
            return np.exp(values, out=values)

        return see

    def roundings(self, longest: float, width: int) -> float:
        """Of near rows, that of the shift; of far ones a value is small where its square is off."""
        reach = self.gamma * longest
        return min(4 + min(8 * reach, 2 / NEAR + 4 * math.sqrt(reach)), WHOLE)

    def pull(self, points: Points, anchors: Points) -> tuple[Float64Array, Float64Array]:
        """Values, and how strongly each anchor draws a point that climbs towards it."""
        values = self.against(anchors)(points)
        return values, values


@dataclass(frozen=True)
class Exponential(OfDistance):
    name = "exponential"

    def against(self, anchors: Points) -> KernelValues:
        squares = squares_against(anchors, 1.0)

        def see(points: Points) -> Float64Array:
            values = careful_distances(squares, points, anchors)
            values *= -self.gamma
            return np.exp(values, out=values)

        return see

    def roundings(self, longest: float, width: int) -> float:
        """Squares that are not taken again are off by eps / NEAR of themselves; rows, by eps."""
        reach = self.gamma * math.sqrt(longest)
        return min(4 + min(4 * reach / math.sqrt(NEAR), 2 / NEAR + 4 * reach), WHOLE)

    def pull(self, points: Points, anchors: Points) -> tuple[Float64Array, Float64Array]:
        """Rounded off near the anchors: each is a cusp, where any climb would end at once."""
        apart = squares_against(anchors, 1.0)(points)
        apart += (ROUNDED_OFF / self.gamma) ** 2
        np.sqrt(apart, out=apart)
        values = np.exp(-self.gamma * apart)
        return values, values / apart


@dataclass(frozen=True)
class Laplacian(OfDistance):
    name = "laplacian"

    def against(self, anchors: Points) -> KernelValues:
        others = anchors.dense()

        def see(points: Points) -> Float64Array:
            from scipy.spatial.distance import cdist

            values: Float64Array = cdist(points.dense(), others, "cityblock")
            values *= -self.gamma
            return np.exp(values, out=values)

        return see

    def roundings(self, longest: float, width: int) -> float:
        """The shift rounds every column of a row by eps of what it leaves there."""
        return min(4 + 2 * self.gamma * math.sqrt(width * longest), WHOLE)


def squares_against(anchors: Points, factor: float) -> Callable[[Points], Float64Array]:
    """factor |x - z|^2 for all pairs, as the expanded form rounds it; never on the wrong side."""
    if anchors.is_sparse:

        def sparse(points: Points) -> Float64Array:
            product = points.products(anchors)
            product *= -2 * factor
            product += (factor * points.lengths)[:, None]
            product += factor * anchors.lengths
            return clip_squares(product, factor)

        return sparse
    ones = np.ones((len(anchors), 1))
    right = np.hstack([-2 * anchors.rows, ones, anchors.lengths[:, None]]).T * factor

    def dense(points: Points) -> Float64Array:
        left = np.empty((len(points), points.width + 2))
        left[:, :-2] = points.rows
        left[:, -2] = points.lengths
        left[:, -1] = 1.0
        return clip_squares(left @ right, factor)

    return dense


def clip_squares(values: Float64Array, factor: float) -> Float64Array:
    limit = np.maximum if factor > 0 else np.minimum
    return limit(values, 0.0, out=values)


def careful_distances(
    squares: Callable[[Points], Float64Array], points: Points, anchors: Points
) -> Float64Array:
    """|x - z|, with as many digits near as far."""
    values = squares(points)
    recompute_small_squares(values, points, anchors, 1.0)
    return np.sqrt(values, out=values)


def recompute_small_squares(
    values: Float64Array, points: Points, anchors: Points, factor: float
) -> None:
    """Take squared distances that are small beside the lengths again, from the difference."""
    near = values / factor <= NEAR * (points.lengths[:, None] + anchors.lengths)
    which, others = np.nonzero(near)
    step = max(1, DIFFERENCES // points.width)
    for start in range(0, len(which), step):
        here, there = which[start : start + step], others[start : start + step]
        apart = points.part(here).dense() - anchors.part(there).dense()
        values[here, there] = factor * np.einsum("ij,ij->i", apart, apart)


def longest_length(points: Points) -> float:
    return float(points.lengths.max(initial=0.0))


def refuse_not_positive_parameter(name: str, value: object) -> None:
    real = isinstance(value, int | float | np.integer | np.floating)
    if not real or isinstance(value, bool) or not 0 < float(value) < np.inf:  # type: ignore[arg-type]
        raise OptionError.not_positive(name, value)
