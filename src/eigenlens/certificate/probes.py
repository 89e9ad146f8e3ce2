"""Probes: a bound on the leftover from random vectors, one pass a step.

Outside V take r Gaussian vectors w and run Lanczos on P C P from each, giving polynomials p_0, p_1,
... orthonormal under w's spectral measure. If u is the top eigenvector of P C P, with value mu,

    (u'w)^2 * sum_s p_s(mu)^2  <=  |Pw|^2          (Bessel's inequality in span{w, Cw, C^2w, ...})

and |u'w| >= e for at least one w, except with probability (e sqrt(2/pi))^r. So mu is at most the
largest t at which sum_s p_s(t)^2 = |Pw|^2 / e^2. The sum grows like t^(2q) after q steps: one step
is crude (10 to 30 times too large), three or four come within a few percent of mu.

V must not depend on the probes: they are drawn after V is fixed.
Source   Kuczynski and Wozniakowski 1992; Hochstenbach 2013 uses the last polynomial only.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.table.sides import Side

__all__ = ["COUNT", "probe_leftover"]

COUNT = 10
TINY = 1e-300
ENDLESS = 1e200
INVARIANT = 1e-13  # of what a probe has met: what is left of it outside an invariant subspace
SLACK = 1e-3  # the recurrence runs in floating point; a bound is quoted this much larger


def probe_leftover(
    side: Side, span: Float64Array, failure: float, rng: np.random.Generator
) -> Iterator[tuple[float, float]]:
    """After every pass: (a value some direction outside does reach, a bound on all of them)."""
    least = failure ** (1 / COUNT) * np.sqrt(np.pi / 2)
    current = project_outside(span, rng.standard_normal((side.size, COUNT)))
    lengths = column_norms(current)
    current /= np.maximum(lengths, TINY)
    before = np.zeros_like(current)
    diagonals: list[Float64Array] = []
    borders: list[Float64Array] = []
    largest = np.full(COUNT, TINY)
    while True:
        image = project_outside(span, side.apply(current))
        diagonals.append(np.einsum("ij,ij->j", current, image))
        image -= current * diagonals[-1]
        if borders:
            image -= before * borders[-1]
        borders.append(column_norms(image))
        largest = np.maximum(largest, np.maximum(np.abs(diagonals[-1]), borders[-1]))
        # Once a probe has seen an invariant subspace, what is left of it is rounding.
        going_on = borders[-1] > INVARIANT * largest
        before, current = current, going_on * image / np.maximum(borders[-1], TINY)
        pairs = [
            probe_bounds(
                np.array([d[probe] for d in diagonals]),
                np.array([b[probe] for b in borders]),
                lengths[probe] / least,
            )
            for probe in range(COUNT)
        ]
        yield max(low for low, _ in pairs), max(high for _, high in pairs) * (1 + SLACK)


def probe_bounds(diagonal: Float64Array, border: Float64Array, size: float) -> tuple[float, float]:
    """Where this probe's Ritz values end, and where its sum of squares says mu must end."""
    from scipy.optimize import brentq  # a third of a second to load, and many fits need no probes

    largest = np.maximum.accumulate(np.maximum(np.maximum(np.abs(diagonal), border), TINY))
    ends = np.flatnonzero(border <= INVARIANT * largest)
    if ends.size:  # the probe has seen an invariant subspace
        last = int(ends[0])
        seen = tridiagonal(diagonal[: last + 1], border[:last])
        top = float(np.linalg.eigvalsh(seen)[-1])
        return top, top + float(border[last])
    top = float(np.linalg.eigvalsh(tridiagonal(diagonal, border[:-1]))[-1])
    scale = max(abs(top), float(border.max()), TINY)

    def excess(t: float) -> float:
        older, newer, total = 0.0, 1.0, 1.0
        for step, (d, b) in enumerate(zip(diagonal, border, strict=True)):
            left = border[step - 1] * older if step else 0.0
            older, newer = newer, ((t - d) * newer - left) / b
            total += min(abs(newer), ENDLESS**0.51) ** 2
            if total > ENDLESS:
                break  # the sum only grows, and is far beyond any length already
        return float(np.log(total) - 2 * np.log(max(size, 1.0)))

    if excess(top) >= 0:
        return top, top
    step = scale
    while excess(top + step) < 0:
        step *= 2
    return top, float(brentq(excess, top, top + step, xtol=1e-6 * scale))


def tridiagonal(diagonal: Float64Array, border: Float64Array) -> Float64Array:
    return np.diag(diagonal) + np.diag(border, 1) + np.diag(border, -1)


def project_outside(span: Float64Array, vectors: Float64Array) -> Float64Array:
    return vectors - span @ (span.T @ vectors)


def column_norms(vectors: Float64Array) -> Float64Array:
    norms: Float64Array = np.linalg.norm(vectors, axis=0)
    return norms
