"""circle: the correlations of variables with two components.

An arrow that reaches the circle is wholly in the plane; two of those at a right angle are
uncorrelated, in one line they go together or against each other. Short arrows say nothing here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError, RankError
from eigenlens.explain.reading import fitted
from eigenlens.listing import Table
from eigenlens.plots.arrows import (
    UNNAMED,
    arrow_labels,
    arrow_lines,
    draw_arrows,
    largest,
    plane_of_variables,
    variable_numbers,
)
from eigenlens.plots.cloud import draw_cross
from eigenlens.plots.coloring import Groups, Scale, coloring
from eigenlens.plots.density import color_bar
from eigenlens.plots.keys import inks, keys
from eigenlens.plots.labels import left_out, place_labels
from eigenlens.plots.numbers import remember
from eigenlens.plots.plane import picked
from eigenlens.plots.style import Theme, label_plane, legend, note, stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["circle"]

ARROWS = 30
REACH = 1.12


def circle(
    model: Any,
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
    components : which two, counted from 1, or by name
    top : how many arrows, by contribution to the plane (30 at most by default), or their names
    color : "cos2", "contribution", or one value per variable

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 1, 1]
    >>> ax = circle(eigenlens.fit(rows, 2), color="cos2")
    >>> ax.get_aspect()
    1.0
    """
    model = fitted(model)
    plane = picked(model, components, 2)
    names, ends, share = plane_of_variables(model, plane, "correlation")
    chosen = largest(names, share, ends, top, ARROWS)
    if not len(chosen):
        raise RankError.needs("a circle", "a variable that varies", "Pass top=None for all.")
    colors = variable_colors(color, ends, share)

    ax, look, own = stage(ax, theme, (6.4, 6.0))
    round_line = draw_circle(ax, look)
    draw_cross(ax, look)
    label_plane(ax, model, plane)
    ink = inks(look, colors, len(names))
    draw_arrows(ax, ends[chosen], [ink[place] for place in chosen])
    if isinstance(colors, Scale):
        color_bar(ax, look, colors)
    legend(ax, look, keys(look, colors), getattr(colors, "title", None), outside=own)
    if len(chosen) < len(names):
        note(ax, look, f"{len(chosen)} of {len(names):,} variables, by contribution")
    words = arrow_labels(names[chosen], ends[chosen], [look.ink] * len(chosen))
    placed = place_labels(ax, words, ends[chosen], [*arrow_lines(ends[chosen]), round_line])
    unnamed = left_out(placed, UNNAMED)
    if unnamed is not None:
        note(ax, look, unnamed)
    remember(ax, numbers(variable_numbers(names, ends, share, plane), ends), unnamed)
    return ax


def numbers(table: Table, ends: Float64Array) -> Table:
    return Table({**table.columns, "cos2": np.square(ends).sum(axis=1)})


def variable_colors(color: Any, ends: Float64Array, share: Float64Array) -> Groups | Scale | None:
    if isinstance(color, str):
        known = {"cos2": np.square(ends).sum(axis=1), "contribution": share}
        if color not in known:
            raise OptionError.unknown("color", color, [*known, "one value per variable"])
        title = color if color == "cos2" else "contribution (%)"
        return Scale(title, known[color], 0.0, float(np.nanmax(known[color])))
    return coloring(color, None, len(share), items="variables")


def draw_circle(ax: Axes, look: Theme) -> Float64Array:
    """Gives back points on it, (361, 2)."""
    turn = np.linspace(0, 2 * np.pi, 361)
    ax.plot(np.cos(turn), np.sin(turn), color=look.ink, lw=1, zorder=1)
    ax.set_xlim(-REACH, REACH)
    ax.set_ylim(-REACH, REACH)
    ax.set_xticks(np.arange(-1, 1.1, 0.5))
    ax.set_yticks(np.arange(-1, 1.1, 0.5))
    ax.set_aspect("equal", adjustable="box")
    return np.column_stack([np.cos(turn), np.sin(turn)])
