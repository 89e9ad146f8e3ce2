"""evidence: what the findings rest on, read from the rows once: scores, distances, plain counts.

zeros            share of the cells that are 0
whole, low, high per column: whether it holds whole numbers only, and its ends
neighbors        per component: the correlation of a row's score with the next row's
Cost             two passes; scores and distances are held, the rows are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.explain.distances import distance_blocks
from eigenlens.explain.model_rows import variable_names
from eigenlens.model.rows import require_finite
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = ["Evidence", "Finding", "neighbor_correlations", "read_evidence"]

BLOCK_BYTES = 4 << 20


@dataclass(frozen=True)
class Finding:
    """A sentence with what it is about: components (from 1), labels of rows, names of columns.

    `number`: what the sentence rests on.
    """

    topic: str
    sentence: str
    number: float
    components: tuple[int, ...] = ()
    rows: tuple[Any, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Evidence:
    """A model, its rows by label and weight, and what was read of them."""

    model: Subspace
    source: Source
    labels: Sequence[Any]
    weights: Float64Array
    scores: Float64Array
    extremes: Float64Array
    distances: Float64Array
    zeros: float
    whole: np.ndarray[Any, np.dtype[np.bool_]]
    low: Float64Array
    high: Float64Array
    one_way: Float64Array

    @property
    def names(self) -> list[str]:
        return variable_names(self.model)

    @property
    def neighbors(self) -> Float64Array:
        """Correlations of scores with those of the next row; 0 where there is no spread."""
        return neighbor_correlations(self.scores)


def read_evidence(
    model: Subspace, source: Source, labels: Sequence[Any], weights: Float64Array
) -> Evidence:
    scores = np.empty((source.shape[0], model.n_components))
    extremes, distances = np.empty((2, source.shape[0]))
    for block in distance_blocks(model, source):
        scores[block.span] = block.scores
        extremes[block.span], distances[block.span] = block.extremes, block.distances
    for found in (scores, extremes, distances):
        require_finite(found, model, source)
    return Evidence(
        model, source, labels, weights, scores, extremes, distances, *plain_counts(source)
    )


def neighbor_correlations(scores: Float64Array) -> Float64Array:
    centered = scores - scores.mean(axis=0)
    squares = np.square(centered).sum(axis=0)
    products = (centered[1:] * centered[:-1]).sum(axis=0)
    return np.asarray(products / np.where(squares > 0, squares, 1.0))


def plain_counts(source: Source) -> tuple[float, Any, Float64Array, Float64Array, Float64Array]:
    """Zeros, whole columns and their ends, of the numbers as they came; and the share of steps
    from row to row that go one way or stay, the more frequent one: 1 in sorted columns.
    """
    n, d = source.shape
    zeros, whole = 0, np.ones(d, dtype=bool)
    low, high = np.full(d, np.inf), np.full(d, -np.inf)
    steps, before = np.zeros((2, d)), None
    for block in source.blocks(max(1, BLOCK_BYTES // (8 * d))):
        dense = block.toarray() if source.is_sparse else block
        zeros += int((dense == 0).sum())
        whole &= (dense == np.floor(dense)).all(axis=0)
        low, high = np.minimum(low, dense.min(axis=0)), np.maximum(high, dense.max(axis=0))
        both = dense if before is None else np.vstack([before, dense])
        steps += (both[1:] >= both[:-1]).sum(axis=0), (both[1:] <= both[:-1]).sum(axis=0)
        before = dense[-1:]
    return zeros / (n * d), whole, low, high, steps.max(axis=0) / max(n - 1, 1)
