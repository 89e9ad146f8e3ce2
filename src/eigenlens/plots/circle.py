"""circle: the correlations of variables with two components.

An arrow that reaches the circle is wholly in the plane; two of those at a right angle are
uncorrelated, in one line they go together or against each other. Short arrows say nothing here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.model_rows import get_model
from eigenlens.plots.arrows import (
    CROWDED_ARROWS,
    arrow_labels,
    choose_variables,
    draw_arrows,
    points_along_arrows,
    variable_table,
    variables_in_plane,
)
from eigenlens.plots.coloring import ColorGroups, ColorScale, read_colors
from eigenlens.plots.density import draw_color_bar
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.labels import count_unplaced, place_labels
from eigenlens.plots.legend_entries import item_colors, legend_entries
from eigenlens.plots.plane import component_positions
from eigenlens.plots.row_scatter import draw_cross
from eigenlens.plots.style import Theme, draw_legend, label_plane, prepare_axes, write_note
from eigenlens.plots.two_axes import model_with_plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["circle"]

ARROWS = 30
AXIS_LIMIT = 1.12


def circle(
    model: Any,
    data: Any = None,
    *,
    components: Any = (1, 2),
    top: Any = None,
    color: Any = None,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Variables by their correlations with two components, inside the unit circle.

    Parameters
    ----------
    data : the rows of the fit, for a second axis of a model that keeps one component
    components : which two, counted from 1, or by name
    top : how many arrows, by contribution to the plane (30 at most by default), or their names
    color : "cos2", "contribution", or one value per variable

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 1, 1]
    >>> ax = circle(eigenlens.fit(rows, 2), color="cos2")
    >>> ax.get_aspect()
    1.0
    """
    model = get_model(model)
    kept = model.n_components
    model = model if data is None else model_with_plane(model, data)
    plane = component_positions(model, components, 2)
    names, ends, share = variables_in_plane(model, plane, "correlation")
    chosen = choose_variables(names, share, ends, top, ARROWS)
    if not len(chosen):
        raise RankError.needs(
            "a circle", "a variable that varies", Phrase("pass {} for all", SetOption("top", None))
        )
    colors = variable_colors(color, ends, share)

    ax, look, own = prepare_axes(ax, theme, (6.4, 6.0))
    round_line = draw_circle(ax, look)
    draw_cross(ax, look)
    label_plane(ax, model, plane, kept)
    ink = item_colors(look, colors, len(names))
    draw_arrows(ax, ends[chosen], [ink[place] for place in chosen])
    if isinstance(colors, ColorScale):
        draw_color_bar(ax, look, colors)
    draw_legend(ax, look, legend_entries(look, colors), getattr(colors, "title", None), outside=own)
    if len(chosen) < len(names):
        write_note(ax, look, f"{len(chosen)} of {len(names):,} variables, by contribution")
    words = arrow_labels(names[chosen], ends[chosen], [look.ink] * len(chosen))
    placed = place_labels(ax, words, ends[chosen], [*points_along_arrows(ends[chosen]), round_line])
    unnamed = count_unplaced(placed, CROWDED_ARROWS)
    if unnamed is not None:
        write_note(ax, look, unnamed)
    record_figure_data(ax, circle_table(variable_table(names, ends, share, plane), ends), unnamed)
    return ax


def circle_table(table: Table, ends: Float64Array) -> Table:
    return Table({**table.columns, "cos2": np.square(ends).sum(axis=1)})


def variable_colors(
    color: Any, ends: Float64Array, share: Float64Array
) -> ColorGroups | ColorScale | None:
    if isinstance(color, str):
        known = {"cos2": np.square(ends).sum(axis=1), "contribution": share}
        if color not in known:
            raise OptionError.unknown("color", color, [*known, "one value per variable"])
        title = color if color == "cos2" else "contribution (%)"
        return ColorScale(title, known[color], 0.0, float(np.nanmax(known[color])))
    return read_colors(color, None, len(share), items="variables")


def draw_circle(ax: Axes, look: Theme) -> Float64Array:
    """Gives back points on it, (361, 2)."""
    turn = np.linspace(0, 2 * np.pi, 361)
    ax.plot(np.cos(turn), np.sin(turn), color=look.ink, lw=1, zorder=1)
    ax.set_xlim(-AXIS_LIMIT, AXIS_LIMIT)
    ax.set_ylim(-AXIS_LIMIT, AXIS_LIMIT)
    ax.set_xticks(np.arange(-1, 1.1, 0.5))
    ax.set_yticks(np.arange(-1, 1.1, 0.5))
    ax.set_aspect("equal", adjustable="box")
    return np.column_stack([np.cos(turn), np.sin(turn)])
