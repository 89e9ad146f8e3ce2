"""scores: the rows in the plane of two components.

Distances between rows are those in the subspace as far as two components hold them; both axes have
one unit, so that they can be compared by eye. Color, shape and ellipses say what goes with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eigenlens.plots.checked import with_spectrum
from eigenlens.plots.cloud import (
    MOST_IN_THE_WAY,
    NO_ROOM,
    cloud_of,
    draw_cloud,
    numbers_of,
    row_labels,
)
from eigenlens.plots.labels import left_out, place_labels
from eigenlens.plots.numbers import remember
from eigenlens.plots.plane import picked, scores_in
from eigenlens.plots.style import label_plane, stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["scores"]


def scores(
    model: Any,
    data: Any,
    *,
    components: Any = (1, 2),
    color: Any = None,
    shape: Any = None,
    ellipse: Any = None,
    level: float = 0.95,
    labels: Any = "auto",
    names: Any = None,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Rows in the plane of two components.

    Parameters
    ----------
    data : the rows, of the fit or others
    components : which two, counted from 1, or by name: ("PC1", "PC3")
    color, shape : name of a column of `data`, or one value per row. Text, truth values and up to
        seven distinct whole numbers are groups; other numbers are a color scale. `color` may also
        be "T2", "Q" (as in `explain.outliers`) or "cos2" (the row's share in the plane)
    ellipse : "concentration" (where `level` of a group's rows lie), "confidence" (where its mean
        lies), or both; by group of `color`
    labels : True, False, or the names of the rows to label; "auto" labels up to 60 rows that have
        names. Labels that find no free place are left out, and counted in the notes of
        `plots.data(ax)`. They are placed for the size the figure has: for another, pass `ax` of a
        figure of that size
    names : of the rows, one each; a pandas frame names them by its index

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 1, 1]
    >>> ax = scores(eigenlens.fit(rows, 2), rows)
    >>> ax.get_xlabel().startswith("PC1 (")
    True
    """
    model = with_spectrum(model)
    plane = picked(model, components, 2)
    points = scores_in(model, data, plane)
    given = {"color": color, "shape": shape, "ellipse": ellipse, "level": level}
    cloud = cloud_of(model, data, points, plane, labels=labels, names=names, **given)

    ax, look, own = stage(ax, theme, (7.2, 5.4))
    drawn = draw_cloud(ax, look, cloud, outside=own)
    label_plane(ax, model, plane)
    ax.set_aspect("equal", adjustable="datalim")
    crowd, outlines = points[drawn[:MOST_IN_THE_WAY]], [one.outline() for one in cloud.ellipses]
    placed = place_labels(ax, row_labels(look, cloud), crowd, outlines)
    table = numbers_of(cloud.names, points, plane, cloud.color, cloud.shape)
    remember(ax, table, left_out(placed, NO_ROOM))
    return ax
