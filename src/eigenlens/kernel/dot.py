"""Kernels of the inner product: linear, polynomial, cosine and sigmoid.

linear      x'y                               ordinary PCA, told by inner products only
polynomial  (gamma x'y + coef0)^degree        psd for coef0 >= 0 and a whole degree
cosine      x'y / (|x| |y|)                   directions alone; rows of length 0 are 0
sigmoid     tanh(gamma x'y + coef0)           not positive semidefinite: exact mode only
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.kernel.points import Points
from eigenlens.kernel.protocol import KernelValues
from eigenlens.kernel.radial import refuse_not_positive_parameter

__all__ = ["Cosine", "Linear", "Polynomial", "Sigmoid"]

SMALLEST_NORMAL = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True)
class Linear:
    name = "linear"
    is_psd = True
    moves = True  # the matrix itself does not stay the same, but once centered it does

    def against(self, anchors: Points) -> KernelValues:
        return lambda points: points.products(anchors)

    def diagonal(self, points: Points) -> Float64Array:
        return points.lengths.copy()

    def roundings(self, longest: float, width: int) -> float:
        return 4.0


@dataclass(frozen=True)
class Polynomial:
    gamma: float
    degree: float = 3
    coef0: float = 1.0

    name = "poly"
    moves = False

    def __post_init__(self) -> None:
        refuse_not_positive_parameter("gamma", self.gamma)
        refuse_not_positive_parameter("degree", self.degree)
        refuse_not_a_number("coef0", self.coef0)

    @property
    def is_psd(self) -> bool:
        """Powers of a positive semidefinite matrix, entry by entry, are positive semidefinite."""
        return float(self.degree).is_integer() and self.coef0 >= 0

    def against(self, anchors: Points) -> KernelValues:
        def see(points: Points) -> Float64Array:
            return self.powers(points.products(anchors))

        return see

    def diagonal(self, points: Points) -> Float64Array:
        return self.powers(points.lengths.copy())

    def powers(self, values: Float64Array) -> Float64Array:
        values *= self.gamma
        values += self.coef0
        if not float(self.degree).is_integer():
            with np.errstate(invalid="ignore"):  # a NaN is met, and told of, by whoever asked
                return np.power(values, self.degree, out=values)
        base = values.copy()
        for _ in range(int(self.degree) - 1):
            values *= base
        return values

    def roundings(self, longest: float, width: int) -> float:
        return 4.0 * max(self.degree, 1.0)


@dataclass(frozen=True)
class Cosine:
    name = "cosine"
    is_psd = True
    moves = False

    def against(self, anchors: Points) -> KernelValues:
        directions = unit_rows(anchors)
        return lambda points: unit_rows(points).products(directions)

    def diagonal(self, points: Points) -> Float64Array:
        return (largest_entries(points) > 0).astype(np.float64)

    def roundings(self, longest: float, width: int) -> float:
        return 8.0


@dataclass(frozen=True)
class Sigmoid:
    gamma: float
    coef0: float = 1.0

    name = "sigmoid"
    is_psd = False
    moves = False

    def __post_init__(self) -> None:
        refuse_not_positive_parameter("gamma", self.gamma)
        refuse_not_a_number("coef0", self.coef0)

    def against(self, anchors: Points) -> KernelValues:
        return lambda points: self.squashed(points.products(anchors))

    def diagonal(self, points: Points) -> Float64Array:
        return self.squashed(points.lengths.copy())

    def squashed(self, values: Float64Array) -> Float64Array:
        values *= self.gamma
        values += self.coef0
        return np.tanh(values, out=values)

    def roundings(self, longest: float, width: int) -> float:
        return 8.0


def unit_rows(points: Points) -> Points:
    """Rows divided by their lengths; by their largest entries first, whose squares may overflow."""
    within = divide_rows(points, largest_entries(points))
    return divide_rows(within, np.sqrt(within.lengths))


def divide_rows(points: Points, sizes: Float64Array) -> Points:
    """Rows divided by `sizes`; those of size 0 become 0."""
    scale = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes >= SMALLEST_NORMAL)
    if not points.is_sparse:
        return Points(points.rows * scale[:, None], points.numbers)
    from scipy.sparse import csr_array

    return Points(csr_array(points.rows.multiply(scale[:, None])), points.numbers)


def largest_entries(points: Points) -> Float64Array:
    """The largest magnitude in every row; 0 where it is so small that its inverse is infinite."""
    rows = abs(points.rows)
    found = rows.max(axis=1)
    sizes = np.asarray(found.toarray() if points.is_sparse else found, dtype=np.float64).ravel()
    return np.where(sizes >= SMALLEST_NORMAL, sizes, 0.0)


def refuse_not_a_number(name: str, value: object) -> None:
    real = isinstance(value, int | float | np.integer | np.floating)
    if not real or isinstance(value, bool) or not np.isfinite(value):  # type: ignore[call-overload]
        raise OptionError.needs(
            SetOption(name, value), "a finite number", Phrase("pass {}", SetOption(name, 1))
        )
