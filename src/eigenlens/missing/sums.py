"""Expected sums: one pass over the rows, the holes at what a normal law expects of them.

    first    sum w E[x - m | observed]                 second   sum w E[(x - m)(x - m)' | observed]

The conditional covariance of the holes is part of the second sum, so no variance is lost. From them
follow the covariance matrix expected given the observed cells,

    S = second / n - f f',  f = first / n

and the next step of EM under a prior (`prior.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.law import Law
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellBlock, CellReader
from eigenlens.missing.prior import Prior

__all__ = ["ExpectedSums", "sum_mean_filled", "sum_over"]


@dataclass
class ExpectedSums:
    """Sums over rows: of deviations, their products in completed rows, and the holes' covariances.

    `deviance` is sum w (log|S_OO| + r_O' S_OO^-1 r_O): minus twice the log-likelihood.
    """

    weight: float
    first: Float64Array
    completed: Float64Array
    spread: Float64Array
    deviance: float
    deviance_size: float  # the same with the magnitudes of its terms, for the rounding of their sum

    @property
    def second(self) -> Float64Array:
        return self.completed + self.spread

    @property
    def shift(self) -> Float64Array:
        return self.first / self.weight

    @property
    def covariance(self) -> Float64Array:
        """The expected covariance matrix, divisor n."""
        shift = self.shift
        return self.second / self.weight - np.outer(shift, shift)

    def log_likelihood(self, normal: Normal, prior: Prior) -> float:
        """Of the observed cells, penalized by the prior; without the terms in 2 pi."""
        return -0.5 * (self.deviance + prior.penalize(normal))

    def next_normal(self, normal: Normal, prior: Prior) -> Normal:
        covariance = prior.add_to(self.weight * self.covariance, self.weight)
        return Normal(normal.mean + self.shift, covariance)

    def __add__(self, other: ExpectedSums) -> ExpectedSums:
        return ExpectedSums(
            self.weight + other.weight,
            self.first + other.first,
            self.completed + other.completed,
            self.spread + other.spread,
            self.deviance + other.deviance,
            self.deviance_size + other.deviance_size,
        )


def sum_over(law: Law, reader: CellReader) -> ExpectedSums:
    """One pass over all rows."""
    return reader.sum_blocks(ExpectedSums, partial(sum_block, law))


@dataclass(frozen=True)
class SecondMoments:
    """Of a table with every hole at the mean of its column, in the units of the engine."""

    weight: float
    scatter: Float64Array

    def __add__(self, other: SecondMoments) -> SecondMoments:
        return SecondMoments(self.weight + other.weight, self.scatter + other.scatter)


def sum_mean_filled(reader: CellReader) -> SecondMoments:
    """One pass over all rows."""
    return reader.sum_blocks(SecondMoments, sum_block_mean_filled)


def sum_block_mean_filled(block: CellBlock) -> SecondMoments:
    values = block.values
    if block.precisions is not None:
        values = values * np.minimum(block.precisions, 1.0)  # nearer the mean if less precise
    heavy = values if block.weights is None else values * block.weights[:, None]
    weight = len(values) if block.weights is None else block.weights.sum()
    return SecondMoments(float(weight), values.T @ heavy)


def sum_block(law: Law, block: CellBlock) -> ExpectedSums:
    """The sums of one block."""
    weights = np.ones(len(block.values)) if block.weights is None else block.weights
    deviations = block.values - law.mean
    np.put(deviations, np.flatnonzero(block.holes), 0.0)
    found = law.complete(deviations, block.holes, weights)
    heavy = found.completed if block.weights is None else found.completed * weights[:, None]
    return ExpectedSums(
        weight=float(weights.sum()),
        first=heavy.sum(axis=0),
        completed=found.completed.T @ heavy,
        spread=found.spread,
        deviance=float(weights @ found.deviances),
        deviance_size=float(weights @ np.abs(found.deviances)),
    )
