"""density: rows as points, and where they are too many, as a density with a sample on top.

    up to 100 000 rows    every row is a point
    above                 counts of all rows on a grid, logarithmic, and over them a sample of rows

The sample is stratified: the plane is cut into cells, and from each cell and group at most so many
rows are taken, evenly over their order. Lone rows are therefore always drawn, crowds are thinned.
It takes no chance: the same rows give the same figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.plots.coloring import ColorGroups, ColorScale
from eigenlens.plots.style import MARKERS, Theme, shorten_for_figure, write_note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "DENSITY_ABOVE",
    "DENSITY_PIXELS",
    "choose_drawn_rows",
    "count_in_cells",
    "draw_color_bar",
    "draw_rings",
    "draw_rows",
    "stratified_sample",
]

DENSITY_ABOVE = 100_000
MOST_DRAWN = 5000
CELLS = 40  # per side, for the sample
DENSITY_PIXELS = 220  # per side, for the density
RASTER_ABOVE = 5000
SHORT = 1 << 15
SPELLED = {"T2": "T²", "cos2": "cos²"}


def choose_drawn_rows(
    points: Float64Array, *kinds: ColorGroups | ColorScale | None, most: int = MOST_DRAWN
) -> IntArray:
    """Positions of the rows drawn as points: all of them, or a stratified sample."""
    count = len(points)
    if count <= DENSITY_ABOVE:
        return np.arange(count)
    strata = np.zeros(count, dtype=np.intp)
    for kind in kinds:
        if isinstance(kind, ColorGroups):
            strata = strata * len(kind.names) + kind.codes
    return stratified_sample(points, strata, most)


def stratified_sample(points: Float64Array, groups: IntArray, most: int) -> IntArray:
    """At most about `most` rows, ascending; each cell of each group sends its share."""
    strata = groups * CELLS**2
    for axis, factor in ((0, 1), (1, CELLS)):
        strata = strata + factor * cell_numbers(points[:, axis], CELLS)
    if strata.max(initial=0) < SHORT:
        strata = strata.astype(np.int16)  # sorted by its digits, ten times faster
    order = np.argsort(strata, kind="stable")
    ordered = strata[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    counts = np.diff(np.append(starts, len(ordered)))
    taken = np.minimum(counts, share_per_stratum(counts, most))
    rank = np.arange(len(order)) - np.repeat(starts, counts)
    each, of = np.repeat(taken, counts), np.repeat(counts, counts)
    kept = (rank + 1) * each // of > rank * each // of
    return np.sort(order[kept])


def share_per_stratum(counts: IntArray, most: int) -> int:
    """The largest number per stratum that keeps the sum within `most`; at least one."""
    low, high = 1, max(most, 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if np.minimum(counts, middle).sum() <= most else (low, middle - 1)
        )
    return low


def cell_numbers(values: Float64Array, count: int) -> IntArray:
    low, high = float(values.min()), float(values.max())
    width = (high - low) or 1.0
    return np.minimum(((values - low) * (count / width)).astype(np.intp), count - 1)


def draw_rows(
    ax: Axes,
    look: Theme,
    points: Float64Array,
    color: ColorGroups | ColorScale | None = None,
    shape: ColorGroups | None = None,
    bar: bool = True,
    log: bool = False,
    most: int = MOST_DRAWN,
) -> IntArray:
    """Draws the rows and gives back which of them are points; says so where not all are.

    `bar`: numbers as colors get their scale beside the axes; `log`: the axes are logarithmic.
    """
    apart = np.log10(points) if log else points
    drawn = choose_drawn_rows(apart, color, shape, most=most)
    if len(drawn) < len(points):
        draw_density(ax, look, apart, log)
        write_note(
            ax, look, f"density of all {len(points):,} rows; {len(drawn):,} of them as points"
        )
    few = max(len(drawn), 1)
    options = {
        "s": float(np.clip(36 * (60 / few) ** 0.5, 3, 30)),
        "alpha": float(np.clip((1500 / few) ** 0.35, 0.35, 0.9)),
        "linewidths": 0,
        # Beside a density, which is pixels anyway, points need not stay sharp.
        "rasterized": len(drawn) > RASTER_ABOVE or len(drawn) < len(points),
        "zorder": 2,
    }
    for code, marker in enumerate(MARKERS[: 1 if shape is None else len(shape.names)]):
        here = drawn if shape is None else drawn[shape.codes[drawn] == code]
        draw_kind(ax, look, points, here, color, None if shape is None else marker, options)
    if bar and isinstance(color, ColorScale):
        draw_color_bar(ax, look, color)
    return drawn


def draw_kind(
    ax: Axes,
    look: Theme,
    points: Float64Array,
    rows: IntArray,
    color: ColorGroups | ColorScale | None,
    marker: str | None,
    options: dict[str, Any],
) -> None:
    """The rows of one shape; `marker` None lets the colors' groups have a shape each."""
    x, y = points[rows].T
    if color is None:
        ax.scatter(x, y, color=look.main, marker=marker or "o", **options)
    elif isinstance(color, ColorScale):
        ax.scatter(
            x,
            y,
            c=color.values[rows],
            vmin=color.low,
            vmax=color.high,
            cmap=look.numbers,
            plotnonfinite=True,
            marker=marker or "o",
            **options,
        )
    else:
        for code in range(len(color.names)):
            here = color.codes[rows] == code
            own = marker or MARKERS[code]
            ax.scatter(x[here], y[here], color=look.groups[code], marker=own, **options)


def draw_rings(
    ax: Axes, look: Theme, points: Float64Array, named: Sequence[int] | IntArray, drawn: IntArray
) -> None:
    """Among many rows, a ring for every one that gets a name: its point is small, or not there."""
    if len(drawn) < len(points) and len(named):
        x, y = points[np.asarray(named, dtype=np.intp)].T
        ax.scatter(x, y, s=18, facecolors="none", edgecolors=look.ink, linewidths=0.8, zorder=4)


def draw_density(ax: Axes, look: Theme, points: Float64Array, log: bool) -> None:
    """Counts of all rows on a grid, from faint to ink; empty places stay paper."""
    from matplotlib.colors import LinearSegmentedColormap, LogNorm

    x, y = points.T
    counts = count_in_cells(points, DENSITY_PIXELS)
    edges = [np.linspace(*value_range(values), DENSITY_PIXELS + 1) for values in (x, y)]
    shades = LinearSegmentedColormap.from_list("density", [look.paper, look.faint, look.ink])
    ax.pcolormesh(
        *(10**edge if log else edge for edge in edges),
        np.ma.masked_equal(counts, 0),
        cmap=shades,
        norm=LogNorm(0.5, 8 * counts.max()),  # stays pale: what lies on top must be seen
        rasterized=True,
        zorder=1,
    )


def count_in_cells(points: Float64Array, pixels: int) -> Float64Array:
    """How many rows lie in each cell of the plane, (pixels, pixels), lines from below."""
    place = cell_numbers(points[:, 1], pixels) * pixels + cell_numbers(points[:, 0], pixels)
    counts = np.bincount(place, minlength=pixels**2).reshape(pixels, pixels)
    return counts.astype(np.float64)


def value_range(values: Float64Array) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return low, (high if high > low else low + 1.0)


def draw_color_bar(ax: Axes, look: Theme, color: ColorScale) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    shown = ScalarMappable(Normalize(color.low, color.high), look.numbers)
    words = SPELLED.get(color.title or "", shorten_for_figure(color.title or ""))
    bar = ax.figure.colorbar(shown, ax=ax, label=words, shrink=0.85, aspect=28)
    bar.ax.tick_params(colors=look.ink)
    bar.ax.yaxis.label.set_color(look.ink)
    bar.outline.set_visible(False)
