"""Probes: a bound on the leftover from a block of random vectors, one pass a step.

Outside V take r Gaussian vectors W and run one Lanczos recurrence on M = P C P for all of them, by
the inner product of whole blocks. It gives blocks K_s = p_s(M) P W / |P W| with p_0, p_1, ... the
polynomials that are orthonormal under the average of the probes' spectral measures. If u is the top
eigenvector of M, with value mu, every combination p of them says

    p(mu)^2 |W'u|^2  <=  largest eigenvalue of (p(M) P W)' (p(M) P W),

and |W'u|^2, a chi-square with r degrees of freedom, is at least e^2 = 2 (f Gamma(r/2 + 1))^(2/r),
except with probability f. The p of degree q that is 1 at t and smallest on average,

    p(x) = sum_s p_s(t) p_s(x) / sum_s p_s(t)^2,

has its zeros below the largest Ritz value, so p(mu) >= 1 for every mu >= t: where the right side is
less than e^2, mu is below t. That t falls with every step: one step is crude (ten to twenty times
too large), three or four come within some percent of mu.

V must not depend on the probes: they are drawn after V is fixed.

One probe alone may be a million times smaller along u than it is likely to be, so its polynomial
must grow further: log(2 |PW| / e) is 20 where it is 5 for sixteen, and takes four times as many
passes. Where one column is multiplied eight times as fast as sixteen, that is half the work.
Source   Kuczynski and Wozniakowski 1992 for one vector; the polynomial of a block is ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenlens.algebra.roots import find_root
from eigenlens.algebra.typing import Float64Array
from eigenlens.table.sides import Side, prefers_single_columns

__all__ = ["COUNT", "Probed", "count_probes", "passes_of_probes", "probe_leftover"]

COUNT = 16  # as many columns as a product with few of them multiplies at the price of ten
ALONE = 4  # times as many passes for one probe
TINY = 1e-300
LONGEST = 1e100
INVARIANT = 1e-13  # of what probes have met: what is left of them outside an invariant subspace
SLACK = 1e-3  # the recurrence runs in floating point; a bound is quoted this much larger
CLOSE = 1e-4  # of a bound: how closely it is found
INDEPENDENT = 1e-8  # of the largest: directions of a block that count


@dataclass(frozen=True)
class Probed:
    """What the probes have seen after q passes: coefficients of their recurrence, and products.

    `overlaps[u][s]` is K_s'K_u for s up to u, (r, r) each. `share` is e^2 / |PW|^2.
    """

    diagonals: Float64Array
    borders: Float64Array
    overlaps: list[Float64Array]
    share: float

    @cached_property
    def top(self) -> float:
        """The largest Ritz value of the recurrence. Past an invariant subspace all is zero."""
        inner = self.borders[:-1]
        matrix = np.diag(self.diagonals) + np.diag(inner, -1)  # the lower triangle is read
        return float(np.linalg.eigvalsh(matrix)[-1])

    @property
    def met(self) -> float:
        """How large M is, as far as the recurrence knows."""
        return max(float(np.abs(self.diagonals).max()), float(self.borders.max()), TINY)

    @cached_property
    def ended(self) -> bool:
        """Whether the probes have seen an invariant subspace: nothing is left outside it."""
        return has_ended(self.diagonals, self.borders)

    @cached_property
    def reached(self) -> float:
        """A value that some direction outside does reach: the best one of the newest block."""
        s, overlaps = len(self.diagonals) - 1, self.overlaps
        energy = self.diagonals[s] * overlaps[s][s] + self.borders[s] * overlaps[s + 1][s]
        if s:
            energy += self.borders[s - 1] * overlaps[s][s - 1].T
        sizes, turn = np.linalg.eigh(overlaps[s][s])
        kept = sizes > INDEPENDENT * sizes[-1]
        basis = turn[:, kept] / np.sqrt(sizes[kept])
        found = np.linalg.eigvalsh(basis.T @ ((energy + energy.T) / 2) @ basis)
        return max(self.top, float(found.max(initial=0.0)))

    def is_below(self, level: float) -> bool:
        """Whether the bound is at most `level`: cheaper than the bound itself."""
        level /= 1 + SLACK
        return level >= self.least and self.excess(level) >= 0

    def bound(self) -> float:
        """A bound on all directions outside: the least t that mu is proven to be below."""
        if self.excess(self.least) >= 0:
            return self.least * (1 + SLACK)
        step = max(abs(self.least), float(self.borders.max()), TINY)
        while self.excess(self.least + step) < 0:
            step *= 2
        end = find_root(self.excess, self.least, self.least + step, CLOSE * self.least)
        return end * (1 + SLACK)

    @property
    def least(self) -> float:
        """No bound is smaller: the largest Ritz value, with the border where the probes ended."""
        return self.top + (INVARIANT * self.met if self.ended else 0.0)

    def excess(self, t: float) -> float:
        """log of e^2 over the largest eigenvalue of (p(M)PW)'(p(M)PW): mu is below t from 0 on."""
        if self.ended:
            return math.inf
        older = last = 0.0
        values = [1.0]
        for d, b in zip(self.diagonals.tolist(), self.borders.tolist(), strict=True):
            older, last, newer = values[-1], b, ((t - d) * values[-1] - last * older) / b
            if math.isnan(newer):
                return -math.inf  # nothing is known of such a recurrence
            if abs(newer) > LONGEST:
                return math.inf  # far beyond any length already
            values.append(newer)
        weights = np.array(values)
        weights /= weights @ weights
        return math.log(self.share) - math.log(max(self.largest_square(weights), TINY))

    def largest_square(self, weights: Float64Array) -> float:
        """The largest eigenvalue of S'S, S the sum of the blocks with these weights."""
        count = self.overlaps[0].shape[-1]
        if count == 1:  # the blocks are orthonormal vectors
            return float(weights @ weights)
        half = np.zeros(count * count)
        for u, column in enumerate(self.overlaps):
            shares = weights[u] * weights[: u + 1]
            shares[u] /= 2
            half += shares @ column.reshape(u + 1, -1)
        square = half.reshape(count, count)
        return float(np.linalg.eigvalsh(square + square.T)[-1])


def probe_leftover(
    side: Side, span: Float64Array, failure: float, rng: np.random.Generator, count: int = COUNT
) -> Iterator[Probed]:
    """After every pass, what `count` probes have seen."""
    current = project_outside(span, rng.standard_normal((side.size, count)))
    length = max(float(np.linalg.norm(current)), 1 / LONGEST)  # whose square is a float
    current /= length
    share = sure_square(count, failure) / length**2
    before = np.zeros_like(current)
    diagonals, borders = np.zeros(0), np.zeros(0)
    overlaps = [(current.T @ current)[None]]
    while True:
        image = side.apply(current)
        diagonals = np.append(diagonals, np.vdot(current, image))
        image -= current * diagonals[-1]
        if borders.size:
            image -= before * borders[-1]
        # Last: what the recurrence keeps of the span would grow with every step.
        image = project_outside(span, image)
        borders = np.append(borders, np.linalg.norm(image))
        # Once probes have seen an invariant subspace, what is left of them is rounding.
        ended = has_ended(diagonals, borders)
        before, current = current, np.zeros_like(image) if ended else image / borders[-1]
        column = np.zeros((len(borders) + 1, count, count))
        column[:-2] = 0.0 if ended else overlaps_before(overlaps, diagonals, borders)
        column[-2], column[-1] = before.T @ current, current.T @ current
        overlaps = [*overlaps, column]
        yield Probed(diagonals, borders, overlaps, share)


def has_ended(diagonals: Float64Array, borders: Float64Array) -> bool:
    """Whether a border is nothing beside what had been met by then."""
    met = np.maximum(np.maximum(np.abs(diagonals), borders), TINY)
    return bool((borders <= INVARIANT * np.maximum.accumulate(met)).any())


def overlaps_before(
    overlaps: list[Float64Array], diagonals: Float64Array, borders: Float64Array
) -> Float64Array:
    """K_s'K_u of the newest block u with all but itself and the one before it.

    K_s'M K_u is the same read from either side, and both sides are known from the recurrence: no
    block but the last two is kept.
    """
    last = len(diagonals) - 1
    newest, older = overlaps[last], overlaps[last - 1][:last]
    found: Float64Array = borders[:last, None, None] * newest[1:]
    found += (diagonals[:last] - diagonals[last])[:, None, None] * newest[:last]
    found[1:] += borders[: last - 1, None, None] * newest[: last - 1]
    found -= borders[last - 1] * older
    # Columns of a block are no longer than 1; of subnormal numbers rounding may say otherwise.
    found = np.clip(found, -borders[last], borders[last])
    found /= borders[last]
    return found


def sure_square(count: int, failure: float) -> float:
    """What a chi-square of `count` degrees exceeds except with this probability, or a bit less."""
    return 2 * math.exp((math.log(failure) + math.lgamma(count / 2 + 1)) * 2 / count)


def count_probes(side: Side, known: int) -> int:
    """`known`: columns of the span that every product is kept outside of."""
    return 1 if prefers_single_columns(side, known) else COUNT


def passes_of_probes(count: int, usual: int) -> int:
    """As many as bring one probe as far as so many passes bring several."""
    return usual * ALONE if count == 1 else usual


def project_outside(span: Float64Array, vectors: Float64Array) -> Float64Array:
    return vectors - span @ (span.T @ vectors)
