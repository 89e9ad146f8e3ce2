"""The provisional shift: a vector to subtract from every row before anything is multiplied.

Any shift gives the same covariance after a rank-one correction; a good one keeps the correction
small, so that one pass loses no digits. It comes from a sample of rows, rounded to the data's own
precision so that the subtraction is exact where it matters.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.sources.protocol import Source

__all__ = ["centering", "provisional_shift", "rows_to_sample"]

SAMPLE_ROWS = 256
SAMPLE_BYTES = 4 << 20
SURE_ERRORS = 6  # standard errors of a mean that chance does not reach


def rows_to_sample(columns: int) -> int:
    """Enough rows to see where the data lie, without a noticeable copy of very wide ones."""
    return min(SAMPLE_ROWS, max(16, SAMPLE_BYTES // (8 * columns)))


def provisional_shift(sample: Float64Array, source: Source) -> Float64Array | None:
    """None where no mean is clearly larger than the spread: a bit or two are lost without a shift.

    Clearly, for the mean of a few rows is not zero: of 20 000 centered columns some seem to lie
    five deviations away in a sample of 26, and a shift needs a copy of every block.
    """
    mean = sample.mean(axis=0)
    spread = np.square(sample - mean).mean(axis=0)
    chance = SURE_ERRORS / np.sqrt(len(sample)) if len(sample) < source.shape[0] else 0.0
    if not np.isfinite(mean).all() or np.all(mean**2 <= (1 + chance) ** 2 * spread):
        return None
    # A column that looks constant is shifted by its exact value, so that it becomes exactly zero.
    shift = np.where(np.ptp(sample, axis=0) == 0, sample[0], mean)
    rounded: Float64Array = shift.astype(source.dtype).astype(np.float64)
    return rounded


def centering(shift: Float64Array | None) -> Verdict:
    """How the mean was taken out, and why so."""
    if shift is None:
        reason = "no mean clearly exceeds its column's spread, so rows were multiplied as they are"
        return Verdict("corrected", "sample", reason)
    reason = "a mean clearly exceeds its column's spread, so rows were shifted first"
    return Verdict("shifted", "sample", reason)
