"""Pseudo-noise: what the spectrum would be without signal, and the best cut above it.

ScreeNOT replaces the `most` largest singular values, where signal may be, by what the law of the
edge says from the next ones: noise near its edge falls like i^(2/3). The cut T solves

    y D'(y) / D(y) = -4,   D = phi (b phi + (1 - b) / y),   phi = mean y / (y^2 - z^2),

b the smaller side over the larger. In u = y^2 and t = z^2, with p = mean 1 / (u - t) and
w = mean t / (u - t)^2, that is

    G(u) = (w / p) (1 + b u p / (b u p + 1 - b)) = 1,

and G falls from infinity at the largest t to 0: one root, and never above 3 max t.

**What is not listed** enters through sums of convex functions of t. While w / p <= 2, which holds
at any root, G rises when the t are spread further apart (it is Schur-convex), so that of all tails
with the right sum and no value above the last listed one the even tail gives the lowest cut and
the tail of two points, that value and 0, the highest. The truth lies between.

Source    Donoho, Gavish and Romanov 2023, ScreeNOT: exact MSE-optimal singular value thresholding
          in correlated noise. The bracket and its proof (docs/methods/rank.md) are ours.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.roots import find_root
from eigenlens.algebra.typing import Float64Array

__all__ = ["best_cut", "even_tail", "likely_tail", "two_point_tail", "without_signal"]


def without_signal(values: Float64Array, most: int) -> Float64Array:
    """All eigenvalues with the `most` largest replaced; needs 2 most + 1 of them."""
    roots = np.sqrt(values)
    near, far = roots[most], roots[2 * most]
    steps = (1 - (np.arange(most) / most) ** (2 / 3)) / (2 ** (2 / 3) - 1)
    result: Float64Array = np.append(np.square(near + steps * (near - far)), values[most:])
    return result


def best_cut(noise: Float64Array, aspect: float) -> float:
    """The eigenvalue above which directions are worth keeping."""
    largest = float(noise.max())
    if largest <= 0:
        return 0.0
    t = noise / largest

    def excess(log_gap: float) -> float:
        gap = float(np.exp(log_gap))
        inverse = 1 / (gap + (1 - t))  # 1 / (u - t) with u = 1 + gap
        p, w = float(inverse.mean()), float(np.mean(t * np.square(inverse)))
        filled = aspect * (1 + gap) * p
        return float(np.log(w / p * (1 + filled / (filled + 1 - aspect))))

    # One value at the top, all others 0, has its root near r^(-1/2); all at the top near 1 or 2.
    ends = -0.5 * np.log(len(t)) - 3.0, np.log(2.0) + 0.01
    return (1 + float(np.exp(find_root(excess, *ends, width=1e-13)))) * largest


# -- what is not listed ----------------------------------------------------------------------


def even_tail(left: float, count: int, roof: float) -> Float64Array:
    """Every value the same."""
    return np.full(count, min(left / count, roof)) if count else np.zeros(0)


def two_point_tail(left: float, count: int, roof: float) -> Float64Array:
    """As many values as possible at the roof, one that takes the rest, then zeros."""
    tail = np.zeros(count)
    if roof <= 0 or count == 0:
        return tail
    whole = min(int(left / roof), count)
    tail[:whole] = roof
    if whole < count:
        tail[whole] = max(left - whole * roof, 0.0)
    return tail


def likely_tail(left: float, count: int, roof: float) -> Float64Array:
    """Falling from the roof like a power of the way that is left: roughly as noise does."""
    mean = min(left / count, roof) if count else 0.0
    if mean <= 0:
        return np.zeros(count)
    way = 1 - (np.arange(count) + 0.5) / count
    tail = way ** min(roof / mean - 1, count)  # the cap keeps the sum from vanishing
    result: Float64Array = tail * (mean / tail.mean())
    return np.minimum(result, roof)
