"""How outlying each row is, seen from many directions (Stahel and Donoho).

    outlyingness = max over directions of |t - c| / s,      t = projections of all rows

c and s are the middle and the half length of the shortest half of the projections: median and
median deviation give way to 40 % of the rows in one place, the shortest half does not. Directions
are the spherical components (PCA of the rows as seen from the spatial median, all at distance one)
and lines through pairs of rows.

Source   Stahel 1981; Donoho 1982; Locantore et al. 1999 (spherical components).
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["measure_outlyingness", "spatial_median", "spherical_components"]

PAIRS = 250
SPHERICAL = 20
MEDIAN_STEPS = 500
NORMAL_QUARTILE = 0.6744897501960817
TINY = 1e-12


def spatial_median(rows: Float64Array, most_steps: int = MEDIAN_STEPS) -> Float64Array:
    """The point with the smallest sum of distances to all rows (Weiszfeld's steps)."""
    center = np.median(rows, axis=0)
    for _ in range(most_steps):
        lengths = np.linalg.norm(rows - center, axis=1)
        largest = lengths.max()
        if not largest > 0:
            break
        shares = 1.0 / np.maximum(lengths, TINY * largest)
        moved = shares @ rows / shares.sum()
        step = np.linalg.norm(moved - center)
        center = moved
        if step <= TINY * largest:
            break
    return np.asarray(center, dtype=np.float64)


def spherical_components(rows: Float64Array, center: Float64Array, count: int) -> Float64Array:
    """(d, count): components of the directions in which the rows lie."""
    apart = rows - center
    lengths = np.linalg.norm(apart, axis=1)
    away = lengths > TINY * lengths.max(initial=0.0)
    units = apart[away] / lengths[away, None]
    if len(units) >= units.shape[1]:
        vectors = np.linalg.eigh(units.T @ units)[1][:, ::-1]
    else:
        vectors = np.linalg.svd(units, full_matrices=False)[2].T
    return np.ascontiguousarray(vectors[:, :count])


def measure_outlyingness(rows: Float64Array, rng: np.random.Generator) -> Float64Array:
    """(n,): how far out each row is in the direction that shows it most."""
    count, width = rows.shape
    found = spherical_components(rows, spatial_median(rows), min(width, SPHERICAL))
    pairs = rng.integers(0, count, (2, PAIRS))
    lines = rows[pairs[0]] - rows[pairs[1]]
    lengths = np.linalg.norm(lines, axis=1)
    some = lengths > TINY * lengths.max(initial=0.0)
    directions = np.column_stack([found, (lines[some] / lengths[some, None]).T])
    # A direction is a line of its own: lines are sorted where they are.
    projections = directions.T @ rows.T
    middle, size = shortest_half(projections)
    usable = size > TINY * size.max(initial=0.0)
    if not usable.all():
        projections, middle, size = projections[usable], middle[usable], size[usable]
    projections -= middle[:, None]
    projections *= (1.0 / size)[:, None]
    return np.asarray(np.abs(projections, out=projections).max(axis=0, initial=0.0))


def shortest_half(lines: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Middle and half length, made consistent, of the shortest half of each line."""
    count = lines.shape[1]
    half = count // 2 + 1
    ordered = np.sort(lines, axis=1)
    lengths = ordered[:, half - 1 :] - ordered[:, : count - half + 1]
    first = lengths.argmin(axis=1)[:, None]
    low = np.take_along_axis(ordered, first, axis=1)[:, 0]
    high = np.take_along_axis(ordered, first + half - 1, axis=1)[:, 0]
    return (low + high) / 2, (high - low) / 2 / NORMAL_QUARTILE
