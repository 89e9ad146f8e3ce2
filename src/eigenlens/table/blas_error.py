"""Drift: by how many roundings float32 sums of this machine's BLAS are off when all go one way.

A sum of m equal numbers in one accumulator drifts by about m / 4 roundings; a BLAS breaks long sums
up, each in its own way. So it is tried: Gram matrices of constant columns, whose entries are known,
of the shape that will be computed.
"""

from __future__ import annotations

from functools import cache

import numpy as np

__all__ = ["measure_gram_error"]

TRIES = 2
MOST_COLUMNS = 128  # wider products are broken up alike
MARGIN = 1.05  # over the worst of thousands of sums, which differ by a hundredth from try to try
LEAST = 64.0  # however few the rows: shifts, weights and the mean are rounded as well
UNIT = 2.0**-24


@cache
def measure_gram_error(rows: int, columns: int) -> float:
    """Half the worst relative error of an entry of B'B, in roundings, with a margin.

    Half, for the allowance made of it counts two products.
    """
    rng = np.random.default_rng(0)
    worst = LEAST
    for _ in range(TRIES):
        values = rng.uniform(1, 2, min(columns, MOST_COLUMNS)).astype(np.float32)
        block = np.tile(values, (rows, 1))
        exact = rows * np.outer(*2 * [values.astype(np.float64)])
        worst = max(worst, float((np.abs(block.T @ block - exact) / exact).max()) / UNIT)
    return MARGIN * worst / 2
