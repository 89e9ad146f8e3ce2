"""Flat clouds to compare with: what neighbors of n rows show where the dimension is known.

    sphere     |x - y|^2 / 4  ~  Beta(d/2, d/2)                     even, bent in on itself
    gaussian   |x - y|^2      ~  chi^2_d shifted by |x|^2 ~ chi^2_d  thinning out
    box        the share of the unit cube within a distance of x     even, with edges (`box.py`)

The share U of the rows nearer than the k-th neighbor is an order statistic, U[2k] ~ Beta(2k, n-2k)
and U[k] / U[2k] ~ Beta(k, k). Put through the inverse of such a law it gives distances, and these
give the dimension that n rows of the cloud are expected to show. It is low: in many dimensions even
the nearest of a thousand rows is far, and density, curvature and edges change on the way.

Cost     some tens of milliseconds; no rows are drawn, no neighbors looked for.
Differs  from DANCo, which draws calibration sets, and GeoMLE, which extrapolates to distance 0.

The box: which share of the unit cube lies within a distance of a point in it.

Few dimensions   P_d(t) = integral over y of P_{d-1}(t - (x_d - y)^2), by quadrature.
Many             |x - y|^2 is a sum of d independent terms; tilted by exp(-theta |x - y|^2) each has
                 elementary moments, and the saddlepoint gives the share at the tilted mean:
                     log P = -w^2/2 - log sqrt(2 pi) + log(R(w) - 1/w + 1/u)
                     w = sqrt(2 (-theta t - K)),  u = theta sqrt(K''),  R Mills' ratio.
Source           Lugannani and Rice 1980. Against neighbors of drawn rows: within 2 % from 5
                 dimensions up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import lgamma
from typing import TypeAlias

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.geometry.gride import gride

__all__ = [
    "ReferenceCloud",
    "box_log_distances",
    "expected_dimensions",
    "gaussian_log_distances",
    "kind_of_place",
    "sphere_log_distances",
]

QUASI_DRAWS = 360
SHELLS = 10  # distances from the center of the Gaussian cloud, equally likely
GRID = 64
# Multiples of these fill the unit square evenly (the additive recurrence of the plastic number).
STEPS = (0.7548776662466927, 0.5698402909980532)
# (dimension, logarithms of shares, where the anchor is in [0, 1)) -> logarithms of distances
ReferenceCloud: TypeAlias = Callable[[float, Float64Array, Float64Array], Float64Array]
CUBE_ANCHORS = 48
CUBE_GRID = 64
NODES = 8
QUADRATURE_UP_TO = 4


def expected_dimensions(
    cloud: ReferenceCloud, dimension: float, ranks: Sequence[int], n: int
) -> Float64Array:
    """What Gride at these ranks is expected to say of n rows of the cloud."""
    draws = draw_order_statistics(tuple(ranks), n)
    far, near = np.split(cloud(dimension, draws.log_shares, draws.places), 2)
    seen = [
        gride(gap, rank).value
        for rank, gap in zip(ranks, np.split(far - near, len(ranks)), strict=True)
    ]
    return np.array(seen) / draws.ideal


@dataclass(frozen=True, eq=False)
class OrderStatistics:
    """Order statistics, evenly spread instead of random."""

    log_shares: Float64Array  # of the farther neighbors of all ranks, then of the nearer ones
    places: Float64Array  # of the anchors, in [0, 1)
    ideal: Float64Array  # (ranks,), what they show in one even dimension: 1, but for their spacing


@lru_cache(maxsize=8)
def draw_order_statistics(ranks: tuple[int, ...], n: int) -> OrderStatistics:
    from scipy.special import betaincinv

    index = np.arange(QUASI_DRAWS) + 0.5
    ratios = [betaincinv(rank, rank, index / QUASI_DRAWS) for rank in ranks]
    larger = [betaincinv(2 * rank, n - 2 * rank, index * STEPS[0] % 1) for rank in ranks]
    nearer = [one * ratio for one, ratio in zip(larger, ratios, strict=True)]
    return OrderStatistics(
        np.log(np.concatenate(larger + nearer)),
        np.tile(index * STEPS[1] % 1, 2 * len(ranks)),
        np.array(
            [gride(-np.log(one), rank).value for one, rank in zip(ratios, ranks, strict=True)]
        ),
    )


def kind_of_place(places: Float64Array, kinds: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Which of `kinds` equally likely kinds of anchor a place in [0, 1) means."""
    return np.minimum((places * kinds).astype(np.intp), kinds - 1)


def sphere_log_distances(
    dimension: float, log_shares: Float64Array, places: Float64Array
) -> Float64Array:
    from scipy.special import betaincinv

    half = dimension / 2
    found: Float64Array = 0.5 * np.log(betaincinv(half, half, np.exp(log_shares)))
    return found


def gaussian_log_distances(
    dimension: float, log_shares: Float64Array, places: Float64Array
) -> Float64Array:
    from scipy.special import gammaincinv

    middles = (np.arange(SHELLS) + 0.5) / SHELLS
    shifts = 2 * gammaincinv(dimension / 2, middles)  # squared distances from the center
    which = kind_of_place(places, SHELLS)
    lowest = float(log_shares.min())
    found = np.empty(len(log_shares))
    for number, shift in enumerate(shifts):
        mine = which == number
        logs, shares = shifted_chi_square(dimension, float(shift), lowest)
        found[mine] = 0.5 * np.interp(log_shares[mine], shares, logs)
    return found


def shifted_chi_square(
    dimension: float, shift: float, lowest: float
) -> tuple[Float64Array, Float64Array]:
    """log t and log P(chi^2 <= t) on a grid that starts below the log probability `lowest`."""
    from scipy.special import gammainc, gammaln

    half = dimension / 2
    # P = exp(-shift/2) (t/2)^half / Gamma(half + 1) near t = 0.
    start = np.log(2) + (lowest + shift / 2 + lgamma(half + 1)) / half - 1
    stop = np.log(shift + dimension + 4 * np.sqrt(2 * (dimension + 2 * shift)))
    logs = np.linspace(min(start, stop - 1), stop, GRID)
    terms = np.arange(int(shift / 2 + 8 * np.sqrt(shift / 2 + 1)) + 4)
    weights = np.exp(-shift / 2 + terms * np.log(shift / 2) - gammaln(terms + 1))
    shares = gammainc(half + terms[:, None], 0.5 * np.exp(logs))
    return logs, np.log(np.maximum(weights @ shares, 1e-300))


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
    squares = np.geomspace(0.5 * smallest_square(d, lowest), d, CUBE_GRID)
    shares = share_within(np.broadcast_to(squares[:, None], (CUBE_GRID, len(points))), points)
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
    theta = np.geomspace(steepest, 0.05, CUBE_GRID)[:, None, None]
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
