"""A normal law of low rank: x = m + W z + e, with z ~ N(0, I) and e ~ N(0, s2 I).

Given the observed cells O of a row, with r = x - m:

    S = (I + W_O' W_O / s2)^-1        E[z] = S W_O' r_O / s2
    E[x_M - m_M] = W_M E[z]           Cov(x_M) = W_M S W_M' + s2 I

Cost     q^2 per observed cell and q^3 per row; the matrices are as large as the rank q.
Source   Tipping and Bishop 1999; Roweis 1998.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.law import Conditional, ExpectedBlock
from eigenlens.missing.patterns import group_by_pattern
from eigenlens.missing.symmetric import invert, symmetric_from, triangle_indices

__all__ = ["FactorLaw"]

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class FactorLaw:
    """`loadings` (d, q), one `noise` variance for all columns."""

    mean: Float64Array
    loadings: Float64Array
    noise: float

    @cached_property
    def products(self) -> Float64Array:
        """w_j w_j' of every column, as lower triangles (d, q (q + 1) / 2)."""
        rows, columns = triangle_indices(self.loadings.shape[1])
        return self.loadings[:, rows] * self.loadings[:, columns]

    @cached_property
    def condition_number(self) -> float:
        return 1.0 + float(np.linalg.norm(self.loadings, 2)) ** 2 / self.noise

    def score(
        self, deviations: Float64Array, observed: BoolArray
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        """E[z] (b, q), R (b, q, q) with R'R = S, and log|S^-1| (b,) of every row.

        R is the inverse of a Cholesky factor of S^-1: an inverse S itself may round to a matrix
        that is not positive definite where the noise is small.
        """
        rank = self.loadings.shape[1]
        inverse = symmetric_from(observed.astype(np.float64) @ self.products, rank) / self.noise
        inverse[:, np.arange(rank), np.arange(rank)] += 1.0
        factors: Float64Array = np.linalg.cholesky(inverse).astype(np.float64, copy=False)
        roots = invert(factors)
        log_inverse = 2.0 * np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
        pull = roots @ (deviations @ self.loadings / self.noise)[:, :, None]
        return (roots.transpose(0, 2, 1) @ pull)[:, :, 0], roots, log_inverse

    def condition(self, deviations: Float64Array, holes: BoolArray) -> Iterator[Conditional]:
        """What is expected in the holes of every row that has some; `deviations` are 0 there."""
        scores, roots, log_inverse = self.score(deviations, ~holes)
        distances = self.measure_distances(deviations, scores)
        seen = (~holes).sum(axis=1)
        log_determinants = seen * np.log(self.noise) + log_inverse
        for group in group_by_pattern(holes):
            lacking = group.columns[group.member]
            first = np.unique(group.member, return_index=True)[1]
            weights = self.loadings[group.columns] @ roots[group.rows[first]].transpose(0, 2, 1)
            covariance = weights @ weights.transpose(0, 2, 1)
            places = np.arange(covariance.shape[1])
            covariance[:, places, places] += self.noise
            yield Conditional(
                group.rows,
                lacking,
                np.einsum("rmq,rq->rm", self.loadings[lacking], scores[group.rows]),
                covariance,
                group.member,
                distances[group.rows],
                log_determinants[group.rows[first]],
            )

    def predict_holes(
        self, deviations: Float64Array, holes: BoolArray
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Expected deviations and variances of the holes, and the distances of their rows."""
        scores, roots, _ = self.score(deviations, ~holes)
        spread = roots.transpose(0, 2, 1) @ roots
        rows, columns = triangle_indices(self.loadings.shape[1])
        twice = np.where(rows == columns, 1.0, 2.0)  # entries beside the diagonal stand for two
        variances = (spread[:, rows, columns] * twice) @ self.products.T + self.noise
        distances = self.measure_distances(deviations, scores)
        expected = np.where(holes, scores @ self.loadings.T, 0.0)
        return expected, np.where(holes, variances, 0.0), distances

    def measure_distances(self, deviations: Float64Array, scores: Float64Array) -> Float64Array:
        """r_O' S_OO^-1 r_O of every row, from the scores it has."""
        pull = deviations @ self.loadings / self.noise
        lengths = np.square(deviations).sum(axis=1) / self.noise
        # A difference of large numbers may round to less than nothing.
        distances: Float64Array = lengths - np.einsum("bi,bi->b", pull, scores)
        return np.maximum(distances, 0.0)

    def complete(
        self, deviations: Float64Array, holes: BoolArray, weights: Float64Array
    ) -> ExpectedBlock:
        """Completed rows, the weighted sum of the holes' covariances, and what rows deviate.

        W_M S W_M' = B'B with B = R W' on the holes and R'R = S: one product of b q rows.
        """
        width = len(self.mean)
        scores, roots, log_inverse = self.score(deviations, ~holes)
        deviances = self.measure_distances(deviations, scores)
        deviances += (~holes).sum(axis=1) * np.log(self.noise) + log_inverse
        completed = np.where(holes, scores @ self.loadings.T, deviations)
        rows = np.flatnonzero(holes.any(axis=1))
        roots = roots[rows] * np.sqrt(weights[rows])[:, None, None]
        stacked = (roots @ self.loadings.T * holes[rows][:, None, :]).reshape(-1, width)
        spread = stacked.T @ stacked
        spread[np.diag_indices_from(spread)] += self.noise * (weights[rows] @ holes[rows])
        return ExpectedBlock(completed, spread, deviances)
