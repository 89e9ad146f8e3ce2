"""Few columns at a time: multiplied one by one where BLAS and scipy would take longer for a block.

OpenBLAS copies a matrix for a product with a block, and not for one with a column; scipy keeps the
sum of a single column in a register. Up to four dense columns are done sooner one after the other,
and two of sparse rows.

    float32, 700 x 765     2 columns: 0.14 ms apart, 0.24 ms together;  8: 0.46 and 0.38 ms
    sparse, 3.8e6 entries  2 columns: 11 ms apart, 18 ms together;      16: 86 and 32 ms
    sparse, 1.6e5 entries  2 columns: 0.33 and 0.56 ms;                 4: 0.68 and 0.61 ms
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.sources.block import spans

__all__ = ["COLUMNS_APART", "SPARSE_APART", "add_gram_product", "multiply_sparse"]

COLUMNS_APART, SPARSE_APART = 4, 2
SINGLE_RUN = 512  # rows: equal float32 numbers then drift by no more than 30 roundings


def multiply_sparse(matrix: Any, vectors: Float64Array) -> Float64Array:
    """matrix @ vectors."""
    if not 1 < vectors.shape[1] <= SPARSE_APART:
        together: Float64Array = matrix @ vectors
        return together
    product = np.empty((matrix.shape[0], vectors.shape[1]))
    for number, column in enumerate(np.ascontiguousarray(vectors.T)):
        product[:, number] = matrix @ column
    return product


def add_gram_product(
    total: Float64Array,
    block: FloatArray,
    vectors: FloatArray,
    weights: Float64Array | None,
    in_cache: bool,
) -> None:
    """total += (B' W B V)', for a block of dense rows that is `in_cache` or not."""
    if in_cache and 1 < len(total) <= COLUMNS_APART:
        for row, vector in zip(total, vectors.T, strict=True):
            scores = block @ vector
            if weights is not None:
                scores *= weights
            row += scores @ block
        return
    if len(total) == 1 and block.dtype.itemsize == 4:
        # A product with a single column adds term by term: long float32 sums would drift.
        for part in spans(len(block), SINGLE_RUN, "rows"):
            scores = block[part] @ vectors
            if weights is not None:
                scores *= weights[part, None]
            total += scores.T @ block[part]
        return
    scores = block @ vectors
    if weights is not None:
        scores *= weights[:, None]
    # scores.T @ block, not block.T @ scores: a third faster in OpenBLAS for thin blocks.
    total += scores.T @ block
