"""The triangle of a tall matrix that arrives in blocks: R with R'R = sum of B_b'B_b.

    R <- triangle of [R; B_b]      (TSQR, sequential)

Singular values of R are those of the stacked blocks to eps * the largest: nothing is squared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray

__all__ = ["triangle_of"]


def triangle_of(blocks: Iterable[FloatArray]) -> Float64Array:
    """The (p, p) triangle; short stacks are padded with zero rows. Always float64."""
    triangle: Float64Array | None = None
    waiting: list[Float64Array] = []
    for block in blocks:
        waiting.append(block.astype(np.float64))
        # Stack several thin blocks first: a factorization costs p^3 whatever it adds.
        if sum(map(len, waiting)) >= 2 * block.shape[1]:
            triangle, waiting = fold_blocks(triangle, waiting), []
    if waiting or triangle is None:
        triangle = fold_blocks(triangle, waiting)
    missing = triangle.shape[1] - len(triangle)
    return triangle if missing <= 0 else np.pad(triangle, ((0, missing), (0, 0)))


def fold_blocks(triangle: Float64Array | None, blocks: list[Float64Array]) -> Float64Array:
    parts = blocks if triangle is None else [triangle, *blocks]
    factor: Any = np.linalg.qr(np.concatenate(parts), mode="r")  # numpy's types miss mode="r"
    return np.asarray(factor, dtype=np.float64)
