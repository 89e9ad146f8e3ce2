"""Decay: how fast eigenvalues fall, guessed from a few rows, to tell how many passes Krylov takes.

    r = (tr C)^2 / tr C^2             how many eigenvalues share the variance, in effect
    i^-a, i = 1 ... p                 the power law that has the same r

Both traces have unbiased estimates from the inner products of any rows, however few: lengths for
the first, products of different rows for the second. A guess for a prediction; nothing is proven.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import peek_rows, traits_of

__all__ = ["MIDDLING_DECAY", "guess_decay", "sum_powers"]

MIDDLING_DECAY = 0.5
LEAST_DECAY, MOST_DECAY = 0.25, 3.0  # flatter ones take hardly more passes
SAMPLE_ROWS = 128
WORTH_BYTES = 8 << 20  # smaller tables are done before it pays to look
MOST_TERMS = 4000
BISECTIONS = 12


def guess_decay(source: Source) -> float:
    """The exponent a; a middling one where looking would cost more than it could save."""
    traits = traits_of(source)
    reading = (traits.is_stored and not traits.in_place) or traits.remote
    if source.is_sparse or reading or source.stored_bytes < WORTH_BYTES:
        return MIDDLING_DECAY
    with np.errstate(over="ignore", invalid="ignore"):
        rank = effective_rank(peek_rows(source, SAMPLE_ROWS))
    return decay_of_rank(rank, min(source.shape)) if np.isfinite(rank) else MIDDLING_DECAY


def effective_rank(sample: Float64Array) -> float:
    """(tr C)^2 / tr C^2 from a sample of rows; NaN where it says nothing."""
    count = len(sample)
    sample = sample - sample.mean(axis=0)
    products = sample @ sample.T
    trace = float(np.trace(products)) / (count - 1)
    pairs = float(np.square(products).sum() - np.square(np.diag(products)).sum())
    # Centered rows have inner products of -tr C / count on average, whatever C is.
    squares = pairs / (count * (count - 1)) - (trace / count) ** 2
    return trace**2 / squares if squares > 0 else np.nan


def decay_of_rank(rank: float, size: int) -> float:
    """By bisection: the faster the fall, the smaller the effective rank."""
    logs = np.log(np.arange(1, min(size, MOST_TERMS) + 1))
    slow, fast = LEAST_DECAY, MOST_DECAY
    for _ in range(BISECTIONS):
        middle = (slow + fast) / 2
        weights = np.exp(-middle * logs)
        if weights.sum() ** 2 > rank * np.square(weights).sum():
            slow = middle
        else:
            fast = middle
    return (slow + fast) / 2


def sum_powers(decay: float, size: int) -> float:
    """1 + 2^-a + ... + p^-a."""
    return float((np.arange(1, min(size, MOST_TERMS) + 1.0) ** -decay).sum())
