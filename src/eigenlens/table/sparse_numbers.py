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


def keep_largest(largest: Float64Array, block: Any) -> None:
    """Raise the largest magnitudes of the columns, in place, to those of a csr block."""
    np.maximum.at(largest, block.indices, np.abs(block.data).astype(np.float64))


def sums_about(shift: Float64Array, block: Any, heavy: Float64Array) -> Float64Array:
    """Sums and sums of squares of all numbers less the shift, stored or not."""
    total = np.zeros((3, len(shift)))
    # A few rows at a time, whose numbers stay in cache: fresh memory would cost more than the sums.
    rows_at_once = max(1, ENTRIES_AT_ONCE * block.shape[0] // max(1, block.nnz))
    for rows in spans(block.shape[0], rows_at_once, "rows"):
        part = major_view(block, rows)
        steps = part.data - shift.take(part.indices)
        for sums, values in zip(total, (np.ones_like(steps), steps, np.square(steps)), strict=True):
            sums += transpose_view(wrap_values(part, values)) @ heavy[rows]
    stored, first, second = total
    absent = float(heavy.sum()) - stored
    return np.stack([first - shift * absent, second + shift**2 * absent])
