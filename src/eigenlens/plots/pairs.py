"""pairs: the rows in every plane of the leading components.

Below the diagonal each pair of components, on it the distribution along one. The panels lie inside
one pair of axes (`ax.child_axes`), so that the figure goes wherever axes go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import count_things
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.eigenvalues import with_eigenvalues
from eigenlens.plots.coloring import ColorGroups, ColorScale, read_row_colors, row_measures
from eigenlens.plots.density import draw_color_bar, draw_rows
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.legend_entries import legend_entries
from eigenlens.plots.plane import component_positions, model_with_spectrum, scores_along_components
from eigenlens.plots.row_scatter import row_names, scatter_table
from eigenlens.plots.style import (
    Theme,
    apply_theme,
    draw_legend,
    percent_label,
    prepare_axes,
    write_note,
)
from eigenlens.plots.two_axes import model_with_plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["pairs"]

DEFAULT = 4
MOST = 8
GAP = 0.06
MOST_DRAWN = 1500  # points in a panel, where rows are too many


def pairs(
    model: Any,
    data: Any,
    *,
    components: Any = None,
    color: Any = None,
    groups: Any = None,
    labels: Any = None,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Rows in every plane of several components.

    Parameters
    ----------
    components : how many leading ones (4 by default, 8 at most), or which: [1, 2, 5]
    color, groups, labels : as in `scores`

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 2, 1]
    >>> ax = pairs(eigenlens.fit(rows, 3), rows)
    >>> len(ax.child_axes)
    6
    """
    found = with_eigenvalues(model)
    model, kept = model_with_spectrum(model_with_plane(found, data)), found.n_components
    chosen = choose_components(model, components)
    points = scores_along_components(model, data, chosen)
    measures = row_measures(model, data, chosen)
    colors = read_row_colors(color, groups, data, len(points), measures)

    side = 1.6 + 1.7 * len(chosen)
    ax, look, _ = prepare_axes(ax, theme, (side + 0.8, side))
    ax.set_axis_off()
    panels = [
        draw_panel(ax, look, points[:, [column, line]], (line, column), len(chosen), colors)
        for line in range(len(chosen))
        for column in range(line + 1)
    ]
    names = [percent_label(model, place, kept) for place in chosen]
    for one, (line, column) in zip(panels, lower_triangle(len(chosen)), strict=True):
        label_outer_edges(one, names, line, column)
    if isinstance(colors, ColorScale):
        draw_color_bar(ax, look, colors)
    title = colors.title if isinstance(colors, ColorGroups) else None
    draw_legend(ax, look, legend_entries(look, colors), title, outside=False)
    table = scatter_table(row_names(data, len(points), labels), points, chosen, colors)
    for one in (ax, *panels):
        record_figure_data(one, table)
    return ax


def choose_components(model: Any, components: Any) -> tuple[int, ...]:
    if components is None:
        components = min(DEFAULT, model.n_components)
    if isinstance(components, int) and not isinstance(components, bool):
        if components > model.n_components:
            raise RankError.not_held(components, model.n_components)
        components = range(1, components + 1)
    chosen = component_positions(model, components)
    if not 2 <= len(chosen) <= MOST:
        raise OptionError.needs(
            f"a plot of pairs of {count_things(len(chosen), 'component')}",
            f"2 to {MOST} of them",
            Phrase("pass {}, or fit with more components", SetOption("components", 3)),
        )
    return chosen


def lower_triangle(count: int) -> list[tuple[int, int]]:
    return [(line, column) for line in range(count) for column in range(line + 1)]


def draw_panel(
    host: Axes,
    look: Theme,
    points: Float64Array,
    place: tuple[int, int],
    count: int,
    colors: ColorGroups | ColorScale | None,
) -> Axes:
    """One plane, or on the diagonal one distribution; a corner of the host's own square."""
    line, column = place
    size = 1 / count
    inner = size * (1 - GAP)
    ax = host.inset_axes((column * size, 1 - (line + 1) * size, inner, inner))
    ax.set_facecolor(host.get_facecolor())
    apply_theme(ax, look)
    if line == column:
        draw_distribution(ax, look, points[:, 0], colors)
    else:
        drawn = draw_rows(ax, look, points, colors, bar=False, most=MOST_DRAWN)
        ax.set_title("", loc="right")
        if len(drawn) < len(points):
            write_note(host, look, f"density of all {len(points):,} rows; some of them as points")
        ax.set_ylim(*padded_range(points[:, 1]))
    ax.set_xlim(*padded_range(points[:, 0]))
    return ax


def padded_range(values: Float64Array) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = 0.05 * ((high - low) or 1.0)
    return low - room, high + room


def draw_distribution(
    ax: Axes, look: Theme, values: Float64Array, colors: ColorGroups | ColorScale | None
) -> None:
    """Counts of all rows, by group where there are groups."""
    count = int(np.clip(3 * len(values) ** (1 / 3), 6, 48))
    bins = np.linspace(*padded_range(values), count + 1)
    if isinstance(colors, ColorGroups):
        parts = [values[colors.codes == code] for code in range(len(colors.names))]
    else:
        parts = [values]
    for code, part in enumerate(parts):
        heights = np.histogram(part, bins)[0]
        ax.stairs(heights, bins, fill=True, color=look.groups[code], alpha=0.35)
        ax.stairs(heights, bins, color=look.groups[code], lw=1.1)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)


def label_outer_edges(ax: Axes, names: Sequence[str], line: int, column: int) -> None:
    """Words along the outer edges only; inside, ticks without numbers."""
    ax.tick_params(labelsize=7)
    if line == len(names) - 1:
        ax.set_xlabel(names[column])
    else:
        ax.tick_params(labelbottom=False)
    if column == 0 and line > 0:
        ax.set_ylabel(names[line])
    elif line != column:
        ax.tick_params(labelleft=False)
    if line == column == 0:
        ax.set_ylabel(names[0])
