"""A multivariate normal law, and what it says about the holes of a row given its observed cells.

With covariance S, precision P = S^-1, deviations r from the mean (0 in the holes) and g = P r:

    E[x_M - m_M | x_O] = -P_MM^-1 g_M          Cov(x_M | x_O) = P_MM^-1
    log|S_OO| = log|S| + log|P_MM|             r_O' S_OO^-1 r_O = r'g - g_M' P_MM^-1 g_M

The systems are as large as the holes, not as the observed cells. Where a row lacks more than half
of its cells, S_OO is the smaller matrix and is used instead.

Cost     2 d^2 per row, plus |M|^3 per pattern of holes.
Source   Little and Rubin, Statistical Analysis with Missing Data, section 11.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.law import Conditional, ExpectedBlock
from eigenlens.missing.patterns import PatternGroup, group_by_pattern
from eigenlens.missing.symmetric import invert, log_determinants

__all__ = ["Normal"]

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Normal:
    """N(mean, covariance); the covariance is positive definite."""

    mean: Float64Array
    covariance: Float64Array

    @cached_property
    def factor(self) -> Float64Array:
        return np.linalg.cholesky(self.covariance).astype(np.float64, copy=False)

    @cached_property
    def precision(self) -> Float64Array:
        inverse = invert(self.covariance)
        return (inverse + inverse.T) / 2

    @cached_property
    def log_determinant(self) -> float:
        return 2.0 * float(np.log(np.diag(self.factor)).sum())

    @cached_property
    def condition_number(self) -> float:
        return float(np.linalg.cond(self.covariance))

    def condition(self, deviations: Float64Array, holes: BoolArray) -> Iterator[Conditional]:
        """What is expected in the holes of every row that has some; `deviations` are 0 there."""
        weighted = deviations @ self.precision
        lengths = np.einsum("ij,ij->i", deviations, weighted)
        return self.condition_groups(deviations, holes, weighted, lengths)

    def condition_groups(
        self,
        deviations: Float64Array,
        holes: BoolArray,
        weighted: Float64Array,
        lengths: Float64Array,
    ) -> Iterator[Conditional]:
        """`weighted` is P r of every row, `lengths` r'P r."""
        for group in group_by_pattern(holes):
            if group.is_small:
                yield self.by_precision(group, weighted, lengths)
            else:
                yield self.by_covariance(group, deviations)

    def by_precision(
        self, group: PatternGroup, weighted: Float64Array, lengths: Float64Array
    ) -> Conditional:
        columns = group.columns
        blocks = self.precision[columns[:, :, None], columns[:, None, :]]
        covariance = invert(blocks)
        lacking = columns[group.member]
        pull = weighted[group.rows[:, None], lacking]
        expected = -times_member(covariance, group, pull)
        return Conditional(
            group.rows,
            lacking,
            expected,
            covariance,
            group.member,
            lengths[group.rows] + np.einsum("ij,ij->i", pull, expected),
            self.log_determinant + log_determinants(blocks),
        )

    def by_covariance(self, group: PatternGroup, deviations: Float64Array) -> Conditional:
        columns, observed = group.columns, group.observed
        among = self.covariance[observed[:, :, None], observed[:, None, :]]
        across = self.covariance[columns[:, :, None], observed[:, None, :]]
        inverse = invert(among)
        gain = across @ inverse
        covariance = self.covariance[columns[:, :, None], columns[:, None, :]]
        covariance = covariance - gain @ across.transpose(0, 2, 1)
        seen = deviations[group.rows[:, None], observed[group.member]]
        solved = times_member(inverse, group, seen)
        return Conditional(
            group.rows,
            columns[group.member],
            times_member(gain, group, seen),
            (covariance + covariance.transpose(0, 2, 1)) / 2,
            group.member,
            np.einsum("ij,ij->i", seen, solved),
            log_determinants(among),
        )

    def predict_holes(
        self, deviations: Float64Array, holes: BoolArray
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Expected deviations and variances of the holes, and the distances of their rows."""
        expected, variances = np.zeros((2, *holes.shape))
        distances = np.zeros(len(holes))
        for part in self.condition(deviations, holes):
            places = part.rows[:, None], part.columns
            expected[places], variances[places] = part.expected, part.variances
            distances[part.rows] = part.distance
        return expected, variances, distances

    def complete(
        self, deviations: Float64Array, holes: BoolArray, weights: Float64Array
    ) -> ExpectedBlock:
        """Completed rows, the weighted sum of the holes' covariances, and what rows deviate."""
        width = holes.shape[1]
        completed, spread = deviations.copy(), np.zeros(width * width)
        weighted = deviations @ self.precision
        lengths = np.einsum("ij,ij->i", deviations, weighted)
        deviances = lengths + self.log_determinant
        for part in self.condition_groups(deviations, holes, weighted, lengths):
            completed[part.rows[:, None], part.columns] = part.expected
            deviances[part.rows] = part.distance + part.log_determinant[part.member]
            add_spread(spread, part, weights[part.rows], width)
        return ExpectedBlock(completed, spread.reshape(width, width), deviances)


def add_spread(spread: Float64Array, part: Conditional, weights: Float64Array, width: int) -> None:
    """Add the conditional covariances to where their columns stand in the (d, d) matrix."""
    counts = np.bincount(part.member, weights=weights, minlength=len(part.covariance))
    columns = part.columns[np.unique(part.member, return_index=True)[1]]
    places = columns[:, :, None] * width + columns[:, None, :]
    numbers = part.covariance * counts[:, None, None]
    spread += np.bincount(places.ravel(), weights=numbers.ravel(), minlength=len(spread))


def times_member(
    matrices: Float64Array, group: PatternGroup, vectors: Float64Array
) -> Float64Array:
    """Each row's vector times the matrix of its pattern."""
    chosen = matrices[group.member] if group.is_shared else matrices
    product: Float64Array = np.einsum("rij,rj->ri", chosen, vectors)
    return product
