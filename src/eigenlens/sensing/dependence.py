"""Dependence: can other columns of B stand in for those that were found?

Let B c = y for a c on the support S. Every other solution is c + h with B h = 0, and its entries
are the coefficients of a sum of smallest dependent sets of columns (circuits). Columns in general
position have none below m + 1; blocks, equal columns, sums of columns, repeated rows or rows that
only see low frequencies have small ones, and then signals with few coefficients share their
measurements. Two searches:

    span     columns outside S that lie in the span of those in S. If there are none, B_S has full
             rank and B_S c = y with fewer columns than rows, then c is the only signal, except for
             signals whose values cancel by accident: y = B_T x with T not inside S holds for no x
             but those of measure 0
    circuit  values that cancel (all +1 and -1, say) need a small circuit. A column is written by
             others, one greedy step after the other (OMP), those of S also from every first
             step, and along the path of the lasso (LARS); a residual of nearly 0 is a circuit.
             Signals of s and s' coefficients differ by circuits of at most s + s' columns

The search finds circuits about as large as the Donoho-Tanner limit and may overlook larger
ones: nothing is claimed about signals with more coefficients than that limit. How many columns were
searched and for how large circuits is evidence. The support is searched first, then the other
columns in random order.

Cost     products of B with all searched columns at once; at most WORK multiplications.
Source   Donoho and Elad 2003 (spark); the first statement is the general position of B in matroid
         terms: S is a flat.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.sensing.problem import SparseProblem

__all__ = ["Dependence", "find_dependence"]

WORK = 2_000_000_000
FORMED_ENTRIES = 1 << 24  # of B
SUPPORT_ENTRIES = 1 << 26  # of the columns of the support
PROBES = 32
TINY = 1e-300
DEPENDENT_SHARE = 1e-10  # where a path ends
NEGLIGIBLE_PART = 1e-6  # of the largest coefficient
EXACT = 1e-7  # of a column's length


@dataclass(frozen=True)
class Dependence:
    """What stands in the way of a unique answer.

    replaceable : columns outside the support that lie in its span
    smallest_circuit : size of the smallest dependent set that was found, or None
    columns_searched, largest_searched : how far circuits were looked for
    conditioning : smallest over largest singular value of the support's columns, at unit length
    """

    replaceable: int
    smallest_circuit: int | None
    columns_searched: int
    largest_searched: int
    conditioning: float


def find_dependence(
    problem: SparseProblem, support: IntArray, largest: int, near: float, rng: np.random.Generator
) -> Dependence | None:
    """None where the columns of the support are too many to be looked at.

    `largest`: circuit that is searched for; `near`: what is left of a column, relative to its
    length, that counts as nothing.
    """
    m, count = problem.shape
    if m * len(support) > SUPPORT_ENTRIES:
        return None
    operator = problem.matrix("recover") if m * count <= FORMED_ENTRIES else problem.operator
    images = operator.T @ rng.standard_normal((m, PROBES))
    lengths = np.sqrt(np.square(images).mean(axis=1))  # of all columns, to some percent
    inside = columns_at(operator, support, count)
    left, values = orthonormal_range(inside)
    conditioning = float(values[-1] / values[0]) if len(values) else 1.0
    steps = max(1, min(largest - 1, count - 1))
    searched = columns_to_search(support, count, steps * m * count, rng)
    # Fewer steps rather than fewer columns where the support alone would cost too much.
    steps = int(np.clip(WORK // max(1, len(searched) * m * count), min(2, steps), steps))
    parts = 1 + len(searched) * m * steps // FORMED_ENTRIES
    sizes = [
        smallest_circuit(operator, lengths, some, steps, near)
        for some in np.array_split(searched, parts)
        if len(some)
    ]
    for place in support[: max(1, WORK // (steps * m * count**2))]:
        sizes.append(circuit_from_every_start(operator, lengths, int(place), steps, near))
    if isinstance(operator, np.ndarray):
        affordable = max(1, WORK // (2 * m * count * largest))
        sizes += [
            lasso_circuit(operator, lengths, int(place), largest)
            for place in rng.permutation(support)[:affordable]
        ]
    return Dependence(
        replaceable_columns(operator, lengths, left, support, near, rng),
        min((size for size in sizes if size is not None), default=None),
        len(searched),
        steps + 1,
        conditioning,
    )


def columns_at(operator: Any, places: IntArray, count: int) -> Float64Array:
    if isinstance(operator, np.ndarray):
        return operator[:, places]
    units = np.zeros((count, len(places)))
    units[places, np.arange(len(places))] = 1.0
    found: Float64Array = operator @ units
    return found


def orthonormal_range(columns: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Of these columns at unit length, with their singular values."""
    lengths = np.linalg.norm(columns, axis=0)
    left, values, _ = np.linalg.svd(columns / np.maximum(lengths, TINY), full_matrices=False)
    return left, values


def replaceable_columns(
    operator: Any,
    lengths: Float64Array,
    left: Float64Array,
    support: IntArray,
    near: float,
    rng: np.random.Generator,
) -> int:
    """How many columns outside the support lie in its span, as random products show."""
    probes = rng.standard_normal((left.shape[0], PROBES))
    for _ in range(2):  # twice: once leaves rounding
        probes -= left @ (left.T @ probes)
    apart = np.sqrt(np.square(operator.T @ probes).mean(axis=1))
    inside = apart <= near * lengths
    inside[support] = False
    return int(inside.sum())


def columns_to_search(
    support: IntArray, count: int, work: int, rng: np.random.Generator
) -> IntArray:
    others = np.setdiff1d(np.arange(count), support)
    affordable = int(np.clip(WORK // work - len(support), 0, len(others)))
    picked = rng.permutation(others)[:affordable]
    return np.concatenate([support, picked]).astype(np.int64)


def circuit_from_every_start(
    operator: Any, lengths: Float64Array, place: int, steps: int, near: float
) -> int | None:
    """The same for one column, with every other one as the first step in turn."""
    starts = np.flatnonzero(lengths > TINY)
    starts = starts[starts != place]
    if len(lengths) * len(starts) > FORMED_ENTRIES or not len(starts):
        return None
    return smallest_circuit(operator, lengths, np.full(len(starts), place), steps, near, starts)


def smallest_circuit(
    operator: Any,
    lengths: Float64Array,
    searched: IntArray,
    steps: int,
    near: float,
    starts: IntArray | None = None,
) -> int | None:
    """Size of the smallest dependent set with one of these columns, of at most steps + 1."""
    targets = columns_at(operator, searched, len(lengths))
    norms = np.linalg.norm(targets, axis=0)
    residuals = greedy_residuals(operator, lengths, searched, targets, steps, starts)
    for step, residual in enumerate(residuals):
        if (np.linalg.norm(residual, axis=0) <= near * norms).any():
            return step + 2  # circuits found later are larger
    return None


def lasso_circuit(
    matrix: Float64Array, lengths: Float64Array, place: int, largest: int
) -> int | None:
    """Size of the dependent set with this column that the path of the lasso ends in."""
    from sklearn.linear_model import lars_path

    others = np.flatnonzero(lengths > TINY)
    others = others[others != place]
    scaled = matrix[:, others] / np.linalg.norm(matrix[:, others], axis=0)
    target = matrix[:, place] / np.linalg.norm(matrix[:, place])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns that depend on each other: just these count
        path = lars_path(
            scaled, target, method="lasso", max_iter=2 * largest, alpha_min=DEPENDENT_SHARE
        )[2]
    sizes = np.abs(path[:, -1])
    kept = sizes > NEGLIGIBLE_PART * sizes.max(initial=TINY)
    if kept.sum() + 1 > largest:
        return None
    fitted = np.linalg.lstsq(scaled[:, kept], target, rcond=None)[0]
    left = float(np.linalg.norm(scaled[:, kept] @ fitted - target))
    return int(kept.sum()) + 1 if left <= EXACT else None


def greedy_residuals(
    operator: Any,
    lengths: Float64Array,
    searched: IntArray,
    targets: Float64Array,
    steps: int,
    starts: IntArray | None,
) -> Iterator[Float64Array]:
    """What 1, 2, ... other columns leave of each target; all at once. `starts`: the first ones."""
    every = np.arange(len(searched))
    used = np.zeros((len(lengths), len(searched)), dtype=bool)
    used[searched, every] = True
    used[lengths <= TINY] = True
    residual, ranges = targets.copy(), np.zeros((steps, *targets.shape))
    for step in range(steps):
        match = np.abs(operator.T @ residual) / np.maximum(lengths, TINY)[:, None]
        match[used] = -1.0
        best = match.argmax(axis=0) if step or starts is None else starts
        used[best, every] = True
        direction = columns_at(operator, best, len(lengths)).copy()
        for _ in range(2):
            along = np.einsum("smj,mj->sj", ranges[:step], direction)
            direction -= np.einsum("smj,sj->mj", ranges[:step], along)
        direction /= np.maximum(np.linalg.norm(direction, axis=0), TINY)
        ranges[step] = direction
        residual -= direction * np.einsum("mj,mj->j", direction, residual)
        yield residual
