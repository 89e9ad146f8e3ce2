"""Surrogates: clouds like the rows in all but curvature, flat by construction.

    S   scores in units of their deviations, the leading 12 turned until they are as independent as
        a rotation can make them; every column permuted by itself; turned back

A mixture of independent numbers has no curvature, whatever their distributions. Without turning,
components of equal variance point anywhere, and a permuted square would no longer be a square.

Cost     a sort of each score per surrogate; the turning, once, 66 pairs x 24 angles x 3 rounds.
Source   Theiler et al. 1992 for surrogates; Comon 1994 for turning pairs to extreme kurtosis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["Surrogates", "make_surrogates"]

MOST_TURNED = 12
ANGLES = np.arange(24) * np.pi / 48  # a quarter turn exchanges the two
ROUNDS = 3


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
