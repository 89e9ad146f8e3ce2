"""Surrogates: clouds like the rows in all but curvature.

    permuted   scores in units of their deviations, the leading 12 turned until they are as
               independent as a rotation can make them; every column permuted by itself; turned back
    noisy      scores plus normal noise of their own covariance, a share of their deviations; or of
               the distance to a near neighbor, so that noise is small where rows are dense
    shares     rows of shares that sum to the same total: every row times a random total, columns
               permuted, shares again. If the parts are independent but for the total (Dirichlet's
               laws are), this changes nothing

A mixture of independent numbers has no curvature, whatever their distributions. Without turning,
components of equal variance point anywhere, and a permuted square would no longer be a square.
Flat rows need not be such a mixture: the points of a simplex are not. Noise hardly changes a cloud
that fills its span, whatever its shape, but it thickens a sheet.

Cost     a sort of each score per surrogate; the turning, once, 66 pairs x 24 angles x 3 rounds.
Source   Theiler et al. 1992 for surrogates; Comon 1994 for turning pairs to extreme kurtosis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.geometry.neighbors import NumberedRows, nearest_rows

__all__ = [
    "Surrogates",
    "add_local_noise",
    "add_noise",
    "are_shares",
    "make_surrogates",
    "permute_parts",
]

MOST_TURNED = 12
ANGLES = np.arange(24) * np.pi / 48  # a quarter turn exchanges the two
ROUNDS = 3
SAME_TOTAL = 1e-6  # of the total


@dataclass(frozen=True, eq=False)
class Surrogates:
    sources: Float64Array  # (n, k) independent as far as possible, unit variance
    back: Float64Array  # (k, k)
    rest: Float64Array  # (n, rank - k) scores that are permuted as they are

    def draw(self, rng: np.random.Generator) -> Float64Array:
        leading = rng.permuted(self.sources, axis=0) @ self.back
        return np.hstack([leading, rng.permuted(self.rest, axis=0)])


def make_surrogates(scores: Float64Array) -> Surrogates:
    """`scores` have mean 0 and are uncorrelated."""
    leading, rest = scores[:, :MOST_TURNED], scores[:, MOST_TURNED:]
    deviations = leading.std(axis=0)
    white = leading / deviations
    rotation = independent_rotation(white)
    return Surrogates(white @ rotation, rotation.T * deviations, rest)


def independent_rotation(white: Float64Array) -> Float64Array:
    """Turns pairs of columns to the angle at which their kurtosis is most extreme."""
    turned, rotation = white.copy(), np.eye(white.shape[1])
    for _ in range(ROUNDS):
        for one in range(len(rotation)):
            for two in range(one):
                pair = best_angle(turned[:, one], turned[:, two])
                turned[:, [one, two]] = turned[:, [one, two]] @ pair
                rotation[:, [one, two]] = rotation[:, [one, two]] @ pair
    return rotation


def best_angle(x: Float64Array, y: Float64Array) -> Float64Array:
    """Fourth moments of c x + s y and -s x + c y are polynomials in c and s."""
    moments = [float(np.mean(x ** (4 - power) * y**power)) for power in range(5)]
    c, s = np.cos(ANGLES), np.sin(ANGLES)
    ways = np.array([1, 4, 6, 4, 1])
    first = sum(ways[k] * moments[k] * c ** (4 - k) * s**k for k in range(5))
    second = sum(ways[k] * moments[k] * (-s) ** (4 - k) * c**k for k in range(5))
    best = int(np.argmax((first - 3) ** 2 + (second - 3) ** 2))
    return np.array([[c[best], -s[best]], [s[best], c[best]]])


def add_noise(scores: Float64Array, share: float, rng: np.random.Generator) -> Float64Array:
    """Noise of `share` of each score's deviation; then as before, so that variances stay."""
    noise = rng.standard_normal(scores.shape) * (share * scores.std(axis=0))
    noisy: Float64Array = (scores + noise) / np.sqrt(1 + share**2)
    return noisy


def add_local_noise(
    scores: Float64Array, share: float, neighbor: int, rng: np.random.Generator
) -> Float64Array:
    """Noise as long as `share` of the distance to a neighbor, in units of the deviations."""
    deviations = scores.std(axis=0)
    numbered = NumberedRows(np.arange(len(scores)), scores / deviations)
    near = nearest_rows(numbered, [numbered], neighbor).distances[:, neighbor - 1 :]
    lengths = share * near / scores.shape[1] ** 0.5
    noisy: Float64Array = scores + lengths * rng.standard_normal(scores.shape) * deviations
    return noisy


def are_shares(rows: Float64Array) -> bool:
    """Whether the rows are parts of one total: no number below 0, sums all alike."""
    totals = rows.sum(axis=1)
    largest = float(totals.max())
    alike = largest > 0 and float(np.ptp(totals)) <= SAME_TOTAL * largest
    return bool(alike and rows.shape[1] > 2 and rows.min() >= 0)


def permute_parts(shares: Float64Array, rng: np.random.Generator) -> Float64Array:
    """Rows of shares whose parts depend on each other by the total alone."""
    total = float(shares[0].sum())
    means, variances = shares.mean(axis=0) / total, shares.var(axis=0) / total**2
    # Dirichlet: variance = mean (1 - mean) / (concentration + 1); the total of its parts is gamma.
    concentration = float((means * (1 - means)).sum() / variances.sum()) - 1
    totals = rng.gamma(max(concentration, 1e-3), size=(len(shares), 1))
    parts = rng.permuted(shares * totals, axis=0)
    sums = parts.sum(axis=1, keepdims=True)
    closed: Float64Array = np.where(sums > 0, total * parts / np.where(sums > 0, sums, 1.0), shares)
    return closed
