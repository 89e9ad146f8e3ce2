"""The Marchenko-Pastur law: where the eigenvalues of white noise lie.

    density   sqrt((b - x)(x - a)) / (2 pi g x)     on  [a, b] = [(1 - sqrt g)^2, (1 + sqrt g)^2]

for unit variance and aspect g <= 1, the smaller side of the table over the larger. With
x = 1 + g - 2 sqrt(g) cos t, t from 0 to pi, the density of t is smooth, and a plain sum integrates
it to all digits that matter.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.rank.spectrum import Spectrum

__all__ = ["distance_to_law", "marchenko_pastur_law", "marchenko_pastur_median"]

POINTS = 4000


def marchenko_pastur_law(aspect: float) -> tuple[Float64Array, Float64Array]:
    """Places, ascending, and the share of the eigenvalues up to each."""
    t = np.linspace(0.0, np.pi, POINTS)
    x = 1 + aspect - 2 * np.sqrt(aspect) * np.cos(t)
    # Where g = 1 both vanish at t = 0, and their ratio is 1 + cos t.
    density = np.divide(np.sin(t) ** 2, x, out=(1 + np.cos(t)) / 2, where=x > 1e-12)
    steps = (density[1:] + density[:-1]) / 2
    share = np.concatenate([[0.0], np.cumsum(steps)])
    return x, share / share[-1]


def marchenko_pastur_median(aspect: float) -> float:
    x, share = marchenko_pastur_law(aspect)
    return float(np.interp(0.5, share, x))


def distance_to_law(spectrum: Spectrum, rank: int) -> float:
    """Kolmogorov's: how far the eigenvalues beyond `rank` are from those of white noise."""
    rest = np.sort(spectrum.values[rank:])
    mean = float(rest.mean()) if rest.size else 0.0
    if mean <= 0:
        return 1.0
    places, share = marchenko_pastur_law(min(spectrum.aspect, 1.0))
    expected = np.interp(rest / mean, places, share)
    steps = np.arange(len(rest) + 1) / len(rest)
    return float(max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max()))
