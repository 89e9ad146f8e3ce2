"""Leftover: bounds on mu, the largest variance in any direction outside the span V.

    trace      mu <= tr C - sum of all Ritz values                  free; tight when little is left
    cholesky   mu < s  iff  s I - P C P has a Cholesky factor       needs the matrix; p^3/3 flops
    probes     see `probes.py`                                      needs passes; probabilistic

And on eigenvalues without mu, from the trace alone: what it leaves, R, raises i of them no further
than to where the g smallest of these lie when they share it,

    t_i  <=  (R + sum of the Ritz values i - g + 1 ... i) / g       for every g <= i,

for those before the i-th are no smaller, and none lies below its Ritz value.

The first two are deterministic: no sampling enters, only rounding.
Source   Rump 2006 for what a finished floating-point Cholesky factorization proves.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array

__all__ = ["bounds_by_sharing", "is_below", "trace_leftover"]

GROWTH = 1.2  # from one g to the next: any will do, and the best is met closely


def trace_leftover(trace: float, ritz: Ritz) -> float:
    """What the trace leaves: all of it could lie in one direction, no more."""
    return max(trace - float(ritz.values.sum()), 0.0)


def bounds_by_sharing(values: Float64Array, rest: float, count: int) -> Float64Array:
    """Bounds on the leading `count` eigenvalues above `values`, if `rest` is left for all."""
    known = np.zeros(count)
    known[: len(values)] = values[:count]
    sums = np.append(0.0, np.cumsum(known))
    bounds, group = known + rest, 1
    while group < count:
        group = max(group + 1, int(GROWTH * group))
        shared = (rest + sums[group:] - sums[:-group]) / group
        bounds[group - 1 :] = np.minimum(bounds[group - 1 :], shared)
    return bounds


def is_below(matrix: Float64Array, ritz: Ritz, ceiling: float) -> bool:
    """Whether x'Cx < ceiling for every unit vector x outside the span, by factorization."""
    size = len(matrix)
    span = ritz.span
    image = matrix @ span
    half = image - span @ (span.T @ image / 2)
    shifted = span @ half.T
    shifted += half @ span.T  # a product again costs less than adding the transpose
    shifted -= matrix
    # A factor found proves positive definiteness up to (p + 2) eps times the trace (Rump).
    allowance = (size + 2) * EPS * (size * ceiling)
    shifted[np.diag_indices(size)] += ceiling - allowance
    try:
        np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        return False
    return True
