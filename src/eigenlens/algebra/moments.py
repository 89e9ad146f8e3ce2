"""Weight, mean and scatter of a set of rows, and the exact moments of a union.

    mean of a union     m = m_a + (m_b - m_a) w_b / (w_a + w_b)
    scatter of a union  S = S_a + S_b + (m_b - m_a)(m_b - m_a)' w_a w_b / (w_a + w_b)

No subtraction of large numbers, but of the means, which are kept with their `tail`: the update
holds at any distance from the origin.
Source   Chan, Golub and LeVeque 1983.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.two_sum import sum_with_tail
from eigenlens.algebra.typing import Float64Array

__all__ = ["Moments"]


@dataclass(frozen=True)
class Moments:
    """`squares` holds the scatter's diagonal, `scatter` the whole matrix where it is known.

    `tail` is what the rounded mean lacks: far from the origin, two means differ by less than their
    last digit. None: nobody has kept it.
    """

    weight: float
    mean: Float64Array
    squares: Float64Array
    scatter: Float64Array | None = None
    tail: Float64Array | None = None

    def step_to(self, other: Moments) -> Float64Array:
        """From this mean to the other's."""
        step: Float64Array = other.mean - self.mean
        return step + (other.known_tail - self.known_tail)

    @property
    def known_tail(self) -> Float64Array:
        return np.zeros_like(self.mean) if self.tail is None else self.tail

    def union(self, other: Moments) -> Moments:
        """The moments of both sets of rows together."""
        weight = self.weight + other.weight
        step = self.step_to(other)
        share = self.weight * other.weight / weight if weight > 0 else 0.0
        scatter = None
        if self.scatter is not None and other.scatter is not None:
            scatter = self.scatter + other.scatter + share * np.outer(step, step)
        moved = step * (other.weight / weight if weight > 0 else 0.0)
        mean, tail = sum_with_tail([self.mean, self.known_tail, moved])
        kept = self.tail is not None and other.tail is not None
        return Moments(
            weight,
            mean,
            self.squares + other.squares + share * step**2,
            scatter,
            tail if kept else None,
        )

    def second_moment(self, centered: bool) -> Float64Array:
        """The scatter about the mean, or about the origin."""
        if self.scatter is None:
            raise RuntimeError("these moments were kept without their scatter matrix")
        if centered or not self.mean.any():
            return self.scatter
        return self.scatter + self.weight * np.outer(self.mean, self.mean)
