"""Probes: a bound on the leftover from random vectors, one pass a step.

Outside V take r Gaussian vectors w and run Lanczos on P C P from each, giving polynomials p_0, p_1,
... orthonormal under w's spectral measure. If u is the top eigenvector of P C P, with value mu,

    (u'w)^2 * sum_s p_s(mu)^2  <=  |Pw|^2          (Bessel's inequality in span{w, Cw, C^2w, ...})

and |u'w| >= e for at least one w, except with probability (e sqrt(2/pi))^r. So mu is at most the
largest t at which sum_s p_s(t)^2 = |Pw|^2 / e^2. The sum grows like t^(2q) after q steps: one step
is crude (10 to 30 times too large), three or four come within a few percent of mu.

V must not depend on the probes: they are drawn after V is fixed.

One probe alone may be a million times smaller along u than it is likely to be, so its sum must grow
further: log(2 |Pw| / e) is 20 where it is 5 for sixteen, and takes four times as many passes. Where
one column is multiplied eight times as fast as sixteen, that is half the work.
Source   Kuczynski and Wozniakowski 1992; Hochstenbach 2013 uses the last polynomial only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.roots import find_root
from eigenlens.algebra.typing import Float64Array
from eigenlens.table.sides import Side, prefers_single_columns

__all__ = ["COUNT", "Probed", "count_probes", "passes_of_probes", "probe_leftover"]

COUNT = 16  # as many columns as a product with few of them multiplies at the price of ten
ALONE = 4  # times as many passes for one probe
TINY = 1e-300
ENDLESS = 1e200
LONGEST = 1e102
INVARIANT = 1e-13  # of what a probe has met: what is left of it outside an invariant subspace
SLACK = 1e-3  # the recurrence runs in floating point; a bound is quoted this much larger


@dataclass(frozen=True)
class Probed:
    """What the probes have seen after some passes: coefficients of their recurrences (q, r)."""

    diagonals: Float64Array
    borders: Float64Array
    sizes: Float64Array  # (r,), |Pw| / e

    @cached_property
    def tops(self) -> Float64Array:
        """The largest Ritz value of every probe. Past an invariant subspace all is zero."""
        steps, count = self.diagonals.shape
        matrices = np.zeros((count, steps, steps))
        along = np.arange(steps)
        matrices[:, along, along] = self.diagonals.T
        matrices[:, along[1:], along[:-1]] = self.borders[:-1].T  # the lower triangle is read
        return np.asarray(np.linalg.eigvalsh(matrices)[:, -1], dtype=np.float64)

    @cached_property
    def ended(self) -> npt.NDArray[np.bool_]:
        """Which probes have seen an invariant subspace: nothing outside it is left of them."""
        met = np.maximum(np.maximum(np.abs(self.diagonals), self.borders), TINY)
        over = self.borders <= INVARIANT * np.maximum.accumulate(met)
        return np.asarray(over.any(axis=0))

    @property
    def reached(self) -> float:
        """A value that some direction outside does reach."""
        return float(self.tops.max())

    def is_below(self, level: float) -> bool:
        """Whether the bound is at most `level`: cheaper than the bound itself."""
        level /= 1 + SLACK
        return level >= self.least and self.excess(level) >= 0

    def bound(self) -> float:
        """A bound on all directions outside: where the sums of squares say that mu must end."""
        if self.excess(self.least) >= 0:
            return self.least * (1 + SLACK)
        scale = max(abs(self.least), float(self.borders.max()), TINY)
        step = scale
        while self.excess(self.least + step) < 0:
            step *= 2
        end = find_root(self.excess, self.least, self.least + step, 1e-6 * scale)
        return end * (1 + SLACK)

    @cached_property
    def least(self) -> float:
        """No bound is smaller: the largest Ritz value, with the border where a probe has ended."""
        last = INVARIANT * np.maximum(np.abs(self.diagonals), self.borders).max(axis=0)
        return float((self.tops + np.where(self.ended, last, 0.0)).max())

    def excess(self, t: float) -> float:
        """log of sum_s p_s(t)^2 over |Pw|^2 / e^2, the least of any probe that goes on.

        Positive where mu cannot be.
        """
        least = math.inf
        for recurrence, size in self.going:
            older = last = 0.0
            newer = total = 1.0
            for d, b in recurrence:
                older, newer = newer, ((t - d) * newer - last * older) / b
                newer, last = min(max(newer, -LONGEST), LONGEST), b
                total += newer * newer
                if total > ENDLESS:
                    break  # sums only grow: this one is far beyond any length already
            if math.isnan(total):
                return -math.inf  # nothing is known of such a recurrence
            least = min(least, math.log(total) - 2 * math.log(max(size, 1.0)))
        return least

    @cached_property
    def going(self) -> list[tuple[list[tuple[float, float]], float]]:
        """Coefficients and size of every probe that has not ended: few, so numbers of Python."""
        return [
            (
                list(zip(self.diagonals[:, i].tolist(), self.borders[:, i].tolist(), strict=True)),
                float(self.sizes[i]),
            )
            for i in np.flatnonzero(~self.ended)
        ]


def probe_leftover(
    side: Side, span: Float64Array, failure: float, rng: np.random.Generator, count: int = COUNT
) -> Iterator[Probed]:
    """After every pass, what `count` probes have seen."""
    least = failure ** (1 / count) * np.sqrt(np.pi / 2)
    current = project_outside(span, rng.standard_normal((side.size, count)))
    lengths = column_norms(current)
    current /= np.maximum(lengths, TINY)
    before = np.zeros_like(current)
    diagonals: list[Float64Array] = []
    borders: list[Float64Array] = []
    largest = np.full(count, TINY)
    while True:
        image = side.apply(current)
        diagonals.append(np.einsum("ij,ij->j", current, image))
        image -= current * diagonals[-1]
        if borders:
            image -= before * borders[-1]
        # Last: what the recurrence keeps of the span would grow with every step.
        image = project_outside(span, image)
        borders.append(column_norms(image))
        largest = np.maximum(largest, np.maximum(np.abs(diagonals[-1]), borders[-1]))
        # Once a probe has seen an invariant subspace, what is left of it is rounding.
        going_on = borders[-1] > INVARIANT * largest
        before, current = current, going_on * image / np.maximum(borders[-1], TINY)
        yield Probed(np.array(diagonals), np.array(borders), lengths / least)


def count_probes(side: Side, known: int) -> int:
    """`known`: columns of the span that every product is kept outside of."""
    return 1 if prefers_single_columns(side, known) else COUNT


def passes_of_probes(count: int, usual: int) -> int:
    """As many as bring one probe as far as so many passes bring several."""
    return usual * ALONE if count == 1 else usual


def project_outside(span: Float64Array, vectors: Float64Array) -> Float64Array:
    return vectors - span @ (span.T @ vectors)


def column_norms(vectors: Float64Array) -> Float64Array:
    norms: Float64Array = np.sqrt(np.einsum("ij,ij->j", vectors, vectors))
    return norms
