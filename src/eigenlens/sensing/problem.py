"""The problem every method is given: numbers y, measured of a signal written in a basis.

    y = A (offset + W D u) + noise,     B = A W D,     find a u with few entries other than 0

D holds the size each coefficient is expected to have, where the basis knows: along a component it
is the standard deviation. Fixed bases expect all alike, D = I. B is never formed unless a method
asks for it.

Methods see numbers and a B of size one, divided by powers of two: their squares neither overflow
nor vanish, whatever the units, and no digit changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.errors import SensingError
from eigenlens.sensing.basis import Basis, synthesis_operator
from eigenlens.sensing.measurement import MAX_OPERATOR_BYTES

__all__ = ["Solution", "SparseProblem", "make_sparse_problem"]

SMALLEST = 1e-152  # and its inverse: objectives are squares, and have to be numbers too


@dataclass(frozen=True, eq=False)
class SparseProblem:
    """`operator`: B / size, a scipy LinearOperator; `numbers`: (y - A offset) / unit; `units`: D.

    So coefficients are found in units of unit / size.
    """

    operator: Any
    numbers: Float64Array
    units: Float64Array
    sparsity: int | None = None
    unit: float = 1.0
    size: float = 1.0

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.operator.shape
        return int(rows), int(columns)

    def forward(self, coefficients: Float64Array) -> Float64Array:
        found: Float64Array = self.operator.matvec(coefficients)
        return found

    def adjoint(self, numbers: Float64Array) -> Float64Array:
        found: Float64Array = self.operator.rmatvec(numbers)
        return found

    def matrix(self, method: str) -> Float64Array:
        """B, where it is small enough to be formed."""
        m, count = self.shape
        if 8 * m * count > MAX_OPERATOR_BYTES:
            raise SensingError.too_large(f"method={method!r}", (m, count), "method='fista'")
        # By rows: there are fewer of them than columns.
        formed: Float64Array = np.ascontiguousarray(self.operator.rmatmat(np.eye(m)).T)
        return formed


@dataclass(frozen=True, eq=False)
class Solution:
    """What a method found; `gap` is None where it proves nothing.

    `coefficients` are in the problem's units; `objective`, what the method minimizes there, `gap`,
    by which it exceeds the least possible at most, and `penalty` in those of y and A.
    """

    coefficients: Float64Array
    iterations: int
    objective: float | None = None
    gap: float | None = None
    penalty: float | None = None

    @property
    def support(self) -> IntArray:
        return np.flatnonzero(self.coefficients)


def make_sparse_problem(A: Any, y: Any, basis: Basis, sparsity: int | None) -> SparseProblem:
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import aslinearoperator

    operator = aslinearoperator(A)
    m, entries = operator.shape
    if entries != int(np.prod(basis.shape)):
        raise SensingError.wrong_width((m, entries), basis.shape)
    if np.iscomplexobj(y) or np.dtype(operator.dtype).kind == "c":
        raise SensingError.complex_numbers()
    numbers = check_measurements(y, m)
    if basis.offset is not None:
        numbers = numbers - operator.matvec(basis.offset.ravel())
    units = np.ones(basis.count) if basis.spread is None else basis.spread
    written = operator @ synthesis_operator(basis)
    if basis.spread is not None:
        written = written @ aslinearoperator(diags_array(units))
    unit = power_of_two_size("y", numbers)
    numbers = numbers / unit
    size = power_of_two_size("A", written.rmatvec(numbers))
    return SparseProblem((1 / size) * written, numbers, units, sparsity, unit, size)


def check_measurements(y: Any, m: int) -> Float64Array:
    try:
        numbers = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise SensingError.not_numbers(type(y)) from None
    if numbers.shape != (m,):
        raise SensingError.wrong_numbers(numbers.shape, m)
    if not np.isfinite(numbers).all():
        bad = ~np.isfinite(numbers)
        raise SensingError.not_finite(int(bad.sum()), int(np.flatnonzero(bad)[0]), m)
    return numbers


def power_of_two_size(what: str, values: Float64Array) -> float:
    """The power of two below the largest; 1 where all are 0."""
    largest = float(np.abs(values).max(initial=0.0))
    if not np.isfinite(largest):
        raise SensingError.operator_not_finite()
    if largest == 0:
        return 1.0
    if not SMALLEST <= largest <= 1 / SMALLEST:
        raise SensingError.out_of_range(what, largest)
    return float(np.ldexp(1.0, np.frexp(largest)[1] - 1))
