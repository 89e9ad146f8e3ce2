"""T2 and Q of rows with missing cells, so that the limits of complete rows hold for them too.

With E the covariance of the scores that the missing cells leave uncertain, scores vary by L - E
around the mean (the law of total variance), L being the diagonal matrix of eigenvalues:

    T2 = t' (L - E)^-1 t

Q is taken over the observed cells alone and brought to the size it would have over all of them:

    Q = sum over O of (x - x^)^2  *  E[Q of complete rows] / E[Q of rows that lack these cells]

Where the cells of a row say nothing about a component (L - E is nearly 0), it takes no part in T2.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.completed import CompletedSource
from eigenlens.missing.law import Conditional
from eigenlens.missing.observed import as_dense
from eigenlens.model.subspace import Subspace

__all__ = ["adjust_for_missing"]

BLOCK_ENTRIES = 1 << 17
UNKNOWN = 1e-6  # of an eigenvalue: what is known of a component where its row tells nothing


def adjust_for_missing(
    model: Subspace, source: CompletedSource, extremes: Float64Array, distances: Float64Array
) -> None:
    """Change T2 and Q of the rows that lack cells, in place."""
    completer = source.completer
    units = completer.spread if model.scale is None else completer.spread / model.scale
    rest = np.eye(model.n_features) - model.components.T @ model.components
    whole: Float64Array | None = None
    first = 0
    for block in source.source.blocks(max(16, BLOCK_ENTRIES // model.n_features)):
        cells = as_dense(block)
        prepared = prepare_incomplete(model, completer.complete(cells).rows)
        deviations, holes = completer.in_units(cells)
        for part in completer.law.condition(deviations, holes):
            # A table without holes is fitted as any other, and its scatter may not be kept.
            whole = expected_products(model, rest) if whole is None else whole
            rows, spread = first + part.rows, hole_covariances(part, units)
            extremes[rows] = score_distances(model, prepared[part.rows], part, spread)
            factors = missing_from_q(rest, whole, part, spread)
            apart = prepared[part.rows] @ rest
            apart[np.arange(len(apart))[:, None], part.columns] = 0.0
            distances[rows] = np.square(apart).sum(axis=1) * factors
        first += len(cells)


def hole_covariances(part: Conditional, units: Float64Array) -> Float64Array:
    """Covariances of the holes in the units of the table, one per row."""
    sizes = units[part.columns]
    return part.covariance[part.member] * sizes[:, :, None] * sizes[:, None, :]


def prepare_incomplete(model: Subspace, rows: Float64Array) -> Float64Array:
    if model.mean is not None:
        rows = rows - model.mean
    return rows if model.scale is None else rows / model.scale


def expected_products(model: Subspace, rest: Float64Array) -> Float64Array:
    """What residuals of complete rows multiply to on average: R C R, from the kept moments.

    Where the scatter matrix was too large to keep, residuals of columns count as uncorrelated.
    """
    if model.moments.scatter is None:
        explained = model.eigenvalues @ np.square(model.components)
        left = np.maximum(model.feature_variances - explained, 0.0)
        return np.asarray((rest * left) @ rest)
    scatter = model.moments.second_moment(model.mean is not None)
    if model.scale is not None:
        scatter = scatter / np.outer(model.scale, model.scale)
    result: Float64Array = rest @ (scatter / model.proof.facts.divisor) @ rest
    return result


def score_distances(
    model: Subspace, rows: Float64Array, part: Conditional, spread: Float64Array
) -> Float64Array:
    along = model.components.T[part.columns]
    unknown = along.transpose(0, 2, 1) @ (spread @ along)
    values = model.eigenvalues
    known = np.diag(values) - unknown
    scores = rows @ model.components.T
    sizes, axes = np.linalg.eigh(known)
    floor = UNKNOWN * values.max(initial=0.0)
    turned = np.einsum("rkl,rk->rl", axes, scores)
    counts = sizes > floor
    parts = np.where(counts, turned**2 / np.where(counts, sizes, 1.0), 0.0)
    distances: Float64Array = parts.sum(axis=1)
    return distances


def missing_from_q(
    rest: Float64Array, whole: Float64Array, part: Conditional, spread: Float64Array
) -> Float64Array:
    """By how much Q over the observed cells is smaller than Q over all cells, on average."""
    across = rest[part.columns]  # (r, m, d); `rest` is symmetric
    taken = np.einsum("rmj,rmj->rj", across, spread @ across)
    expected = np.maximum(np.diag(whole) - taken, 0.0)
    expected[np.arange(len(expected))[:, None], part.columns] = 0.0
    total = float(np.trace(whole))
    sums = expected.sum(axis=1)
    factors: Float64Array = np.where(sums > 0, total / np.where(sums > 0, sums, 1.0), 0.0)
    return factors
