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
