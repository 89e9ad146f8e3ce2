"""Correcting a curve: which dimension would show these figures, if the cloud is flat?

Open clouds (sphere, Gaussian) and one with edges (box) answer differently, by some percent; what
lies between them is told by `edges`, from 0 to 1, on a logarithmic scale. The true dimension is the
same at every scale, so the right correction is the one that makes the curve level:

    weight(edges)  ~  exp(-chi^2 / 2),  chi^2 of the corrected curve against its own mean

The corrected dimension is the weighted mean over `edges`; its spread is the error that comes of not
knowing the shape. Where the curve cannot tell (few rows, few dimensions) all are equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.geometry.reference_clouds import (
    ReferenceCloud,
    box_log_distances,
    expected_dimensions,
    gaussian_log_distances,
    sphere_log_distances,
)

__all__ = ["CorrectedCurve", "correct_bias"]

GRID = 8
REACH = (0.8, 4.0)  # of the raw values: where the corrected ones are looked for
HIGHEST = 500.0
EDGES = np.linspace(-0.25, 1.25, 13)
COARSE = 0.01  # relative: the clouds are no truer than that
LEAST_SHARE = 0.25  # of the range between the clouds remains in doubt


@dataclass(frozen=True, eq=False)
class CorrectedCurve:
    dimensions: Float64Array
    slopes: Float64Array  # d dimension / d raw
    doubts: Float64Array  # standard errors from not knowing the shape
    edges: float  # what the curve says about them, from 0 to 1


def correct_bias(
    raws: Float64Array, errors: Float64Array, ranks: Sequence[int], n: int
) -> CorrectedCurve:
    """`raws` and their sampling errors at these ranks, all finite."""
    grid = np.geomspace(
        min(REACH[0] * raws.min(), HIGHEST / 2), min(REACH[1] * raws.max(), HIGHEST), GRID
    )
    opened = [np.array([expected_dimensions(one, d, ranks, n) for d in grid]) for one in OPEN]
    closed = grid[:, None] * box_ratios(grid, ranks, n)
    answers = [invert_curve(raws, one, grid) for one in (*opened, closed)]
    logs = np.log([one for one, _ in answers])
    without, edged = logs[:2].mean(axis=0), logs[2]
    slopes = np.mean([one for _, one in answers], axis=0)
    # A curve per value of `edges`: (11, ranks).
    curves = without + EDGES[:, None] * (edged - without)
    weights = cloud_posterior(curves, slopes * errors / np.exp(without))
    mean = weights @ curves
    spread = np.sqrt(weights @ (curves - mean) ** 2)
    least = LEAST_SHARE * np.abs(edged - without) / np.sqrt(12)
    apart = 0.5 * np.abs(logs[0] - logs[1])
    doubts = np.exp(mean) * np.hypot(np.maximum(spread, least), (1 - weights @ EDGES) * apart)
    return CorrectedCurve(np.exp(mean), slopes, doubts, float(weights @ EDGES))


OPEN: tuple[ReferenceCloud, ...] = (sphere_log_distances, gaussian_log_distances)


def cloud_posterior(curves: Float64Array, errors: Float64Array) -> Float64Array:
    precision = 1 / (errors**2 + COARSE**2)
    level = (curves @ precision / precision.sum())[:, None]
    misfit = ((curves - level) ** 2) @ precision
    found = np.exp(-0.5 * (misfit - misfit.min()))
    weights: Float64Array = found / found.sum()
    return weights


def box_ratios(grid: Float64Array, ranks: Sequence[int], n: int) -> Float64Array:
    """Expected over true dimension, between whole dimensions on a straight line over log d."""
    whole = np.unique(np.maximum(np.round(np.append(grid, np.ceil(grid[-1]))), 1))
    ratios = np.array([expected_dimensions(box_log_distances, d, ranks, n) / d for d in whole])
    return np.column_stack([np.interp(np.log(grid), np.log(whole), column) for column in ratios.T])


def invert_curve(
    raws: Float64Array, expected: Float64Array, grid: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """The dimensions at which a cloud is expected to read `raws`, and d dimension / d raw there."""
    found, slopes = np.empty(len(raws)), np.empty(len(raws))
    for index, raw in enumerate(raws):
        steps = 1e-9 * np.arange(len(grid))
        logs = np.maximum.accumulate(np.log(expected[:, index])) + steps
        found[index] = np.exp(np.interp(np.log(raw), logs, np.log(grid)))
        place = min(max(int(np.searchsorted(grid, found[index])), 1), len(grid) - 1)
        rise = np.log(grid[place] / grid[place - 1]) / (logs[place] - logs[place - 1])
        slopes[index] = min(rise, 10.0) * found[index] / raw
    return found, slopes
