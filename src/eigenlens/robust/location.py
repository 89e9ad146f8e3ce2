"""Robust location and scale of every column, which half of the cells may be wrong without moving.

    raw       the half of the cells with the smallest variance (univariate MCD), made consistent
    scale     the deviation of the cells within 2.24 raw scales, made consistent
    location  one step of an M-estimator with the weights psi(z) / z of the wrapping function

Cells that are missing take no part. A column in which half of the cells are equal has scale 0.
Cells of any size are borne, also those that stand for missing ones (1e20, 9.97e36): sums of squares
are of cells within 10^4 times the reach of three quarters, in units that are powers of two.

Cost     three passes over the cells, panels of columns in turn, each laid out line by line: a
         panel stays in cache, and every line has one number of its own. A sort of at most 4095
         cells per column.
Source   Rousseeuw and Leroy 1987, section 4.4; Raymaekers and Rousseeuw 2021.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray, IntArray
from eigenlens.sources.block import spans

__all__ = [
    "FEWEST_FOR_SCALES",
    "ColumnScales",
    "bend",
    "cut_columns",
    "cut_rows",
    "find_column_scales",
    "find_panel_scales",
    "wrap_deviations",
]

FEWEST_FOR_SCALES = 10
BEND, END = 1.5, 4.0  # linear up to here, zero from there on
# Parameters of the hyperbolic tangent between the two, for which psi is continuous at the bend.
A, B, K = 0.7532528, 0.8430849, 4.1517212
HEIGHT = float(np.sqrt(A * (K - 1)))
SLOPE = 0.5 * float(np.sqrt((K - 1) * B**2 / A))
CHI_975_ROOT = 2.241402727604945  # of the chi-square quantile with one degree of freedom
CHI_HALF = 0.454936423119572
CONSISTENT = 1.0835  # of the deviation of what lies within the 97.5 % limits
SORTED_ROWS, FEWEST_SORTED = 2048, 400  # cells of a column that the raw scale rests on
THINNED = 4
CHUNK = 1 << 16  # cells that are still in cache when they are looked at again
PANEL = 1 << 16  # the same, where they are looked at more often
DISTINCT = 1e-12  # of the largest magnitude: a smaller scale is rounding
FARTHEST = 1e4  # times the reach of three quarters of the cells: any farther is as far
FEW_FAR = 0.1  # share of cells farther than that which say nothing about rounding
SQUARES = 400  # powers of two whose squares, and sums of them, are floats


Numbers = TypeVar("Numbers", Float64Array, FloatArray)


@dataclass(frozen=True)
class ColumnScales:
    """(d,) each; `scale` is 0 where half of a column's cells are equal."""

    location: Float64Array
    scale: Float64Array


def wrap_deviations(deviations: Float64Array) -> Float64Array:
    """psi: itself up to 1.5, then bent back until it is 0 from 4 on."""
    wrapped = np.array(deviations, order="C")  # a flat view, not a copy
    flat = wrapped.reshape(-1)
    bend(flat, np.flatnonzero(np.abs(flat) > BEND))
    return wrapped


def bend(deviations: FloatArray, places: IntArray) -> None:
    """Replace the deviations beyond the bend by psi of them; infinite ones stay so."""
    far = deviations[places]
    bent = END - np.abs(far)
    np.maximum(bent, 0, out=bent)
    bent *= SLOPE
    np.tanh(bent, out=bent)
    bent *= HEIGHT
    bent[np.isinf(far)] = np.inf
    deviations[places] = np.copysign(bent, far)


@dataclass(frozen=True, eq=False)
class ColumnPanel:
    """Some columns as lines: `cells` (c, n), where the missing ones are, and how many others."""

    cells: Float64Array
    missing: IntArray
    counts: IntArray

    @classmethod
    def of_cells(cls, cells: Float64Array) -> ColumnPanel:
        lines = np.ascontiguousarray(cells.T)
        missing = np.flatnonzero(np.isnan(lines))
        gone = np.bincount(missing // len(cells), minlength=len(lines))
        return cls(lines, missing, len(cells) - gone)

    def in_units(self) -> tuple[ColumnPanel, IntArray | None]:
        """Lines whose squares are floats, and the powers of two they were divided by (None: 1)."""
        sizes = np.abs(self.cells)
        largest = np.fmax.reduce(sizes, axis=1)
        odd = (largest > 2.0**SQUARES) | ((largest < 2.0**-SQUARES) & (largest > 0))
        if not odd.any():
            return self, None
        ordered = np.sort(sizes[odd], axis=1)  # missing cells come last
        usual = ordered[np.arange(len(ordered)), self.counts[odd] // 2]
        powers = np.zeros(len(largest), dtype=np.intp)
        powers[odd] = np.frexp(np.where(usual > 0, usual, largest[odd]))[1]
        with np.errstate(over="ignore"):
            lines = np.ldexp(self.cells, -powers[:, None])
        most = 2.0**SQUARES
        return ColumnPanel(np.clip(lines, -most, most), self.missing, self.counts), powers

    def measure_from(self, location: Float64Array, scale: Float64Array | None) -> Float64Array:
        """Deviations of the cells, in units of `scale`; 0 in missing ones."""
        apart: Float64Array = self.cells - location[:, None]
        if scale is not None:
            apart *= (1.0 / scale)[:, None]
        apart.reshape(-1)[self.missing] = 0.0
        return apart


def cut_columns(cells: Float64Array) -> Iterator[tuple[slice, ColumnPanel]]:
    """A few columns at a time, which stay in cache."""
    for columns in spans(cells.shape[1], max(1, PANEL // max(len(cells), 1)), "columns"):
        yield columns, ColumnPanel.of_cells(cells[:, columns])


def find_column_scales(cells: Float64Array) -> ColumnScales:
    """Of each column's cells that are not missing."""
    location, scale = np.empty((2, cells.shape[1]))
    for columns, panel in cut_columns(cells):
        found = find_panel_scales(panel)
        location[columns], scale[columns] = found.location, found.scale
    return ColumnScales(location, scale)


def find_panel_scales(panel: ColumnPanel) -> ColumnScales:
    ready, powers = panel.in_units()
    found = scales_of_squares(ready)
    if powers is None:
        return found
    return ColumnScales(np.ldexp(found.location, powers), np.ldexp(found.scale, powers))


def scales_of_squares(panel: ColumnPanel) -> ColumnScales:
    """Of cells whose squares are floats."""
    start, raw = find_starts(panel)
    usable = raw > 0
    count = np.maximum(panel.counts, 2)
    mean, scale = start, raw
    # A second time where the start rests on a part of the cells: its error is a third of it then.
    for _ in range(2 if panel.cells.shape[1] >= 2 * SORTED_ROWS else 1):
        mean, spread = moments_within(panel, mean, np.where(usable, CHI_975_ROOT * scale, np.inf))
        scale = np.where(usable, count / (count - 1.4) * CONSISTENT * spread, 1.0)
    location = mean + scale * step_of_location(panel, mean, scale, count)
    return ColumnScales(np.where(usable, location, start), np.where(usable, scale, 0.0))


def find_starts(panel: ColumnPanel) -> tuple[Float64Array, Float64Array]:
    """Middle and raw scale of each column; of long columns, from a part of their cells."""
    length = panel.cells.shape[1]
    few = panel.cells[:, :: max(1, length // SORTED_ROWS)]
    counts = few.shape[1] - np.isnan(few).sum(axis=1)
    if few.shape[1] < length and (counts < FEWEST_SORTED).any():
        few, counts = panel.cells, panel.counts
    ordered = np.sort(few, axis=1)  # missing cells come last
    start, raw = np.zeros((2, len(ordered)))
    for count in np.unique(counts[counts > 0]).tolist():
        alike = np.flatnonzero(counts == count)
        every = THINNED if count >= SORTED_ROWS else 1  # of cells in order: no less is known then
        start[alike], raw[alike] = densest_halves(ordered[alike, :count:every])
    return start, raw


def moments_within(
    panel: ColumnPanel, start: Float64Array, reach: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Mean and deviation of the cells of each column that lie within `reach` of `start`."""
    apart = panel.measure_from(start, None)
    beyond = np.flatnonzero(np.abs(apart) > reach[:, None])
    apart.reshape(-1)[beyond] = 0.0
    counts = panel.counts - np.bincount(beyond // apart.shape[1], minlength=len(apart))
    counts, sums = np.maximum(counts, 2), apart.sum(axis=1)
    variances = (np.vecdot(apart, apart) - sums**2 / counts) / (counts - 1)
    return start + sums / counts, np.sqrt(np.maximum(variances, 0.0))


def step_of_location(
    panel: ColumnPanel, mean: Float64Array, scale: Float64Array, counts: IntArray
) -> Float64Array:
    """The mean of the deviations z with weights psi(z) / z, which are 1 up to the bend."""
    deviations = panel.measure_from(mean, scale)
    flat = deviations.reshape(-1)
    places = np.flatnonzero(np.abs(deviations) > BEND)
    far = flat[places]
    bend(flat, places)
    less = 1.0 - flat[places] / far
    lines = places // deviations.shape[1]
    weights = np.bincount(lines, weights=less, minlength=len(deviations))
    # Of columns without a scale, whose step counts for nothing, all cells may be far.
    return np.asarray(deviations.sum(axis=1) / np.maximum(counts - weights, 1.0))


def cut_rows(cells: Numbers) -> Iterator[Numbers]:
    """A few rows at a time, which stay in cache."""
    for rows in spans(len(cells), max(1, CHUNK // cells.shape[1]), "rows"):
        yield cells[rows]


def densest_halves(ordered: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Of lines of ascending numbers, the mean of the half with the smallest variance, and a scale.

    The scale is 0 where half of the numbers of a line are equal.
    """
    from scipy.special import chdtri  # the package is there; imported where the share is not 1/2

    lines, count = ordered.shape
    middle = ordered[:, count // 2]
    numbers = ordered - middle[:, None]  # near 0, so that sums of squares keep their digits
    half = -(-count // 2)
    # Cells far out would take the digits of all sums that follow them.
    wide = max(half, 3 * count // 4)
    reach = np.maximum(-numbers[:, : count - wide + 1], numbers[:, wide - 1 :]).min(axis=1)
    ends, most = np.abs(numbers[:, [0, -1]]).max(axis=1), FARTHEST * reach
    distant = np.count_nonzero(np.abs(numbers) > most[:, None], axis=1)
    ends = np.where(distant > FEW_FAR * count, ends, np.minimum(ends, most))
    np.clip(numbers, -most[:, None], most[:, None], out=numbers)
    sums, squares = np.zeros((2, lines, count + 1))
    np.cumsum(numbers, axis=1, out=sums[:, 1:])
    np.cumsum(np.square(numbers), axis=1, out=squares[:, 1:])
    totals = sums[:, half:] - sums[:, :-half]
    variances = squares[:, half:] - squares[:, :-half] - totals**2 / half
    least = variances == variances.min(axis=1, keepdims=True)
    means = np.where(least, totals, 0.0).sum(axis=1) / least.sum(axis=1) / half
    # The half nearest the mean is a window of the ordered numbers too.
    below = means[:, None] - numbers[:, : count - half + 1]
    lengths = np.maximum(below, numbers[:, half - 1 :] - means[:, None])
    share = half / count
    quantile = CHI_HALF if share == 0.5 else float(chdtri(1, 1 - share))
    correction = count / (count - (3.0 if count % 2 == 0 else 3.4))
    raw = correction * lengths.min(axis=1) / float(np.sqrt(quantile))
    flat = ~(raw > DISTINCT * ends)
    return middle + np.where(flat, 0.0, means), np.where(flat, 0.0, raw)
