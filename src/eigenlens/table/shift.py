"""The provisional shift: a vector to subtract from every row before anything is multiplied.

Any shift gives the same covariance after a rank-one correction; a good one keeps the correction
small, so that one pass loses no digits. It comes from a sample of rows, rounded to the data's own
precision so that the subtraction is exact where it matters.

A shift costs a copy of every block in every pass. Correcting the product instead loses about
(mean / deviation)^2 roundings, weighed by how much of its variance a component has from a column.
It is done where the sample says that the eigenvalues asked for lose no more by it than they may:
in float64 up to two hundred deviations from the origin, in float32 up to about ten
(`tests/table/test_shift.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import peek_rows

__all__ = ["RowSample", "centering_verdict", "provisional_shift", "sample_of"]

SAMPLE_ROWS, SPARSE_ROWS = 256, 64  # sparse products are never shifted: only their sums are
SAMPLE_BYTES = 4 << 20
# By bytes of a number: the relative error of products with their drift, and how many times less
# than they may lose eigenvalues lose at most; (mean / deviation)^2 that no column may exceed.
LOSSES = {8: (2.0**-42, 50.0, 4e4), 4: (2.0**-17, 1.0, 400.0)}
SMALL_TABLE_BYTES = 1 << 20
SURE_ERRORS = 6  # standard errors of a mean that chance does not reach


@dataclass(frozen=True)
class RowSample:
    """Some rows to see where the data lie, and the ends of their columns."""

    rows: Float64Array
    lowest: Float64Array
    highest: Float64Array

    @cached_property
    def moments(self) -> tuple[Float64Array, Float64Array, Float64Array]:
        """The largest magnitudes of the columns; means and variances in parts of these.

        Squares of very large and small numbers have no floats.
        """
        largest = np.maximum(-self.lowest, self.highest)
        parts = self.rows / np.where(largest > 0, largest, 1.0)
        mean = np.ones(len(parts)) @ parts / len(parts)
        parts -= mean  # in place: the sample of a wide table is not small beside it
        return largest, mean, np.einsum("ij,ij->j", parts, parts) / len(parts)

    def size_about(self, point: Float64Array | float, scale: Float64Array | float = 1.0) -> float:
        """The largest magnitude of a row less `point`, divided by `scale`; 1 where it is unknown.

        That of a column is at an end of its range: rounding keeps the order.
        """
        low, high = (self.lowest - point) / scale, (self.highest - point) / scale
        largest = max(float(high.max(initial=0.0)), -float(low.min(initial=0.0)))
        return largest if 0 < largest < np.inf else 1.0


def rows_to_sample(source: Source) -> int:
    """Enough rows to see where the data lie, without a noticeable copy of very wide ones."""
    most = SPARSE_ROWS if source.is_sparse else SAMPLE_ROWS
    return min(most, max(16, SAMPLE_BYTES // (8 * source.shape[1])))


def sample_of(source: Source, weights: Float64Array | None) -> RowSample:
    """Rows to see where the data lie; those with weights as often as they weigh."""
    count = rows_to_sample(source)
    rows = peek_rows(source, count) if weights is None else peek_heavy_rows(source, count, weights)
    return RowSample(rows, rows.min(axis=0), rows.max(axis=0))


def peek_heavy_rows(source: Source, count: int, weights: Float64Array) -> Float64Array:
    # Evenly spaced along the sum of the weights: a row of half the weight is half the sample, and
    # one of no weight is not in it.
    total = np.cumsum(weights / weights.max())
    places = (np.arange(count) + 0.5) / count * total[-1]
    rows, times = np.unique(np.searchsorted(total, places), return_counts=True)
    sample = np.asarray(source.sample(rows), dtype=np.float64)
    return np.repeat(sample, times, axis=0)


def hazard_allowed(accuracy: float, source: Source) -> tuple[float, float]:
    """How large (mean / deviation)^2 may be where products are only corrected for the mean.

    For components, beside the average variance of a column, and for a single column.
    """
    if source.stored_bytes <= SMALL_TABLE_BYTES:
        return 1.0, 1.0  # a small table is copied in no time
    relative, times, most = LOSSES[source.dtype.itemsize]
    allowed = min(max(accuracy / (relative * times), 1.0), most)
    return allowed, most if allowed > 1 else 1.0


def provisional_shift(
    sample: RowSample, source: Source, accuracy: float = 0.0, each_column: bool = False
) -> Float64Array | None:
    """None where means are not clearly larger than the spread, or not by enough to matter.

    `accuracy`: the error that may be left to rounding of the smallest eigenvalue asked for, in
    parts of the average variance of a column; 0: as little as can. `each_column`: whether columns
    are brought to one size. Clearly, for the mean of a few rows is not zero: of 20 000 centered
    columns some seem to lie five deviations away in a sample of 26.
    """
    count, (largest, mean, spread) = len(sample.rows), sample.moments
    chance = SURE_ERRORS / math.sqrt(count) if count < source.shape[0] else 0.0
    allowed, most = (max((1 + chance) ** 2, one) for one in hazard_allowed(accuracy, source))
    if not np.isfinite(mean).all():
        return None
    squares = mean**2
    if (squares <= (allowed if each_column else most) * spread).all():
        # In units of the largest, by a power of two: the same at every scale.
        sizes = np.ldexp(largest, -np.frexp(largest.max())[1]) ** 2
        if each_column or weigh_means(squares * sizes, spread * sizes) <= allowed:
            return None
    # A column that looks constant is shifted by its exact value, so that it becomes exactly zero.
    shift = np.where(sample.lowest == sample.highest, sample.rows[0], mean * largest)
    rounded: Float64Array = shift.astype(source.dtype).astype(np.float64)
    return rounded


def weigh_means(squares: Float64Array, variances: Float64Array) -> float:
    """Squared means as components meet them, in parts of the average variance; 0 without any.

    Components have their parts of columns about as these have variance, or all alike.
    """
    total = float(variances.sum())
    if total == 0:
        return 0.0
    along = max(float(squares @ variances) / total, float(squares.mean()))
    return along * len(variances) / total


def centering_verdict(shift: Float64Array | None) -> Verdict:
    """How the mean was taken out, and why so."""
    if shift is None:
        reason = (
            "the means are not large beside the spread of their columns, so rows were multiplied "
            "as they are and the product was corrected for the mean"
        )
        return Verdict("corrected", "sample", reason)
    reason = "a mean is large beside the spread of its column, so rows were shifted first"
    return Verdict("shifted", "sample", reason)
