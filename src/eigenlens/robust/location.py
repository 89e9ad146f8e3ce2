"""Robust location and scale of every column, which half of the cells may be wrong without moving.

    raw       the half of the cells with the smallest variance (univariate MCD), made consistent
    scale     the deviation of the cells within 2.24 raw scales, made consistent
    location  one step of an M-estimator with the weights psi(z) / z of the wrapping function

Cells that are missing take no part. A column in which half of the cells are equal has scale 0.

Cost     a sort per column.
Source   Rousseeuw and Leroy 1987, section 4.4; Raymaekers and Rousseeuw 2021.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["FEWEST_FOR_SCALES", "ColumnScales", "find_column_scales", "wrap_deviations"]

FEWEST_FOR_SCALES = 10
BEND, END = 1.5, 4.0  # linear up to here, zero from there on
# Parameters of the hyperbolic tangent between the two, for which psi is continuous at the bend.
A, B, K = 0.7532528, 0.8430849, 4.1517212
HEIGHT = float(np.sqrt(A * (K - 1)))
SLOPE = 0.5 * float(np.sqrt((K - 1) * B**2 / A))
CHI_975 = 5.023886187314888  # chi-square with one degree of freedom
CHI_HALF = 0.454936423119572
CONSISTENT = 1.0835  # of the deviation of what lies within the 97.5 % limits
DISTINCT = 1e-12  # of the largest magnitude: a smaller scale is rounding


@dataclass(frozen=True)
class ColumnScales:
    """(d,) each; `scale` is 0 where half of a column's cells are equal."""

    location: Float64Array
    scale: Float64Array


def wrap_deviations(deviations: Float64Array) -> Float64Array:
    """psi: itself up to 1.5, then bent back until it is 0 from 4 on."""
    wrapped = np.array(deviations)
    flat = wrapped.reshape(-1)
    places = np.flatnonzero(np.abs(flat) > BEND)
    far = flat[places]
    bent = HEIGHT * np.tanh(SLOPE * np.maximum(END - np.abs(far), 0.0))
    flat[places] = np.copysign(bent, far)
    return wrapped


def find_column_scales(cells: Float64Array) -> ColumnScales:
    """Of each column's cells that are not missing."""
    ordered = np.sort(cells.T, axis=1)  # missing cells come last
    counts = ordered.shape[1] - np.isnan(ordered).sum(axis=1)
    found = [
        locate_column(column[:count])
        for column, count in zip(ordered, counts.tolist(), strict=True)
    ]
    location, scale = np.array(found).T
    return ColumnScales(location, scale)


def locate_column(ordered: Float64Array) -> tuple[float, float]:
    """Location and scale of ascending numbers."""
    count = len(ordered)
    if not count:
        return 0.0, 0.0
    middle = float(ordered[count // 2])
    numbers = ordered - middle  # near 0, so that sums of squares keep their digits
    start, raw = densest_half(numbers)
    if not raw > DISTINCT * max(abs(float(numbers[0])), abs(float(numbers[-1]))):
        return middle, 0.0
    within = numbers[np.square(numbers - start) <= CHI_975 * raw**2]
    mean = within.mean()
    spread = float(np.sqrt(np.square(within - mean).sum() / (len(within) - 1)))
    scale = count / (count - 1.4) * CONSISTENT * spread
    deviations = (numbers - mean) / scale
    safe = np.where(deviations == 0, 1.0, deviations)
    weights = np.where(deviations == 0, 1.0, wrap_deviations(safe) / safe)
    return middle + float(weights @ numbers / weights.sum()), scale


def densest_half(numbers: Float64Array) -> tuple[float, float]:
    """Mean and consistent scale of the half of ascending numbers with the smallest variance."""
    from scipy.special import chdtri  # the package is there; imported where the share is not 1/2

    count = len(numbers)
    half = -(-count // 2)
    sums = np.concatenate([[0.0], np.cumsum(numbers)])
    squares = np.concatenate([[0.0], np.cumsum(np.square(numbers))])
    totals = sums[half:] - sums[:-half]
    variances = squares[half:] - squares[:-half] - totals**2 / half
    mean = float(totals[variances == variances.min()].mean()) / half
    distances = np.partition(np.square(numbers - mean), half - 1)[half - 1]
    share = half / count
    quantile = CHI_HALF if share == 0.5 else float(chdtri(1, 1 - share))
    correction = count / (count - (3.0 if count % 2 == 0 else 3.4))
    return mean, correction * float(np.sqrt(distances / quantile))
