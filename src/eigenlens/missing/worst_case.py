"""The worst case: what no value in the holes could change, if it lies in its column's range.

In a hole the completed table has x^, and any value between the column's smallest and largest lies
within t = max(x^ - low, high - x^) of it. So any completion differs by a matrix bounded entrywise
by T, and with the spectral norm of T

    singular values move by at most |T|         (Weyl)
    sin(angle) <= |T| / (s_k - s_(k+1) - |T|)   (Wedin)

Centering only shrinks the difference. |T|^2 <= max_j (T'T v)_j / v_j for any positive v
(Collatz, Wielandt), so a few power steps give a bound that holds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.completer import Completer
from eigenlens.missing.observed import CellReader, cell_blocks

__all__ = ["WorstCase", "find_worst_case"]

MOST_HOLES = 200_000
POWER_STEPS = 30
LIFT = 1e-9  # of the largest entry: keeps the vector positive
ROUNDINGS = 1 + 1e-12


@dataclass(frozen=True)
class WorstCase:
    """`norm` bounds how far any completion lies from ours, in the units that were asked for."""

    norm: float

    def angle(self, above: float, below: float) -> float:
        """Bound on the sine, for singular values that are at least `above` and at most `below`."""
        gap = above - below - self.norm
        return min(1.0, self.norm / gap) if gap > 0 else 1.0


def find_worst_case(
    reader: CellReader, completer: Completer, scale: Float64Array
) -> WorstCase | None:
    """One pass; None where there are so many holes that nothing would be said anyway.

    `scale`: the units to measure in, one per column.
    """
    observed = reader.observed
    if observed.holes > MOST_HOLES or not observed.holes:
        return None
    rows, columns, reach = [], [], []
    first_row = 0
    for cells in cell_blocks(reader.source):
        holes = np.isnan(cells) & ~np.isnan(cells).all(axis=1, keepdims=True)
        where, column = np.nonzero(holes)
        filled = completer.complete(cells).rows[where, column]
        most = np.maximum(observed.high[column] - filled, filled - observed.low[column])
        heavy = 1.0 if reader.weights is None else np.sqrt(reader.weights[first_row + where])
        rows.append(first_row + where)
        columns.append(column)
        reach.append(np.maximum(most, 0.0) / scale[column] * heavy)
        first_row += len(cells)
    shape = reader.source.shape
    return WorstCase(
        norm_bound(np.concatenate(rows), np.concatenate(columns), np.concatenate(reach), shape)
    )


def norm_bound(
    rows: np.ndarray, columns: np.ndarray, entries: Float64Array, shape: tuple[int, int]
) -> float:
    """An upper bound on the spectral norm of a matrix with non-negative entries."""
    from scipy.sparse import csr_array

    matrix = csr_array((entries, (rows, columns)), shape=shape)
    vector, best = np.ones(shape[1]), np.inf
    for _ in range(POWER_STEPS):
        image = matrix.T @ (matrix @ vector)
        best = min(best, float((image / vector).max(initial=0.0)))
        largest = image.max(initial=0.0)
        if largest <= 0:
            return 0.0
        vector = image / largest + LIFT
    return float(np.sqrt(best)) * ROUNDINGS
