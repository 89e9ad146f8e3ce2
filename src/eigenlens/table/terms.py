"""The terms of `Roundings` for a table as it was computed, and how far its total may be off."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from eigenlens.algebra.precision import LARGEST_EXACT
from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import DataError
from eigenlens.sources.traits import traits_of
from eigenlens.table.roundings import UNIT_ROUNDOFF, Roundings
from eigenlens.table.units import underflow_of

if TYPE_CHECKING:
    from eigenlens.table.prepared import PreparedData

__all__ = ["roundings_of", "total_rounding_of"]

DOUBLE = UNIT_ROUNDOFF[8]
EXTENDED = float(np.finfo(np.longdouble).eps)  # of sums of weights
SUM_DRIFT = {4: 32.0, 8: 256.0}  # roundings by which the mean of a run of rows may be off
WEIGHT_ROUNDINGS = 2  # its root, and the product with it
MOST_READING_ERROR = 0.01  # of a deviation to divide by: what is read is hardly the data any more
SCALE_ROUNDINGS = 2  # the inverse, and the product with it


def roundings_of(table: PreparedData) -> Roundings:
    """Before the first pass, what can be known without it."""
    rows, weights = table.rows, table.preparation.weights
    unit = UNIT_ROUNDOFF[rows.dtype.itemsize]
    drift = rows.drift if table.chained else rows.gram_drift
    known = table.learned is not None
    return Roundings(
        products=unit * drift,
        conversion=conversion_error(table),
        shift=0.0 if rows.shift is None else unit,
        weights=0.0 if weights is None else WEIGHT_ROUNDINGS * unit,
        correction=unit * SUM_DRIFT[rows.dtype.itemsize] * mean_share(table) if known else 0.0,
        scale=0.0 if table.scale is None else SCALE_ROUNDINGS * DOUBLE + scale_error(table),
        divisor=divisor_error(table),
        underflow=underflow_of(table) if known else 0.0,
        centering=centering_error(table) if known else 0.0,
        reading=reading_error(table) if known else 0.0,
    )


def conversion_error(table: PreparedData) -> float:
    """What a number loses as a float: in float32 nothing, but where the source rounds to it."""
    if table.rows.dtype.itemsize == 8:
        return DOUBLE
    return 0.0 if traits_of(table.source).in_double is None else UNIT_ROUNDOFF[4]


def reading_error(table: PreparedData) -> float:
    """In norm: whole numbers beyond 2^53, decimals and long doubles are rounded when they are read,
    and so are numbers computed from those that are stored: far from the origin as large as there.

    With an error matrix E the covariance matrix moves by at most 2 |A| |E| + |E|^2. A matrix that
    is given, with eigenvalues a little below 0, is that far from one of any rows.
    """
    given = traits_of(table.source).below / table.unit**2
    errors = reading_errors(table)
    off = float(np.linalg.norm(errors)) if errors.any() else 0.0
    return given if off == 0 else given + (2 * math.sqrt(table.total_variance) + off) * off


def reading_errors(table: PreparedData) -> Float64Array:
    """How far the rows read may be off, column by column: root mean squares, in units of the table.

    Nothing where every stored number is a float, or no number is beyond 2^53, unless numbers are
    computed from those that are stored.
    """
    traits, size = traits_of(table.source), table.rows.dtype.itemsize
    if not traits.computed and (size < 8 or traits.float_stored):
        return np.zeros(1)
    moments, weights = table.moments, table.preparation.weights
    lightest = 1.0 if weights is None else float(weights[weights > 0].min())
    with np.errstate(over="ignore"):
        largest = np.abs(moments.mean) + np.sqrt(moments.squares / lightest)
        rounded = (largest > LARGEST_EXACT) | (traits.computed > 0)
        if not rounded.any():
            return np.zeros(1)
        squares = table.of_columns(table.facts.squares, corrected=True)
        squares += table.mean_in_units**2 * (table.weight / table.reduced_divisor)
    off = DOUBLE * max(1.0, traits.computed) + (UNIT_ROUNDOFF[4] if size < 8 else 0.0)
    found: Float64Array = off * np.sqrt(np.where(rounded, squares, 0.0))
    return found


def scale_error(table: PreparedData) -> float:
    """Relative, of scales that were computed: by sums, and of numbers that were rounded before."""
    if table.scale_error == 0 or table.learned is None:
        return table.scale_error
    # In units of their own deviations, columns have errors that are relative already.
    read = float(reading_errors(table).max())
    if read > MOST_READING_ERROR:
        raise DataError.beyond_exact(float(np.abs(table.moments.mean).max()))
    return table.scale_error + read / (1 - read) ** 2


def mean_share(table: PreparedData) -> float:
    """The largest part that the mean's correction has of a column's squares; 0 for raw rows."""
    if not table.preparation.center:
        return 0.0
    facts = table.facts
    with np.errstate(over="ignore", invalid="ignore"):  # refused as a sum (`units.py`)
        means = table.weight * facts.step**2
    whole = facts.squares + means
    return float(np.divide(means, whole, out=np.zeros_like(means), where=whole > 0).max())


def centering_error(table: PreparedData) -> float:
    """Rows centered by a rounded mean lie off the origin by its last digit, all of them."""
    off = DOUBLE * table.offset
    return float((off @ off) * table.weight / table.reduced_divisor)


def divisor_error(table: PreparedData) -> float:
    """Relative: rounded once, from a sum in extended precision; moments keep a rounded sum."""
    prepared = table.preparation
    by = prepared.scale_divisor if isinstance(prepared.scale, str) else prepared.divisor
    few = prepared.total_weight / by  # deviations are divided by it, centered or not
    if prepared.weights is None:
        whole = prepared.total_weight.is_integer()
        return DOUBLE if whole else DOUBLE * (1 + SUM_DRIFT[8] * few)
    return DOUBLE + 8 * EXTENDED * few


def total_rounding_of(table: PreparedData) -> float:
    """Sums of squares are made about their own shift: what they are rounded to is relative to it.

    A sum over columns adds only positive numbers.
    """
    terms = table.roundings
    whole = float(table.tallied_variances.sum())
    lost = terms.of_matrix * table.total_variance + table.shape[1] * terms.norm
    return 2 * terms.relative * whole + lost
