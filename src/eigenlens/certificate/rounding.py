"""Rounding: how far floating point may have moved what was computed.

    value      2 r max(v'Gv, t)                 of a Ritz value t        G = diagonal of products
    residual   2 r sqrt(tr G max(v'Gv, t))      of a residual's length   r = drift of a sum, times u
    leftover   2 r max(sqrt(tr G max G), t[1])  of the norm of the error matrix
    trace      2 r tr G                         of the sum of all eigenvalues

plus what LAPACK may add, p eps t[1]. For a triangle (nothing squared) the first is
2 r sqrt(t max(v'Gv, t)). Two models in one: v'Gv if roundings are independent from entry to entry,
t if they are the same everywhere (repeated or two-valued columns). Tests compare both with float64
and extended precision (`tests/certificate/test_rounding.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array

__all__ = ["Rounded", "Rounding", "least_relative", "rounding_of", "rounding_of_total"]

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Rounding:
    """Allowances in the units of the eigenvalues, for the leading Ritz pairs."""

    values: Float64Array
    residuals: Float64Array
    leftover: float
    trace: float

    def more(self, moved: float) -> Rounding:
        """Where the matrix itself may have moved by so much, in norm."""
        return replace(self, values=self.values + moved, residuals=self.residuals + moved)


class HasRoundoff(Protocol):
    @property
    def roundoff(self) -> float: ...


class Rounded(HasRoundoff, Protocol):
    """Whatever had products computed: a side, or the facts kept of it."""

    @property
    def size(self) -> int: ...

    @property
    def diagonal(self) -> Float64Array: ...


def rounding_of(side: Rounded, ritz: Ritz, count: int) -> Rounding:
    """Allowances for the leading `count` Ritz pairs."""
    vectors = ritz.vectors(min(count, ritz.size))
    diagonal, relative = side.diagonal, least_relative(side)
    largest = float(ritz.values.max(initial=0.0))
    trace = float(diagonal.sum())
    values = np.maximum(ritz.values[: vectors.shape[1]], 0.0)
    along = np.maximum(diagonal @ np.square(vectors), values)
    if ritz.from_triangle:
        moved = relative * np.sqrt(values * along) + side.size * EPS * np.sqrt(values * largest)
        moved += (relative**2) * along + (side.size * EPS) ** 2 * largest
    else:
        moved = relative * along + side.size * EPS * largest
    lapack = side.size * EPS * largest
    return Rounding(
        values=moved,
        residuals=relative * np.sqrt(trace * along) + lapack,
        leftover=relative * max(math.sqrt(trace * diagonal.max(initial=0.0)), largest) + lapack,
        trace=relative * trace + lapack,
    )


def least_relative(products: HasRoundoff) -> float:
    """The smallest relative error of an eigenvalue that such products can prove."""
    return 2 * products.roundoff


def rounding_of_total(products: Rounded, total: float) -> float:
    """How far eigenvalues may be from adding up to the total, relative to it: twice the allowance.

    The one floor of everything that asks whether a direction holds any variance: less than this
    part of the total may be nothing but rounding.
    """
    hazard = float(products.diagonal.sum()) / total
    return 2 * least_relative(products) * hazard + products.size * EPS
