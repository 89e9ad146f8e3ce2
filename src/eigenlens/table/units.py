"""Units: powers of two that keep squares, and squares of variances, within the range of floats.

    unit        one for the table: variances near 1, whatever the data
    exponents   one for every column, where products of some would overflow or be lost

| what the first pass shows                    | what follows                                    |
|----------------------------------------------|-------------------------------------------------|
| sums overflow, or squares that matter vanish | the pass again in float64                       |
| variances beyond what float32 holds well     | the same                                        |
| the same in float64                          | the pass again, each column divided by 2^e,     |
|                                              | its largest magnitude then between 1/2 and 1    |
| variances far from 1                         | another unit: nothing has to be computed again  |

"Matter": the products that vanish could add up to more than a thousandth of a rounding of the total
variance. Powers of two change no digit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.errors import DataError
from eigenlens.sources.finite import locate_not_finite
from eigenlens.table.roundings import UNIT_ROUNDOFF

if TYPE_CHECKING:
    from eigenlens.table.learned import Learned
    from eigenlens.table.prepared import PreparedData
    from eigenlens.table.rows import RowStorage

__all__ = [
    "SMALLEST_UNIT",
    "better_unit",
    "column_exponents",
    "exponent_of",
    "multipliers",
    "refuse_beyond_floats",
    "underflow_of",
    "unit_for",
    "weight_exponent",
    "wider_rows",
]

ORDINARY = 1e30  # fourth powers of larger numbers may overflow, and bounds square variances
ORDINARY_IN_SINGLE = 1e9  # float32 holds the products of 10^9 rows of such numbers, or of 1 / them
MOST_IN_SINGLE = 1e24  # a variance with the same room: in float32, rows are divided by their scale
MOST_EXPONENT = 511  # of a unit: it has a square, and so has its inverse
SMALLEST_UNIT = {4: 2.0**-149, 8: 2.0**-1074}  # the least number above 0, by bytes
MOST_SQUARES = 1e308  # summed over all rows, with room for the allowance of a bound
LEAST_VARIANCE = 1e-305  # float64 counts in steps of 5e-324: digits of less may be lost
MATTERS = 1e-3  # of a rounding of the total variance


def unit_for(size: float, precise: bool = True) -> float:
    """A power of two to hold numbers of this size in, so that their fourth powers fit a float64.

    `precise`: whether products are made in float64; where not, their squares have to fit a float32.
    """
    ordinary = ORDINARY if precise else ORDINARY_IN_SINGLE
    if not 0 < size < math.inf or 1 / ordinary < size < ordinary:
        return 1.0
    return 2.0 ** max(-MOST_EXPONENT, min(MOST_EXPONENT, exponent_of(size)))


def exponent_of(size: float) -> int:
    return math.frexp(size)[1]


def weight_exponent(weights: Float64Array) -> int:
    """Weights are divided by 2 to this power, which is even: 0 unless they are large or small."""
    largest = float(weights.max(initial=0.0))
    ordinary = not largest > 0 or 1 / ORDINARY < largest < ORDINARY
    return 0 if ordinary else exponent_of(largest) // 2 * 2


def column_exponents(largest: Float64Array) -> IntArray:
    """Exponents that bring the largest magnitude of every column to between 1/2 and 1."""
    found: IntArray = np.frexp(largest)[1]
    return found


def multipliers(
    columns: int,
    scale: Float64Array | None,
    exponents: IntArray | None,
    unit: float,
    numbers: Float64Array | None = None,
) -> Float64Array:
    """`numbers` (1) times 2^exponent / (scale * unit), always within the range of floats."""
    if unit == 1 and scale is None and exponents is None:
        return np.ones(columns) if numbers is None else numbers.astype(np.float64)
    over, power = (1.0, 0) if numbers is None else np.frexp(numbers)
    power = np.full(columns, 1 - exponent_of(unit)) + power
    if exponents is not None:
        power = power + exponents
    part, own = (np.ones(columns), 0) if scale is None else np.frexp(scale)
    with np.errstate(over="ignore", under="ignore"):
        found: Float64Array = np.ldexp(over / part, power - own)
    return found


def underflow_of(table: PreparedData) -> float:
    """How far, in norm, products that vanished may have moved the covariance matrix.

    Each of the n products of an entry loses less than the least number above 0; scales raise it.
    """
    if table.rows.lossless:
        return 0.0
    least = SMALLEST_UNIT[table.rows.dtype.itemsize]
    with np.errstate(over="ignore"):
        scales = float(table.squared_scale.sum())
    return 4 * table.shape[0] * least * scales / table.reduced_divisor


def wider_rows(table: PreparedData, learned: Learned) -> RowStorage | None:
    """The rows with room for larger and smaller numbers, where some did not fit; None: all did.

    An error where numbers are not finite, or do not fit anything.
    """
    if fits(table, learned):
        return None
    rows = table.rows
    if not rows.precise:
        return rows.in_double()
    largest = None if rows.exponents is not None else rows.largest_magnitudes(table.frame)
    if largest is None or not np.isfinite(largest).all():
        if np.isfinite(learned.tallied).all():
            return None  # as small as they are, no units would help
        raise locate_not_finite(table.source)
    table.meter.one_pass(table.source.stored_bytes)
    wider = rows.in_units(column_exponents(largest))
    sizes = multipliers(table.shape[1], table.scale, wider.exponents, 1.0)
    table.unit = unit_for(float(sizes.max(initial=0.0)))
    return wider


def fits(table: PreparedData, learned: Learned) -> bool:
    """Whether sums are finite, and what products lost is nothing beside the total variance."""
    squares = learned.squares if table.preparation.center else learned.tallied
    total = float((squares * table.squared_scale).sum()) / table.reduced_divisor
    if not (np.isfinite(learned.tallied).all() and math.isfinite(total)):
        return False
    if not table.rows.precise and not 1 / MOST_IN_SINGLE < total < MOST_IN_SINGLE:
        return False
    size = table.rows.dtype.itemsize
    lost = underflow_of(table)
    if table.each_column and lost > 0:
        # Whatever their size beside each other, as where deviations are looked for.
        lost, total = table.shape[0] * SMALLEST_UNIT[size], float(learned.tallied.min())
    return lost <= MATTERS * UNIT_ROUNDOFF[size] * total


def refuse_beyond_floats(table: PreparedData) -> None:
    """An error where variances, in the units of the data, are no floats or have lost digits."""
    total = table.total_variance * table.unit**2  # of Python's floats, infinite without a warning
    over_rows = total * max(table.divisor, 1.0)
    if not over_rows < MOST_SQUARES:
        raise DataError.overflow()
    if total < LEAST_VARIANCE:
        raise DataError.underflow()


def better_unit(table: PreparedData) -> float:
    """The unit for variances as they were found; the one there is where that serves."""
    total = table.total_variance
    ordinary = ORDINARY if table.rows.precise else ORDINARY_IN_SINGLE
    if not total > 0 or 1 / ordinary**2 < total < ordinary**2:
        return table.unit
    power = exponent_of(table.unit) - 1 + exponent_of(total) // 2
    return 2.0 ** max(-MOST_EXPONENT, min(MOST_EXPONENT, power))
