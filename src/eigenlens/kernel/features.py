"""Features: what landmarks see of a point, exactly.

    phi(x) = L^-1 k(S, x),   LL' = k(S, S)          phi(x)'phi(y) is k(x, y) as seen from S
    k(x, x) - |phi(x)|^2                            the squared distance of x to what S spans

The factor is found with pivoting: landmarks that the others see entirely are dropped, so that no
triangular solve divides by rounding.

Cost     m^2 flops for a point, in blocks of landmarks; numpy's products only, so that other threads
         can work meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.kernel.matrix import refuse_asymmetric_matrix
from eigenlens.kernel.pivots import PIVOT_FLOOR
from eigenlens.kernel.points import Points
from eigenlens.kernel.protocol import Kernel, KernelValues

__all__ = ["Landmarks", "landmarks_of"]

BLOCK = 128  # landmarks solved for at a time


@dataclass(frozen=True, eq=False)
class Landmarks:
    """`points` S (m rows), and `lower` L, the factor of their kernel matrix."""

    kernel: Kernel
    points: Points
    lower: Float64Array

    def __len__(self) -> int:
        return len(self.points)

    @cached_property
    def see(self) -> KernelValues:
        return self.kernel.against(self.points)

    @cached_property
    def inverses(self) -> list[Float64Array]:
        """Of the blocks on the diagonal, transposed."""
        blocks = (slice(start, start + BLOCK) for start in range(0, len(self), BLOCK))
        return [np.asarray(np.linalg.inv(self.lower[part, part]).T) for part in blocks]

    def features(self, points: Points) -> Float64Array:
        """phi of every point, (r, m)."""
        return self.solved(self.see(points))

    def solved(self, values: Float64Array) -> Float64Array:
        """Rows L^-1 v, in place of the rows v."""
        for inverse, start in zip(self.inverses, range(0, len(self), BLOCK), strict=True):
            stop = start + len(inverse)
            part = values[:, start:stop]
            if start:
                part -= values[:, :start] @ self.lower[start:stop, :start].T
            values[:, start:stop] = part @ inverse
        return values

    def unsolved(self, directions: Float64Array) -> Float64Array:
        """L^-T U for directions U (m, k): what kernel values are to be multiplied by."""
        from scipy.linalg import solve_triangular

        found: Float64Array = solve_triangular(self.lower, directions, lower=True, trans="T")
        return found

    def reach(self, second_moment: Float64Array) -> float:
        """The sum over points of |c|^2, where c = L^-T phi combines landmarks to what is seen.

        `second_moment` is the sum of phi phi' over the points.
        """
        return float(np.trace(self.unsolved(self.unsolved(second_moment).T)))


def landmarks_of(kernel: Kernel, points: Points) -> Landmarks:
    """The landmarks among `points`, without those that add nothing to the others."""
    from scipy.linalg.lapack import dpstrf

    gram = kernel.against(points)(points)
    if not kernel.is_psd:
        refuse_asymmetric_matrix(gram, points.numbers)
    np.fill_diagonal(gram, kernel.diagonal(points))
    floor = PIVOT_FLOOR * float(gram.diagonal().max(initial=0.0))
    lower, order, rank, _ = dpstrf(gram, tol=floor, lower=1)
    kept: IntArray = order[:rank] - 1
    return Landmarks(kernel, points.part(kept), np.tril(lower)[:rank, :rank].copy(order="C"))
