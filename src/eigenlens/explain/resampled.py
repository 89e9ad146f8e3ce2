"""Second moments of many bootstrap samples, in one pass over the rows.

    S_b = sum_i c_bi w_i x_i x_i' ,     c_b multinomial: how often each row was drawn

Counts are drawn block by block: first how many of a draw's rows fall into the block (binomial),
then which ones (multinomial), which together is the multinomial of all rows.

Cost   O(draws n d^2) in products of matrices; draws d^2 numbers are held, at most HELD_BYTES at
       once: further draws take further passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["ResampledMoments", "resample_moments"]

HELD_BYTES = 128 << 20

Blocks = Callable[[], Iterator[Float64Array]]


@dataclass(frozen=True)
class ResampledMoments:
    """`weight` (b,), `mean` (b, d) and `moments` (b, d, d) about the origin, over the weight."""

    weight: Float64Array
    mean: Float64Array
    moments: Float64Array


def resample_moments(
    blocks: Blocks,
    weights: Float64Array,
    columns: int,
    draws: int,
    rng: np.random.Generator,
) -> Iterator[ResampledMoments]:
    """`draws` samples in all, a few at a time; `weights`: one per row."""
    at_once = max(1, HELD_BYTES // (16 * columns**2))
    for start in range(0, draws, at_once):
        yield resample_some(blocks, weights, columns, min(at_once, draws - start), rng)


def resample_some(
    blocks: Blocks, weights: Float64Array, columns: int, draws: int, rng: np.random.Generator
) -> ResampledMoments:
    upper = np.triu_indices(columns)
    weight, mean = np.zeros(draws), np.zeros((draws, columns))
    products = np.zeros((draws, len(upper[0])))
    to_draw, seen = np.full(draws, len(weights)), 0
    for block in blocks():
        here = weights[seen : seen + len(block)]
        counts = draw_row_counts(to_draw, len(block), len(weights) - seen, rng)
        seen += len(block)
        to_draw = to_draw - counts.sum(axis=1)
        heavy = counts * here
        weight += heavy.sum(axis=1)
        mean += heavy @ block
        products += heavy @ (block[:, upper[0]] * block[:, upper[1]])
    moments = np.empty((draws, columns, columns))
    moments[:, upper[0], upper[1]] = moments[:, upper[1], upper[0]] = products / weight[:, None]
    return ResampledMoments(weight, mean / weight[:, None], moments)


def draw_row_counts(
    to_draw: np.ndarray[tuple[int], np.dtype[np.int64]],
    rows: int,
    rows_left: int,
    rng: np.random.Generator,
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """How often each of the next `rows` rows is drawn, for every sample."""
    here = rng.binomial(to_draw, rows / rows_left)
    places = rng.integers(rows, size=int(here.sum()))
    sample = np.repeat(np.arange(len(here)), here)
    flat = np.bincount(sample * rows + places, minlength=len(here) * rows)
    return flat.reshape(len(here), rows)
