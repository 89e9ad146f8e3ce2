"""What a normal law is shrunk toward where the observed cells say little: rows that are made up.

    penalty  nu { log|S| + tr T S^-1 }        next covariance  (n S + nu T) / (n + nu)

The prior counts as `rows` nu of covariance T. Independent columns, T = I, suit any table. Where a
few factors explain most of it, independent columns would hide them, and T = W W' + diag(p) keeps
them instead. Any mean of the two will do: some rows of either kind.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.normal import Normal

__all__ = ["Prior"]


@dataclass(frozen=True)
class Prior:
    """`covariance` is T; None: the identity, independent columns in their units."""

    rows: float
    covariance: Float64Array | None = None

    @classmethod
    def toward(cls, rows: float, factors: Float64Array, share: float) -> Prior:
        """`share` of the rows have the covariance of `factors`, the others independent columns."""
        return cls(rows, share * factors + (1.0 - share) * np.eye(len(factors)))

    def penalize(self, normal: Normal) -> float:
        """Minus twice the logarithm of its density, without constants."""
        if self.covariance is None:
            trace = float(np.trace(normal.precision))
        else:
            trace = float(np.sum(self.covariance * normal.precision))
        return self.rows * (normal.log_determinant + trace)

    def add_to(self, scatter: Float64Array, weight: float) -> Float64Array:
        """The covariance that follows from a scatter matrix of so many rows and the prior."""
        whole = scatter.copy()
        if self.covariance is None:
            whole[np.diag_indices_from(whole)] += self.rows
        else:
            whole += self.rows * self.covariance
        whole /= weight + self.rows
        return (whole + whole.T) / 2
