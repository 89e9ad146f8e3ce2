"""The provisional shift: a vector to subtract from every row before anything is multiplied.

Any shift gives the same covariance after a rank-one correction; a good one keeps the correction
small, so that one pass loses no digits. It comes from a sample of rows, rounded to the data's own
precision so that the subtraction is exact where it matters.

A shift costs a copy of every block in every pass. Correcting the product instead loses about
(mean / deviation)^2 roundings, so float64 products of all but small tables up to a hundred
deviations from the origin (float32: two or three) are only corrected: of the accuracy asked for
nothing is lost (`tests/table/test_shift.py`).
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import peek_rows

__all__ = ["centering_verdict", "provisional_shift", "sampled_rows"]

SAMPLE_ROWS = 256
SAMPLE_BYTES = 4 << 20
# By bytes of a number: the relative error of products with their drift; how much smaller than the
# variance of a column an eigenvalue may be.
LOSSES = {8: (2.0**-42, 1e3), 4: (2.0**-17, 20.0)}
MOST_HAZARD = 1e4  # a hundred deviations
SMALL_TABLE_BYTES = 1 << 20
SURE_ERRORS = 6  # standard errors of a mean that chance does not reach


def rows_to_sample(columns: int) -> int:
    """Enough rows to see where the data lie, without a noticeable copy of very wide ones."""
    return min(SAMPLE_ROWS, max(16, SAMPLE_BYTES // (8 * columns)))


def sampled_rows(source: Source, weights: Float64Array | None) -> Float64Array:
    """Rows to see where the data lie; those with weights as often as they weigh."""
    count = rows_to_sample(source.shape[1])
    if weights is None:
        return peek_rows(source, count)
    # Evenly spaced along the sum of the weights: a row of half the weight is half the sample, and
    # one of no weight is not in it.
    total = np.cumsum(weights / weights.max())
    places = (np.arange(count) + 0.5) / count * total[-1]
    rows, times = np.unique(np.searchsorted(total, places), return_counts=True)
    sample = np.asarray(source.sample(rows), dtype=np.float64)
    return np.repeat(sample, times, axis=0)


def hazard_allowed(accuracy: float, source: Source) -> float:
    """How large (mean / deviation)^2 may be where products are only corrected for the mean.

    The loss stays a thousandth (in float32, where products can be made again in float64, a
    twentieth) of the relative error that rounding may take: eigenvalues asked for may be as much
    smaller than the variances of single columns.
    """
    if source.stored_bytes <= SMALL_TABLE_BYTES:
        return 1.0  # a small table is copied in no time
    relative, smaller = LOSSES[source.dtype.itemsize]
    return min(max(accuracy / (relative * smaller), 1.0), MOST_HAZARD)


def provisional_shift(
    sample: Float64Array, source: Source, accuracy: float = 0.0
) -> Float64Array | None:
    """None where no mean is clearly larger than the spread: a bit or two are lost without a shift.

    `accuracy`: the relative error of eigenvalues that may be left to rounding; 0: as little as can.
    Clearly, for the mean of a few rows is not zero: of 20 000 centered columns some seem to lie
    five deviations away in a sample of 26, and a shift needs a copy of every block.
    """
    # In parts of the largest of a column: squares of very large and small numbers have no floats.
    lowest, highest = sample.min(axis=0), sample.max(axis=0)
    largest = np.maximum(np.abs(lowest), np.abs(highest))
    parts = sample / np.where(largest > 0, largest, 1.0)
    mean = parts.mean(axis=0)
    parts -= mean  # in place: the sample of a wide table is not small beside it
    spread: Float64Array = np.einsum("ij,ij->j", parts, parts) / len(parts)
    chance = SURE_ERRORS / np.sqrt(len(sample)) if len(sample) < source.shape[0] else 0.0
    allowed = max((1 + chance) ** 2, hazard_allowed(accuracy, source))
    if not np.isfinite(mean).all() or np.all(mean**2 <= allowed * spread):
        return None
    # A column that looks constant is shifted by its exact value, so that it becomes exactly zero.
    shift = np.where(lowest == highest, sample[0], mean * largest)
    rounded: Float64Array = shift.astype(source.dtype).astype(np.float64)
    return rounded


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
