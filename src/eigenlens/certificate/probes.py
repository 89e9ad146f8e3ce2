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

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.table.sides import Side

__all__ = ["COUNT", "Probed", "probe_leftover"]

COUNT = 16  # as many columns as a product with few of them multiplies at the price of ten
TINY = 1e-300
ENDLESS = 1e200
INVARIANT = 1e-13  # of what a probe has met: what is left of it outside an invariant subspace
SLACK = 1e-3  # the recurrence runs in floating point; a bound is quoted this much larger


@dataclass(frozen=True)
class Probed:
    """What the probes have seen after some passes: coefficients of their recurrences (q, COUNT)."""

    diagonals: Float64Array
    borders: Float64Array
    sizes: Float64Array  # (COUNT,), |Pw| / e

    @cached_property
    def recurrences(self) -> list[Recurrence]:
        return [
            recurrence_of(self.diagonals[:, probe], self.borders[:, probe], float(size))
            for probe, size in enumerate(self.sizes)
        ]

    @property
    def reached(self) -> float:
        """A value that some direction outside does reach."""
        return max(one.top for one in self.recurrences)

    def is_below(self, level: float) -> bool:
        """Whether the bound is at most `level`: cheaper than the bound itself."""
        level /= 1 + SLACK
        return self.reached <= level and all(one.is_below(level) for one in self.recurrences)

    def bound(self) -> float:
        """A bound on all directions outside."""
        return max(one.bound() for one in self.recurrences) * (1 + SLACK)


@dataclass(frozen=True)
class Recurrence:
    """Of one probe, until it had seen an invariant subspace; `top`: its largest Ritz value."""

    diagonal: list[float]
    border: list[float]
    size: float
    top: float
    ended: bool

    def is_below(self, level: float) -> bool:
        if self.ended:
            return self.bound() <= level
        return level >= self.top and self.excess(level) >= 0

    def bound(self) -> float:
        """Where the sum of squares says that mu must end."""
        from scipy.optimize import brentq  # a third of a second to load; many fits need no probes

        if self.ended:
            return self.top + self.border[-1]
        if self.excess(self.top) >= 0:
            return self.top
        scale = max(abs(self.top), *self.border, TINY)
        step = scale
        while self.excess(self.top + step) < 0:
            step *= 2
        return float(brentq(self.excess, self.top, self.top + step, xtol=1e-6 * scale))

    def excess(self, t: float) -> float:
        """log of sum_s p_s(t)^2 over |Pw|^2 / e^2: positive where mu cannot be."""
        older, newer, total, last = 0.0, 1.0, 1.0, 0.0
        for d, b in zip(self.diagonal, self.border, strict=True):
            older, newer = newer, ((t - d) * newer - last * older) / b
            total += min(abs(newer), ENDLESS**0.51) ** 2
            last = b
            if total > ENDLESS:
                break  # the sum only grows, and is far beyond any length already
        return math.log(total) - 2 * math.log(max(self.size, 1.0))


def recurrence_of(diagonal: Float64Array, border: Float64Array, size: float) -> Recurrence:
    largest = np.maximum.accumulate(np.maximum(np.maximum(np.abs(diagonal), border), TINY))
    ends = np.flatnonzero(border <= INVARIANT * largest)
    count = int(ends[0]) + 1 if ends.size else len(diagonal)
    top = float(np.linalg.eigvalsh(tridiagonal(diagonal[:count], border[: count - 1]))[-1])
    return Recurrence(diagonal[:count].tolist(), border[:count].tolist(), size, top, ends.size > 0)


def tridiagonal(diagonal: Float64Array, border: Float64Array) -> Float64Array:
    return np.diag(diagonal) + np.diag(border, 1) + np.diag(border, -1)


def probe_leftover(
    side: Side, span: Float64Array, failure: float, rng: np.random.Generator
) -> Iterator[Probed]:
    """After every pass, what the probes have seen."""
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
        yield Probed(np.array(diagonals), np.array(borders), lengths / least)


def project_outside(span: Float64Array, vectors: Float64Array) -> Float64Array:
    return vectors - span @ (span.T @ vectors)


def column_norms(vectors: Float64Array) -> Float64Array:
    norms: Float64Array = np.linalg.norm(vectors, axis=0)
    return norms
