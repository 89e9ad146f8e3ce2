"""Weight, mean and scatter of a set of rows, and the exact moments of a union.

    mean of a union     m = m_a + (m_b - m_a) w_b / (w_a + w_b)
    scatter of a union  S = S_a + S_b + (m_b - m_a)(m_b - m_a)' w_a w_b / (w_a + w_b)

No subtraction of large numbers: the update holds at any distance from the origin.
Source   Chan, Golub and LeVeque 1983.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["Moments"]


@dataclass(frozen=True)
class Moments:
    """`squares` holds the scatter's diagonal, `scatter` the whole matrix where it is known."""

    weight: float
    mean: Float64Array
    squares: Float64Array
    scatter: Float64Array | None = None

    def union(self, other: Moments) -> Moments:
        """The moments of both sets of rows together."""
        weight = self.weight + other.weight
        step = other.mean - self.mean
        share = self.weight * other.weight / weight if weight > 0 else 0.0
        scatter = None
        if self.scatter is not None and other.scatter is not None:
            scatter = self.scatter + other.scatter + share * np.outer(step, step)
        return Moments(
            weight,
            self.mean + step * (other.weight / weight if weight > 0 else 0.0),
            self.squares + other.squares + share * step**2,
            scatter,
        )

    def second_moment(self, centered: bool) -> Float64Array:
        """The scatter about the mean, or about the origin."""
        if self.scatter is None:
            raise RuntimeError("these moments were kept without their scatter matrix")
        if centered or not self.mean.any():
            return self.scatter
        return self.scatter + self.weight * np.outer(self.mean, self.mean)
