"""The curve: dimension over scales, each set right by what flat clouds of as many rows show.

A scale is a neighbor rank k: the dimension seen between the k-th and the 2k-th neighbor. Small
scales see noise, large ones curvature and edges; between them lies what is worth a number.

    raw         Gride at rank k
    dimension   the d for which n rows of a flat cloud are expected to show `raw` (`shape.py`)
    error       sampling: Fisher's, enlarged because anchors near each other share neighbors;
                and shape: what clouds with and without edges differ by
    likelihood  Levina and Bickel's estimate from 2k neighbors, uncorrected: the usual yardstick
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.geometry.bias_correction import correct_bias
from eigenlens.geometry.gride import gride, levina_bickel
from eigenlens.geometry.neighbors import Neighbors

__all__ = [
    "RANKS",
    "DimensionScale",
    "dimension_curve",
    "neighbors_wanted",
    "ranks_for",
    "sampling_error",
]

RANKS = (1, 2, 4, 8, 16, 32, 64)
PART = 4  # the farthest neighbor looked at is within this part of all rows
TIED = 1e-9  # a log ratio below: the two distances are the same number
MOST_TIED = 0.05
# By how much shared neighbors enlarge the variance, at most, and at which overlap by half of it.
# Measured on Gaussian and uniform clouds of 1 to 5 dimensions, 1000 and 4000 rows.
SHARED, HALF_SHARED = 2.2, 8.0


@dataclass(frozen=True)
class DimensionScale:
    rank: int
    distance: float  # median distance of the 2 rank-th neighbor, in the units of the rows
    raw: float
    dimension: float
    sampling: float  # standard error from sampling alone
    shape: float  # from not knowing the shape of the cloud
    likelihood: float
    tied: bool  # distances repeat: the rows lie on a grid, and this scale sees the grid

    @property
    def error(self) -> float:
        return float(np.hypot(self.sampling, self.shape))


def ranks_for(n: int) -> tuple[int, ...]:
    """The scales that n rows have."""
    return tuple(rank for rank in RANKS if 2 * rank <= max(2, (n - 1) // PART))


def neighbors_wanted(n: int) -> int:
    return 2 * ranks_for(n)[-1]


def dimension_curve(neighbors: Neighbors, unit: float = 1.0) -> tuple[DimensionScale, ...]:
    """One `DimensionScale` per rank that the neighbors reach; distances are times `unit`."""
    n, anchors = neighbors.n_rows, len(neighbors.distances)
    ranks = [rank for rank in ranks_for(n) if 2 * rank <= neighbors.count]
    ratios = [neighbors.log_ratios(rank) for rank in ranks]
    found = [gride(one, rank) for one, rank in zip(ratios, ranks, strict=True)]
    raws = np.array([one.value for one in found])
    errors = np.array(
        [
            sampling_error(one.error, rank, anchors, n)
            for one, rank in zip(found, ranks, strict=True)
        ]
    )
    tied = np.array([float(np.mean(one < TIED)) > MOST_TIED for one in ratios])
    dimensions, shapes = raws.copy(), np.zeros(len(ranks))
    usable = np.flatnonzero(np.isfinite(raws) & ~tied)
    if usable.size:
        right = correct_bias(raws[usable], errors[usable], [ranks[one] for one in usable], n)
        dimensions[usable], shapes[usable] = right.dimensions, right.doubts
        errors[usable] *= right.slopes
    return tuple(
        DimensionScale(
            rank=rank,
            distance=unit * float(np.median(neighbors.distances[:, 2 * rank - 1])),
            raw=float(raws[index]),
            dimension=float(dimensions[index]),
            sampling=float(errors[index]),
            shape=float(shapes[index]),
            likelihood=levina_bickel(neighbors.distances, 2 * rank).value,
            tied=bool(tied[index]),
        )
        for index, rank in enumerate(ranks)
    )


def sampling_error(independent: float, rank: int, anchors: int, n: int) -> float:
    """The error of independent anchors, enlarged by the neighbors that they share."""
    overlap = 2 * rank * anchors / n
    return independent * float(np.sqrt(1 + SHARED * overlap / (overlap + HALF_SHARED)))
