"""The box: which share of the unit cube lies within a distance of a point in it.

Few dimensions   P_d(t) = integral over y of P_{d-1}(t - (x_d - y)^2), by quadrature.
Many             |x - y|^2 is a sum of d independent terms; tilted by exp(-theta |x - y|^2) each has
                 elementary moments, and the saddlepoint gives the share at the tilted mean:
                     log P = -w^2/2 - log sqrt(2 pi) + log(R(w) - 1/w + 1/u)
                     w = sqrt(2 (-theta t - K)),  u = theta sqrt(K''),  R Mills' ratio.
Source           Lugannani and Rice 1980. Against neighbors of drawn rows: within 2 % from 5
                 dimensions up.
"""

from __future__ import annotations

from math import lgamma

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.geometry.reference_clouds import kind_of_place

__all__ = ["box_log_distances"]

CUBE_ANCHORS = 48
GRID = 64
NODES = 8
QUADRATURE_UP_TO = 4


def box_log_distances(
    dimension: float, log_shares: Float64Array, places: Float64Array
) -> Float64Array:
    """Logarithms of the distances within which these shares lie; for whole dimensions only."""
    d = int(dimension)
    points = spread_anchors(d)
    lowest = float(log_shares.min())
    table = shares_by_quadrature if d <= QUADRATURE_UP_TO else shares_by_saddlepoint
    squares, shares = table(points, lowest)
    which = kind_of_place(places, CUBE_ANCHORS)
    found = np.empty(len(log_shares))
    for number in range(CUBE_ANCHORS):
        mine = which == number
        rising = np.maximum.accumulate(shares[:, number])
        found[mine] = 0.5 * np.interp(log_shares[mine], rising, squares[:, number])
    return found


def spread_anchors(d: int) -> Float64Array:
    """Points spread evenly over the cube: multiples of irrational numbers."""
    steps = np.sqrt(np.arange(2, d + 2) + 0.5)
    found: Float64Array = (0.5 + np.arange(1, CUBE_ANCHORS + 1)[:, None] * steps) % 1
    return found


def smallest_square(d: int, lowest: float) -> float:
    """The squared radius of a ball, all of it inside, that holds exp(lowest) of the cube."""
    half = d / 2
    return float(np.exp((lowest + lgamma(half + 1) - half * np.log(np.pi)) / half))


def shares_by_quadrature(points: Float64Array, lowest: float) -> tuple[Float64Array, Float64Array]:
    d = points.shape[1]
    squares = np.geomspace(0.5 * smallest_square(d, lowest), d, GRID)
    shares = share_within(np.broadcast_to(squares[:, None], (GRID, len(points))), points)
    logs = np.broadcast_to(np.log(squares)[:, None], shares.shape)
    return logs, np.log(np.maximum(shares, 1e-300))


def share_within(squares: Float64Array, points: Float64Array) -> Float64Array:
    """P(|x - y|^2 <= square); `squares` end in one axis of the points."""
    x = points[:, -1]
    radius = np.sqrt(squares)
    low, high = np.maximum(-radius, -x), np.minimum(radius, 1 - x)
    if points.shape[1] == 1:
        return high - low
    # z = r sin(angle): the square root at the ends of the ball becomes smooth.
    first, last = (np.arcsin(np.clip(one / radius, -1, 1)) for one in (low, high))
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    shape = (NODES,) + (1,) * squares.ndim
    angles = 0.5 * (first + last) + 0.5 * (last - first) * nodes.reshape(shape)
    inner = share_within(squares * np.cos(angles) ** 2, points[:, :-1])
    slopes = radius * np.cos(angles) * 0.5 * (last - first) * weights.reshape(shape)
    found: Float64Array = (slopes * inner).sum(axis=0)
    return found


def shares_by_saddlepoint(points: Float64Array, lowest: float) -> tuple[Float64Array, Float64Array]:
    from scipy.special import erf, erfcx

    d = points.shape[1]
    steepest = max(5 * d / smallest_square(d, lowest), 10.0)
    theta = np.geomspace(steepest, 0.05, GRID)[:, None, None]
    left, right, root = points, 1 - points, np.sqrt(theta)
    at_left, at_right = np.exp(-theta * left**2), np.exp(-theta * right**2)
    # Integrals of z^0, z^2, z^4 against exp(-theta z^2) from -x to 1 - x, by parts.
    zeroth = np.sqrt(np.pi) / 2 / root * (erf(root * left) + erf(root * right))
    second = (zeroth - left * at_left - right * at_right) / (2 * theta)
    fourth = (3 * second - left**3 * at_left - right**3 * at_right) / (2 * theta)
    mean = second / zeroth
    spread = (fourth / zeroth - mean**2).sum(axis=2)
    square, theta = mean.sum(axis=2), theta[:, :, 0]
    w = np.sqrt(2 * np.maximum(-theta * square - np.log(zeroth).sum(axis=2), 1e-12))
    u = theta * np.sqrt(spread)
    mills = np.sqrt(np.pi / 2) * erfcx(w / np.sqrt(2))
    inner = np.maximum(mills - 1 / w + 1 / u, 1e-300)
    return np.log(square), -0.5 * w**2 - 0.5 * np.log(2 * np.pi) + np.log(inner)
