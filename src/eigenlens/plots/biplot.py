"""biplot: rows as points and variables as arrows in one plane.

scaling       rows are                arrows are        what may be read off
"rows"        scores y                eigenvectors v    distances between rows
"variables"   scores y / sqrt(t)      loadings          angles (correlations) between variables
"view"        scores y                correlations      directions only; arrows fill the view

In the first two a row times an arrow gives back the variable's value for the row, as far as two
components hold it (Gabriel 1971). Both axes have one unit, or angles would mislead; only a "view"
of rows that would be a line at equal units has two, and a note. Arrows are drawn longer by one
factor per unit, which the axes along the top and the right have already taken out: there their true
coordinates are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.explain.model_rows import get_model
from eigenlens.model.subspace import Subspace
from eigenlens.plots.arrows import (
    CROWDED_ARROWS,
    arrow_labels,
    choose_variables,
    draw_arrows,
    points_along_arrows,
    variables_in_plane,
)
from eigenlens.plots.axis_units import arrow_stretch, differs_in_length, match_units
from eigenlens.plots.categories import level_means
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.labels import count_unplaced, place_labels
from eigenlens.plots.plane import component_positions, scores_along_components
from eigenlens.plots.row_scatter import (
    MAX_OBSTACLES,
    UNLABELED_ROWS,
    draw_scatter,
    prepare_scatter,
    row_labels,
)
from eigenlens.plots.style import (
    Theme,
    label_plane,
    prepare_axes,
    write_note,
)
from eigenlens.plots.two_axes import model_with_plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SCALINGS", "biplot"]

# Scaling -> the column of `explain.variables` that its arrows are.
SCALINGS = {"rows": "eigenvector", "variables": "loading", "view": "correlation"}
ARROWS = 12
MARGIN = 0.09


def biplot(
    model: Any,
    data: Any,
    *,
    components: Any = (1, 2),
    scaling: str = "view",
    top: Any = None,
    color: Any = None,
    groups: Any = None,
    shape: Any = None,
    ellipse: Any = None,
    level: float = 0.95,
    labels: Any = None,
    annotate: Any = "auto",
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Rows and variables in the plane of two components.

    Parameters
    ----------
    data, components, color, groups, shape, ellipse, level, labels, annotate : as in
        `scores`
    scaling : "rows" to compare rows, "variables" to compare variables, "view" to see both
    top : how many arrows, by contribution to the plane (12 at most by default), or their names

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 1, 1]
    >>> ax = biplot(eigenlens.fit(rows, 2), rows, scaling="rows")
    >>> ax.get_ylabel().startswith("PC2 (")
    True
    """
    model = get_model(model)
    kept = model.n_components
    model = model_with_plane(model, data)
    plane = component_positions(model, components, 2)
    if scaling not in SCALINGS:
        raise OptionError.unknown("scaling", scaling, SCALINGS)
    points = scale_points(model, scores_along_components(model, data, plane), plane, scaling)
    variables, ends, share = variables_in_plane(model, plane, SCALINGS[scaling])
    chosen = choose_variables(variables, share, ends, top, ARROWS)
    given = {"color": color, "groups": groups, "shape": shape, "ellipse": ellipse, "level": level}
    cloud = prepare_scatter(model, data, points, plane, labels=labels, annotate=annotate, **given)
    at_means = scale_points(model, level_means(model, plane), plane, scaling)  # of levels' rows
    levels = np.isin(chosen, np.flatnonzero(np.isfinite(at_means[:, 0])))
    apart = scaling == "view" and differs_in_length(points)
    factor = arrow_stretch(points, ends[chosen[~levels]], apart)
    tips = np.where(levels[:, None], at_means[chosen], factor * ends[chosen])

    ax, look, own = prepare_axes(ax, theme, (8.4, 6.6))
    drawn = draw_scatter(ax, look, cloud, outside=own)
    frame_both(ax, look, tips, points, apart)
    label_plane(ax, model, plane, kept)
    ink = look.accent if cloud.color is None else look.ink  # where groups have taken the colors
    if not levels.all():
        arrow_axes(ax, look, factor, SCALINGS[scaling], ink)
    inks = [ink] * len(chosen)
    draw_arrows(ax, tips[~levels], inks[: int((~levels).sum())])
    if levels.any():
        ax.scatter(tips[levels, 0], tips[levels, 1], marker="D", s=34, color=ink, zorder=4)
    words = [*arrow_labels(variables[chosen], tips, inks), *row_labels(look, cloud)]
    lines = [*points_along_arrows(tips[~levels]), *(one.outline() for one in cloud.ellipses)]
    in_the_way = np.vstack([points[drawn[:MAX_OBSTACLES]], tips])
    placed = place_labels(ax, words, in_the_way, lines)
    unnamed = count_unplaced(placed[: len(chosen)], CROWDED_ARROWS)
    if unnamed is not None:
        write_note(ax, look, unnamed)
    table = biplot_table(cloud.names, points, variables, ends, share, plane)
    record_figure_data(ax, table, unnamed, count_unplaced(placed[len(chosen) :], UNLABELED_ROWS))
    return ax


def scale_points(
    model: Subspace, points: Float64Array, plane: tuple[int, ...], scaling: str
) -> Float64Array:
    if scaling != "variables":
        return points
    spread = np.sqrt(model.eigenvalues[list(plane)])
    return np.divide(points, spread, out=np.zeros_like(points), where=spread > 0)


def frame_both(
    ax: Axes, look: Theme, tips: Float64Array, points: Float64Array, apart: bool
) -> None:
    """Limits around rows and arrows, with room for words."""
    ax.update_datalim(tips)
    ax.margins(MARGIN)
    if apart:
        match_units(ax, look, points)
    else:
        ax.set_aspect("equal", adjustable="datalim")
    ax.autoscale_view()


def arrow_axes(ax: Axes, look: Theme, factor: Float64Array, name: str, ink: str) -> None:
    """The arrows' own units, along the top and the right."""

    def both_ways(along: float) -> tuple[Any, Any]:
        return lambda values: np.asarray(values) / along, lambda values: np.asarray(values) * along

    sides = (
        ax.secondary_xaxis("top", functions=both_ways(factor[0])),
        ax.secondary_yaxis("right", functions=both_ways(factor[1])),
    )
    for side in sides:
        side.tick_params(colors=ink, labelsize=8)
        for spine in side.spines.values():
            spine.set_color(look.faint)
    sides[0].set_xlabel(f"{name} (arrows)", color=ink, fontsize=9)


def biplot_table(
    rows: AnyArray,
    points: Float64Array,
    variables: AnyArray,
    ends: Float64Array,
    share: Float64Array,
    plane: tuple[int, ...],
) -> Table:
    """One line per row and per variable, in the units of their axes."""
    kinds = np.repeat(np.array(["row", "variable"]), [len(points), len(ends)])
    columns: dict[str, Any] = {
        "kind": kinds,
        "item": np.concatenate([rows.astype(object), variables.astype(object)]),
    }
    for place, component in enumerate(plane):
        columns[f"PC{component + 1}"] = np.concatenate([points[:, place], ends[:, place]])
    columns["contribution"] = np.concatenate([np.full(len(points), np.nan), share])
    return Table(columns)
