"""Numbers of a sparse block: in units of its columns, and summed about a shift t.

With the zeros that are not stored, sums are those over the stored entries and t^2 times the weight
of the rows without an entry.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.sparse import transpose_view, wrap_values

__all__ = ["keep_largest", "sums_about"]


def keep_largest(largest: Float64Array, block: Any) -> None:
    """Raise the largest magnitudes of the columns, in place, to those of a csr block."""
    np.maximum.at(largest, block.indices, np.abs(block.data).astype(np.float64))


def sums_about(shift: Float64Array, block: Any, heavy: Float64Array) -> Float64Array:
    """Sums and sums of squares of all numbers less the shift, stored or not."""
    steps = block.data - shift[block.indices]
    stored, first, second = (
        transpose_view(wrap_values(block, values)) @ heavy
        for values in (np.ones_like(steps), steps, np.square(steps))
    )
    absent = float(heavy.sum()) - stored
    return np.stack([first - shift * absent, second + shift**2 * absent])
