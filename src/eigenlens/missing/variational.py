"""Variational PPCA: a factor law whose loadings are uncertain too, learned from observed cells.

    x_ij = m_j + w_j'z_i + e_ij     z ~ N(0, I),  e_ij ~ N(0, s2 / c_ij),  w_j ~ N(0, diag(v))

c_ij is the precision of a cell: 1 where it is observed, 0 where it is missing, anything between
where the user says so. With (w_j, m_j) ~ N(l_j, K_j) and z~ = (z, 1), one step is

    S_i^-1 = I + sum_j c_ij (w_j w_j' + K_ww,j) / s2
    z_i    = S_i sum_j c_ij [w_j (x_ij - m_j) - K_wm,j] / s2
    K_j    = s2 [P_j + s2 diag(1/v, 0)]^-1           P_j = sum_i c_ij E z~z~'
    l_j    = K_j sum_i c_ij x_ij z~_i / s2
    s2     = mean of c E e^2,   v = mean_j E w_j^2

then z is rotated to mean 0 and covariance I and W'W to a diagonal, which no likelihood notices but
the rate of convergence does. All sums over cells are products of two matrices.

Cost     q^2 per observed cell and step, q^3 per row and column; 15 to 40 steps.
Source   Ilin and Raiko 2010; Bishop 1999 (v empties the factors that are not needed).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.factor_law import FactorLaw
from eigenlens.missing.observed import CellBlock, CellReader
from eigenlens.missing.symmetric import (
    invert,
    log_determinants,
    symmetric_from,
    triangle_indices,
)

__all__ = [
    "Loadings",
    "cell_precisions",
    "column_errors",
    "improve_loadings",
    "start_loadings",
    "sum_cells",
]

TINY = 1e-12
SMALLEST_NOISE = 1e-10  # of the unit variance of a column: exact low rank has none


@dataclass(frozen=True)
class Loadings:
    """Means `weights` (d, q) and `mean` (d,), their covariances `spread` (d, q + 1, q + 1)."""

    weights: Float64Array
    mean: Float64Array
    spread: Float64Array
    noise: float
    ranges: Float64Array  # v, infinite where loadings have no prior

    @property
    def rank(self) -> int:
        return int(self.weights.shape[1])

    @property
    def joined(self) -> Float64Array:
        return np.column_stack([self.weights, self.mean])

    @property
    def has_prior(self) -> bool:
        return bool(np.isfinite(self.ranges).all())

    @property
    def law(self) -> FactorLaw:
        return FactorLaw(self.mean, self.weights, self.noise)


@dataclass(frozen=True)
class FactorSums:
    """What a pass over the cells leaves."""

    products: Float64Array  # (d, triangle of q + 1): P_j
    pulls: Float64Array  # (d, q + 1): sum c x z~
    squares: Float64Array  # (d,): sum c x^2
    cells: float  # sum c, over the cells that count
    log_precisions: float
    rows: float
    scores: Float64Array  # (q,): sum z
    score_products: Float64Array  # (q, q): sum E zz'
    divergence: float  # sum of KL(q(z_i) || N(0, I))

    def __add__(self, other: FactorSums) -> FactorSums:
        both = (getattr(self, f.name) + getattr(other, f.name) for f in fields(self))
        return FactorSums(*both)


@dataclass(frozen=True)
class Quadratics:
    """What a block needs of the loadings: w_j w_j' + K_ww,j as triangles, and K_wm,j."""

    loadings: Loadings
    products: Float64Array
    crossed: Float64Array


def quadratics_of(loadings: Loadings) -> Quadratics:
    rank = loadings.rank
    rows, columns = triangle_indices(rank)
    covariances = loadings.spread[:, rows, columns]
    products = loadings.weights[:, rows] * loadings.weights[:, columns] + covariances
    return Quadratics(loadings, products, loadings.spread[:, rank, :rank])


def sum_cells(loadings: Loadings, reader: CellReader) -> FactorSums:
    """One pass: the scores of every row, and what they say about the columns."""
    return reader.sum_blocks(FactorSums, partial(sum_block_cells, quadratics_of(loadings)))


def cell_precisions(block: CellBlock) -> Float64Array:
    """The precision of each cell, weights of rows included."""
    seen = (~block.holes).astype(np.float64)
    if block.weights is not None:
        seen *= block.weights[:, None]
    if block.precisions is not None:
        seen *= block.precisions
    return seen


def sum_block_cells(quadratics: Quadratics, block: CellBlock) -> FactorSums:
    loadings = quadratics.loadings
    rank = loadings.rank
    rows, columns = triangle_indices(rank)
    joined_rows, joined_columns = triangle_indices(rank + 1)
    inner = joined_rows < rank
    x, c = block.values, cell_precisions(block)
    inverse = symmetric_from(c @ quadratics.products, rank) / loadings.noise
    inverse[:, np.arange(rank), np.arange(rank)] += 1.0
    covariance = invert(inverse)
    pull = (c * (x - loadings.mean)) @ loadings.weights - c @ quadratics.crossed
    scores = np.einsum("bij,bj->bi", covariance, pull) / loadings.noise
    extended = np.column_stack([scores, np.ones(len(scores))])
    moments = extended[:, joined_rows] * extended[:, joined_columns]
    moments[:, inner] += covariance[:, rows, columns]
    products = scores.T @ scores + covariance.sum(axis=0)
    log_inverse = log_determinants(inverse).sum()
    return FactorSums(
        products=c.T @ moments,
        pulls=(c * x).T @ extended,
        squares=np.sum(c * x * x, axis=0),
        cells=float(np.count_nonzero(c)),
        log_precisions=float(np.log(c[c > 0]).sum()),
        rows=float(len(x)),
        scores=scores.sum(axis=0),
        score_products=products,
        divergence=0.5 * float(np.trace(products) - rank * len(x) + log_inverse),
    )


def squared_errors(joined: Float64Array, spread: Float64Array, sums: FactorSums) -> float:
    """sum c E e^2 over all cells, for loadings and the scores of a pass."""
    return float(column_errors(joined, spread, sums).sum())


def column_errors(joined: Float64Array, spread: Float64Array, sums: FactorSums) -> Float64Array:
    """The same of each column, (d,)."""
    products = symmetric_from(sums.products, joined.shape[1])
    expected = np.einsum("di,di->d", joined, (products @ joined[:, :, None])[:, :, 0])
    expected += np.einsum("dij,dij->d", spread, products)
    errors: Float64Array = sums.squares - 2 * (joined * sums.pulls).sum(axis=1) + expected
    return errors


def lower_bound(loadings: Loadings, sums: FactorSums) -> float:
    """The evidence lower bound of `loadings` with the scores they imply; without 2 pi terms."""
    errors = squared_errors(loadings.joined, loadings.spread, sums)
    fit = sums.cells * np.log(loadings.noise) - sums.log_precisions + errors / loadings.noise
    bound = -0.5 * fit - sums.divergence
    if loadings.has_prior:
        rank, width = loadings.rank, len(loadings.mean)
        diagonal = np.arange(rank)
        squares = loadings.weights**2 + loadings.spread[:, diagonal, diagonal]
        prior = width * np.log(loadings.ranges).sum() + (squares / loadings.ranges).sum()
        bound -= 0.5 * (prior - np.linalg.slogdet(loadings.spread)[1].sum())
    return float(bound)


def improve_loadings(loadings: Loadings, reader: CellReader) -> tuple[Loadings, float]:
    """One step, and the lower bound before it (the log-likelihood where loadings have no prior)."""
    sums = sum_cells(loadings, reader)
    bound = lower_bound(loadings, sums)
    rank = loadings.rank
    diagonal = np.arange(rank)
    products = symmetric_from(sums.products, rank + 1)
    if loadings.has_prior:
        products[:, diagonal, diagonal] += loadings.noise / loadings.ranges
    every = np.arange(rank + 1)
    products[:, every, every] *= 1 + TINY
    inverse = invert(products)
    joined = np.einsum("dij,dj->di", inverse, sums.pulls)
    spread = loadings.noise * inverse if loadings.has_prior else np.zeros_like(inverse)
    errors = squared_errors(joined, spread, sums)
    noise = max(errors / sums.cells, SMALLEST_NOISE)
    moved = Loadings(joined[:, :rank], joined[:, rank], spread, noise, loadings.ranges)
    return rotate_factors(moved, sums), bound


def rotate_factors(loadings: Loadings, sums: FactorSums) -> Loadings:
    """The same law with scores of mean 0 and covariance I, and W'W diagonal."""
    rank = loadings.rank
    mean = sums.scores / sums.rows
    covariance = sums.score_products / sums.rows - np.outer(mean, mean)
    sizes, axes = np.linalg.eigh(covariance)
    turn = axes * np.sqrt(np.maximum(sizes, TINY))
    weights = loadings.weights @ turn
    inner = weights.T @ weights + turn.T @ loadings.spread[:, :rank, :rank].sum(axis=0) @ turn
    turn = turn @ np.linalg.eigh(inner)[1][:, ::-1]
    whole = np.zeros((rank + 1, rank + 1))
    whole[:rank, :rank], whole[:rank, rank], whole[rank, rank] = turn, mean, 1.0
    spread = whole.T @ loadings.spread @ whole
    joined = loadings.joined @ whole
    ranges = loadings.ranges
    if loadings.has_prior:
        diagonal = np.arange(rank)
        ranges = (joined[:, :rank] ** 2 + spread[:, diagonal, diagonal]).mean(axis=0)
        ranges = np.maximum(ranges, TINY)
    return Loadings(joined[:, :rank], joined[:, rank], spread, loadings.noise, ranges)


def start_loadings(
    covariance: Float64Array, observed_share: float, rank: int, has_prior: bool
) -> Loadings:
    """From the moments of the table whose holes are at the mean: PCA, undone of the shrinkage."""
    width = len(covariance)
    values, vectors = np.linalg.eigh(covariance)
    values, vectors = values[::-1], vectors[:, ::-1]
    rest = values[rank:].sum() / max(width - rank, 1)
    noise = max(rest, 1e-3 * values.sum() / width, SMALLEST_NOISE) / observed_share
    sizes = np.maximum(values[:rank] / observed_share - noise, 1e-3 * values[:rank])
    weights = vectors[:, :rank] * np.sqrt(np.maximum(sizes, TINY))
    ranges = (weights**2).mean(axis=0) + TINY if has_prior else np.full(rank, np.inf)
    spread = np.zeros((width, rank + 1, rank + 1))
    if has_prior:
        spread += np.eye(rank + 1) * noise * TINY
    return Loadings(weights, np.zeros(width), spread, noise, ranges)
