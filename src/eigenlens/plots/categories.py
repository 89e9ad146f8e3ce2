"""categories: a map of levels, as large as they are frequent, with arrows for numbers.

Levels of one column have one color. Levels near each other are chosen by the same rows (or, in a
table of counts, have like profiles); near the origin they are those of the average row. Arrows of
numbers are their correlations with the components, stretched by one factor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.explain.categories import level_figures, require_categories
from eigenlens.explain.model_rows import get_model
from eigenlens.explain.variables import correlations
from eigenlens.model.subspace import Subspace
from eigenlens.plots.arrows import arrow_labels, choose_variables, draw_arrows, points_along_arrows
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.labels import Label, count_unplaced, place_labels
from eigenlens.plots.legend_entries import legend_entry
from eigenlens.plots.plane import component_positions, weighted_share
from eigenlens.plots.row_scatter import draw_cross
from eigenlens.plots.style import (
    Theme,
    draw_legend,
    label_plane,
    prepare_axes,
    shorten_for_figure,
    write_note,
)
from eigenlens.plots.two_axes import model_with_plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["categories", "level_means", "levels_in_plane"]

LEVELS = 40
SMALLEST, LARGEST = 18.0, 320.0  # points squared
FILL = 0.8
MARGIN = 0.12
CROWDED = "levels are too crowded to name"


def categories(
    model: Any,
    data: Any = None,
    *,
    components: Any = (1, 2),
    top: Any = None,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """The levels of a model that was fitted with categories, in the plane of two components.

    Parameters
    ----------
    data : the rows of the fit, for a second axis of a model that keeps one component
    components : which two, counted from 1, or by name
    top : how many levels, by contribution to the plane (40 at most by default), or their names,
        such as "sex=F"

    >>> import eigenlens, pandas
    >>> frame = pandas.DataFrame({"a": list("xxyyzzzx"), "b": list("uuuvvvuv")})
    >>> ax = categories(eigenlens.fit(frame, 2, categories="auto"))
    >>> ax.get_xlabel().startswith("PC1 (")
    True
    """
    model = get_model(model)
    encoding = require_categories(model)
    kept = model.n_components
    model = model if data is None else model_with_plane(model, data)
    plane = component_positions(model, components, 2)
    figures = level_figures(model)
    names, points, share = levels_in_plane(model, plane)
    chosen = choose_variables(names, share, points, top, LEVELS)
    arrows = number_arrows(model, plane)
    tips = arrows * stretch(points[chosen], arrows)

    ax, look, own = prepare_axes(ax, theme, (8.4, 6.6))
    draw_cross(ax, look)
    columns = list(dict.fromkeys(figures["column"][place] for place in chosen))
    inks = [level_color(look, columns.index(figures["column"][place])) for place in chosen]
    weight = np.asarray(figures["weight"])[chosen]
    sizes = SMALLEST + (LARGEST - SMALLEST) * weight / float(weight.max(initial=1.0))
    where = points[chosen]
    ax.scatter(
        where[:, 0], where[:, 1], s=sizes, c=inks, alpha=0.75, edgecolors=look.paper, linewidths=0.6
    )  # fmt: skip
    ax.update_datalim(tips)
    ax.margins(MARGIN)
    ax.autoscale_view()
    label_plane(ax, model, plane, kept)
    draw_arrows(ax, tips, [look.accent] * len(tips))
    if 1 < len(columns) <= len(look.groups):
        from matplotlib.lines import Line2D

        entries = [
            legend_entry(Line2D, "o", level_color(look, place), shorten_for_figure(name))
            for place, name in enumerate(columns)
        ]
        draw_legend(ax, look, entries, None, outside=own)
    if len(chosen) < len(names):
        write_note(ax, look, f"{len(chosen)} of {len(names):,} levels, by contribution")
    numbers = np.array(encoding.numbers if len(tips) else (), dtype=object)
    words = [
        *arrow_labels(numbers, tips, [look.accent] * len(tips)),
        *(
            Label(shorten_for_figure(figures["category"][place]), float(x), float(y), look.ink)
            for place, (x, y) in zip(chosen, where, strict=True)
        ),
    ]
    placed = place_labels(ax, words, points[chosen], points_along_arrows(tips))
    unnamed = count_unplaced(placed[len(tips) :], CROWDED)
    if unnamed is not None:
        write_note(ax, look, unnamed)
    record_figure_data(ax, map_table(figures, points, share, plane), unnamed)
    return ax


def levels_in_plane(model: Any, plane: tuple[int, ...]) -> tuple[Any, Float64Array, Float64Array]:
    """Names "column=level", coordinates (levels, 2), and percent of the plane."""
    figures = level_figures(model)
    pairs = zip(figures["column"], figures["category"], strict=True)
    counted = require_categories(model).method == "ca"
    names = np.array([level if counted else f"{one}={level}" for one, level in pairs], dtype=object)
    places = list(plane)
    share = weighted_share(model, figures["contribution"][:, places], plane)
    return names, figures["coordinate"][:, places], share


def number_arrows(model: Any, plane: tuple[int, ...]) -> Float64Array:
    """Correlations of the numbers beside categories with both components."""
    encoding = require_categories(model)
    count = 0 if encoding.method == "ca" else len(encoding.numbers)
    found: Float64Array = correlations(model)[:count][:, list(plane)]
    return found


def stretch(points: Float64Array, arrows: Float64Array) -> float:
    """One factor for all arrows: in no direction do they reach farther than the levels."""
    reach, longest = np.abs(points).max(axis=0), np.abs(arrows).max(axis=0, initial=0.0)
    ratios = reach[longest > 0] / longest[longest > 0]
    return FILL * float(ratios.min()) if ratios.size else 1.0


def level_color(look: Theme, place: int) -> str:
    return look.groups[place % len(look.groups)]


def map_table(
    figures: dict[str, Any], points: Float64Array, share: Float64Array, plane: tuple[int, ...]
) -> Table:
    columns: dict[str, Any] = {"column": figures["column"], "category": figures["category"]}
    for place, component in enumerate(plane):
        columns[f"PC{component + 1}"] = points[:, place]
    columns["contribution"], columns["weight"] = share, figures["weight"]
    return Table(columns)


def level_means(model: Subspace, plane: tuple[int, ...]) -> Float64Array:
    """(d, 2): the mean score of the rows that have a level; NaN for numbers."""
    means, axes = np.full((model.n_features, 2), np.nan), list(plane)
    if model.categories is not None:
        spread = np.sqrt(model.eigenvalues[axes])
        means[model.categories.is_share] = level_figures(model)["mean"][:, axes] * spread
    return means
