"""Numbers of a sparse block: in units of its columns, and summed about a shift t.

With the zeros that are not stored, sums are those over the stored entries and t^2 times the weight
of the rows without an entry.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.block import spans
from eigenlens.sources.sparse import major_view, transpose_view, wrap_values

__all__ = ["keep_largest", "sums_about"]

ENTRIES_AT_ONCE = 1 << 18
FLOAT_DIGITS = 53


def keep_largest(largest: Float64Array, block: Any) -> None:
    """Raise the largest magnitudes of the columns, in place, to those of a csr block."""
    np.maximum.at(largest, block.indices, np.abs(block.data).astype(np.float64))


def sums_about(shift: Float64Array, block: Any, heavy: Float64Array) -> Float64Array:
    """Sums and sums of squares of all numbers less the shift, stored or not."""
    first, second, *stored = np.zeros((4, len(shift)))
    coarse = coarse_part(heavy)
    parts = (coarse, heavy - coarse)
    # A few rows at a time, whose numbers stay in cache: fresh memory would cost more than the sums.
    rows_at_once = max(1, ENTRIES_AT_ONCE * block.shape[0] // max(1, block.nnz))
    for rows in spans(block.shape[0], rows_at_once, "rows"):
        part = major_view(block, rows)
        steps = part.data - shift.take(part.indices)
        first += transpose_view(wrap_values(part, steps)) @ heavy[rows]
        second += transpose_view(wrap_values(part, np.square(steps))) @ heavy[rows]
        ones = transpose_view(wrap_values(part, np.ones_like(steps)))
        for sums, weights in zip(stored, parts, strict=True):
            if weights.any():
                sums += ones @ weights[rows]
    # The weight of the rows without an entry is exact: it is multiplied by the shift squared.
    absent = (parts[0].sum() - stored[0]) + (parts[1].sum() - stored[1])
    return np.stack([first - shift * absent, second + shift**2 * absent])


def coarse_part(weights: Float64Array) -> Float64Array:
    """Weights in multiples of so large a number that no sum of them is rounded."""
    whole = float(weights.sum())
    if not 0 < whole < np.inf:
        return weights
    grid = np.ldexp(1.0, int(np.frexp(whole)[1]) - FLOAT_DIGITS + 1)
    coarse: Float64Array = np.rint(weights / grid) * grid
    return coarse
