"""Leftover: bounds on mu, the largest variance in any direction outside the span V.

    trace      mu <= tr C - sum of all Ritz values                  free; tight when little is left
    cholesky   mu < s  iff  s I - P C P has a Cholesky factor       needs the matrix; p^3/3 flops
    probes     see `probes.py`                                      needs passes; probabilistic

The first two are deterministic: no sampling enters, only rounding.
Source   Rump 2006 for what a finished floating-point Cholesky factorization proves.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array

__all__ = ["is_below", "trace_leftover"]


def trace_leftover(trace: float, ritz: Ritz) -> float:
    """What the trace leaves: all of it could lie in one direction, no more."""
    return max(trace - float(ritz.values.sum()), 0.0)


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
