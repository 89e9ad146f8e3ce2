"""Rounding: how far floating point may have moved what was computed.

    value      2 r a + q t + e                      of a Ritz value t       a = max(g, t)
    residual   2 r sqrt(tr G a) + q t[1] + e        of a residual's length
    leftover   2 r max(sqrt(tr G max G), t[1]) + q t[1] + e     of the norm of the error matrix
    trace      2 r tr G + q tr G + p e              of the sum of all eigenvalues

plus what LAPACK may add, c eps |H| with c = max(p, 48) + 8 sqrt(p): for small matrices its
constants count, not their size; the second part is for a basis that is orthonormal but for
rounding. |H| is t[1], unless rounding made some value more negative than that is large;
of a residual, the difference of two products, twice as much.
The terms r (relative to the numbers multiplied, of mean
squares G), q (relative to the matrix) and e (a norm) are sums of those named in
`table/roundings.py`. g is v'Gv on the *basis a product was made with*, turned as the Ritz vectors
are: a basis vector may reach into a huge column that the Ritz vector avoids. For a triangle
(nothing squared) the first is 2 r sqrt(t a). Two models in one: g if roundings are independent from
entry to entry, t if they are the same everywhere (repeated or two-valued columns). Tests compare
both with float64 and extended precision (`tests/certificate/test_rounding.py`, `tests/adversary`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.table.roundings import Roundings

__all__ = [
    "HasRounding",
    "Rounding",
    "lapack_error",
    "least_relative",
    "rounding_of",
    "rounding_of_total",
]

LEAST_LAPACK = 48  # roundings: residuals of 5 x 5 decompositions reach 47 (tests/adversary)
ORTHONORMALITY = 8.0  # times sqrt(p): with a Krylov basis of 7 x 7 54 were met (tests/adversary)


@dataclass(frozen=True)
class Rounding:
    """Allowances in the units of the eigenvalues, for the leading Ritz pairs."""

    values: Float64Array
    residuals: Float64Array
    leftover: float
    trace: float

    def leading(self, count: int) -> Rounding:
        """Of the first pairs alone."""
        if count >= len(self.values):
            return self
        return Rounding(self.values[:count], self.residuals[:count], self.leftover, self.trace)

    def more(self, moved: float) -> Rounding:
        """Where the matrix itself may have moved by so much, in norm."""
        return replace(self, values=self.values + moved, residuals=self.residuals + moved)


class HasRoundoff(Protocol):
    @property
    def roundings(self) -> Roundings: ...


class HasRounding(HasRoundoff, Protocol):
    """Whatever had products computed: a side, or the facts kept of it."""

    @property
    def size(self) -> int: ...

    @property
    def diagonal(self) -> Float64Array: ...

    @property
    def triangle_diagonal(self) -> Float64Array: ...


def rounding_of(side: HasRounding, ritz: Ritz, count: int) -> Rounding:
    """Allowances for the leading `count` Ritz pairs."""
    vectors = ritz.vectors(min(count, ritz.size))
    diagonal = side.triangle_diagonal if ritz.from_triangle else side.diagonal
    terms = side.roundings
    relative = least_relative(side)
    largest = float(ritz.values.max(initial=0.0))
    trace = float(diagonal.sum())
    values = np.maximum(ritz.values[: vectors.shape[1]], 0.0)
    along = np.maximum(diagonal @ np.square(vectors), values)
    if ritz.exposure is not None:
        along = np.maximum(along, ritz.exposure[: len(along)])
    eps = lapack_error(side.size)
    lapack = eps * max(largest, -float(ritz.values.min(initial=0.0)), ritz.norm)
    if ritz.from_triangle:
        moved = relative * np.sqrt(values * along) + eps * np.sqrt(values * largest)
        moved += (relative**2) * along + eps**2 * largest
    else:
        moved = relative * along + lapack
    whole = terms.of_matrix * largest + terms.norm + lapack
    return Rounding(
        values=moved + terms.of_matrix * values + terms.norm,
        # The difference of two products, both rounded: with a Krylov basis 77 were met.
        residuals=relative * np.sqrt(trace * along) + whole + lapack,
        leftover=relative * max(math.sqrt(trace * diagonal.max(initial=0.0)), largest) + whole,
        trace=rounding_of_trace(side, trace) + lapack,
    )


def lapack_error(size: int) -> float:
    """Of a decomposition, relative to the largest eigenvalue."""
    return (max(size, LEAST_LAPACK) + ORTHONORMALITY * math.sqrt(size)) * EPS


def rounding_of_trace(side: HasRounding, trace: float) -> float:
    """Of a sum of all eigenvalues, given that of the squares that products were made of."""
    terms = side.roundings
    return (least_relative(side) + terms.of_matrix) * trace + side.size * terms.norm


def least_relative(products: HasRoundoff) -> float:
    """The smallest relative error of an eigenvalue that such products can prove."""
    return 2 * products.roundings.relative


def rounding_of_total(products: HasRounding, total: float) -> float:
    """How far eigenvalues may be from adding up to the total, relative to it: twice the allowance.

    The one floor of everything that asks whether a direction holds any variance: less than this
    part of the total may be nothing but rounding.
    """
    trace = float(products.diagonal.sum())
    return 2 * rounding_of_trace(products, trace) / total + products.size * EPS
