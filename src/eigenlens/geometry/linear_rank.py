"""The linear side: scores of some rows, their numerical rank, and the floor it is counted above.

    rank    how many singular values exceed  floor = max(n, d) eps s[1]
    eps     of the type the rows are stored in: float32 rows are no better than that
    energy  how many components hold 95 % of the variance

The rank of the covariance is never below the intrinsic dimension; the energy rank may be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["LinearRank", "measure_linear_rank"]

ENERGY = 0.95


@dataclass(frozen=True, eq=False)
class LinearRank:
    scores: Float64Array  # (n, rank): the rows along their components, distances unchanged
    eigenvalues: Float64Array  # (rank,), variances along them
    floor: float  # variances below are rounding

    @property
    def rank(self) -> int:
        return len(self.eigenvalues)

    @property
    def energy_rank(self) -> int:
        held = np.cumsum(self.eigenvalues) / self.eigenvalues.sum()
        return int(np.searchsorted(held, ENERGY)) + 1


def measure_linear_rank(rows: Float64Array, dtype: np.dtype[Any]) -> LinearRank:
    """`rows` in the unit box; `dtype` is what they were stored in."""
    n = len(rows)
    left, lengths, _ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    floor = max(rows.shape) * float(np.finfo(dtype).eps) * float(lengths[0])
    rank = max(1, int(np.sum(lengths > floor)))
    scores: Float64Array = left[:, :rank] * lengths[:rank]
    return LinearRank(scores, lengths[:rank] ** 2 / (n - 1), floor**2 / (n - 1))
