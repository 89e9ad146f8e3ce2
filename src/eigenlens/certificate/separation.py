"""Separation: how far single components, and the subspace they span, can be from the true ones.

    subspace   sin <= |R_k| / (t_k - ceiling_{k+1})                        (Davis and Kahan 1970)
    component  sin <= |r_i| / min(t_{i-1} - t_i, t_i - ceiling_{i+1})

Both need *proven* neighbors: lambda_{i-1} >= t_{i-1} always, and lambda_{i+1} <= ceiling_{i+1}.
The tempting t_{i+1} + |r_{i+1}| in place of the ceiling is false (test_false_gap).
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["component_sines", "find_clusters", "subspace_sine"]


def subspace_sine(value: float, ceiling_beyond: float, residual: float) -> float:
    """Bound on the sine of the largest principal angle between found and true subspace."""
    gap = value - ceiling_beyond
    return min(1.0, residual / gap) if gap > 0 else 1.0


def component_sines(
    values: Float64Array, ceilings: Float64Array, residuals: Float64Array, floors: Float64Array
) -> Float64Array:
    """Bound on the sine for each component; 1 where its neighbors cannot be told apart from it.

    `ceilings` has one entry more than `values`; `floors` are proven lower bounds.
    """
    above = np.append(np.inf, floors[:-1]) - values
    below = values - ceilings[1:]
    gaps = np.minimum(above, below)
    sines = np.divide(residuals, gaps, out=np.ones_like(values), where=gaps > 0)
    return np.minimum(sines, 1.0)


def find_clusters(sines: Float64Array, floors: Float64Array, ceilings: Float64Array) -> list[range]:
    """Runs of components about which only their common span can be stated.

    Neighbors belong together when their intervals overlap; a component that overlaps only what
    lies beyond the last one forms a run of its own.
    """
    runs: list[range] = []
    start = 0
    for index in range(len(sines)):
        if floors[index] > ceilings[index + 1]:  # a proven gap ends the run
            if index > start or sines[index] >= 1:
                runs.append(range(start, index + 1))
            start = index + 1
    if start < len(sines):
        runs.append(range(start, len(sines)))
    return runs
