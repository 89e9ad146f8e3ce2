"""scores: the rows in the plane of two components.

Distances between rows are those in the subspace as far as two components hold them; both axes have
one unit, so that they can be compared by eye. Color, shape and ellipses say what goes with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eigenlens.explain.eigenvalues import with_eigenvalues
from eigenlens.plots.axis_units import match_units
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.labels import count_unplaced, place_labels
from eigenlens.plots.plane import component_positions, model_with_spectrum, scores_along_components
from eigenlens.plots.row_scatter import (
    MAX_OBSTACLES,
    UNLABELED_ROWS,
    draw_scatter,
    prepare_scatter,
    row_labels,
    scatter_table,
)
from eigenlens.plots.style import label_plane, prepare_axes
from eigenlens.plots.two_axes import model_with_plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["scores"]


def scores(
    model: Any,
    data: Any,
    *,
    components: Any = (1, 2),
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
    """Rows in the plane of two components.

    Parameters
    ----------
    data : the rows, of the fit or others; those of the fit also show a second axis of a model that
        keeps one component, marked as not kept
    components : which two, counted from 1, or by name: ("PC1", "PC3")
    color : name of a column of `data`, or one value per row. Text, truth values and up to seven
        distinct whole numbers are groups; other numbers are a color scale. Also "T2", "Q" (as in
        `explain.outliers`) or "cos2" (the row's share in the plane)
    groups, shape : likewise, but groups only; `groups` are told apart by color
    ellipse : "concentration" (where `level` of a group's rows lie), "confidence" (where its mean
        lies), or both; by group of color
    labels : names of the rows, one each; a pandas frame names them by its index
    annotate : which labels to write: True, False, or a list of them; "auto" writes up to 60, if
        rows have names. Labels that find no free place are left out, and counted in the notes of
        `plots.data(ax)`. They are placed for the size the figure has: for another, pass `ax` of a
        figure of that size

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 1, 1]
    >>> ax = scores(eigenlens.fit(rows, 2), rows)
    >>> ax.get_xlabel().startswith("PC1 (")
    True
    """
    found = with_eigenvalues(model)
    model, kept = model_with_spectrum(model_with_plane(found, data)), found.n_components
    plane = component_positions(model, components, 2)
    points = scores_along_components(model, data, plane)
    given = {"color": color, "groups": groups, "shape": shape, "ellipse": ellipse, "level": level}
    cloud = prepare_scatter(model, data, points, plane, labels=labels, annotate=annotate, **given)

    ax, look, own = prepare_axes(ax, theme, (7.2, 5.4))
    drawn = draw_scatter(ax, look, cloud, outside=own)
    label_plane(ax, model, plane, kept)
    match_units(ax, look, points)
    crowd, outlines = points[drawn[:MAX_OBSTACLES]], [one.outline() for one in cloud.ellipses]
    placed = place_labels(ax, row_labels(look, cloud), crowd, outlines)
    table = scatter_table(cloud.names, points, plane, cloud.color, cloud.shape)
    record_figure_data(ax, table, count_unplaced(placed, UNLABELED_ROWS))
    return ax
