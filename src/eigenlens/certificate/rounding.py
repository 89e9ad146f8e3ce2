"""Rounding: how far floating point may have moved what was computed.

    value      2 r v'Gv              of a Ritz value          G = diagonal of the products
    residual   2 r sqrt(tr G v'Gv)   of a residual's length   r = sqrt(m) u for sums of m products
    leftover   2 r sqrt(tr G max G)  of the norm of an error matrix with independent entries

plus what LAPACK may add, p eps t[1]. For a triangle (nothing squared) the first is
2 r sqrt(t v'Gv). The model is statistical: roundings are taken as independent. Tests compare it
with float64 and extended precision (`tests/certificate/test_rounding.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array

__all__ = ["Rounded", "Rounding", "rounding_of"]

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Rounding:
    """Allowances in the units of the eigenvalues, for the leading Ritz pairs."""

    values: Float64Array
    residuals: Float64Array
    leftover: float


class Rounded(Protocol):
    """Whatever had products computed: a side, or the facts kept of it."""

    @property
    def size(self) -> int: ...

    @property
    def diagonal(self) -> Float64Array: ...

    @property
    def roundoff(self) -> float: ...


def rounding_of(side: Rounded, ritz: Ritz, count: int) -> Rounding:
    """Allowances for the leading `count` Ritz pairs."""
    vectors = ritz.vectors(min(count, ritz.size))
    diagonal, relative = side.diagonal, 2 * side.roundoff
    largest = float(ritz.values.max(initial=0.0))
    trace = float(diagonal.sum())
    along = diagonal @ np.square(vectors)
    values = np.maximum(ritz.values[: vectors.shape[1]], 0.0)
    if ritz.from_triangle:
        moved = relative * np.sqrt(values * along) + side.size * EPS * np.sqrt(values * largest)
        moved += (relative**2) * along + (side.size * EPS) ** 2 * largest
    else:
        moved = relative * along + side.size * EPS * largest
    lapack = side.size * EPS * largest
    return Rounding(
        values=moved,
        residuals=relative * np.sqrt(trace * along) + lapack,
        leftover=relative * float(np.sqrt(trace * diagonal.max(initial=0.0))) + lapack,
    )
