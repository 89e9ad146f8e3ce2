"""projection: a cloud of rows, the line or plane of a model, and the error of every row.

points    the rows, in two or three columns
line      the first component through the mean; of three columns the plane of the first two
errors    from each row to its projection: at right angles, unlike those of a regression
dashed    the regression of the second column on the first, whose errors are vertical
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.plane import model_with_components
from eigenlens.plots.style import Theme, draw_legend, prepare_axes, shorten_for_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["projection"]

MOST_ERRORS = 300  # rows whose errors are drawn


def projection(
    model: Any,
    data: Any,
    *,
    regression: bool = True,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Rows of two or three columns, their subspace, and the orthogonal errors.

    `regression`: draw the least-squares line of the second column on the first, to compare.

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((30, 2)) @ [[2, 1], [0, 0.4]]
    >>> ax = projection(eigenlens.fit(rows, 1), rows)
    >>> len(ax.collections)
    2
    """
    found = model_with_components(model)
    if found.n_features not in (2, 3) or found.scale is not None:
        raise OptionError.needs(
            "a picture of the projection",
            f"a model of 2 or 3 columns that are not scaled, not of {found.n_features}",
            Phrase("fit again with {}", Option("columns", "[0, 1]")),
        )
    source = match_columns(found, data)
    count = min(source.shape[0], MOST_ERRORS)
    shown = np.linspace(0, source.shape[0] - 1, count).astype(int)
    rows = np.asarray(source.sample(shown), dtype=np.float64)
    kept = found.truncate(min(found.n_components, found.n_features - 1))
    back = kept.reconstruct(kept.project(rows))
    ax, look, own = prepare_axes(ax, theme, (6.0, 5.0))
    if found.n_features == 3 and own:
        figure = ax.figure
        ax.remove()
        ax, _, _ = prepare_axes(figure.add_subplot(projection="3d"), theme)
    draw = draw_plane if found.n_features == 3 else draw_line
    draw(ax, look, kept, rows, back)
    if regression and found.n_features == 2:
        draw_regression(ax, look, rows)
    names = found.feature_names or tuple(f"column {place}" for place in range(found.n_features))
    ax.set_xlabel(shorten_for_figure(names[0]))
    ax.set_ylabel(shorten_for_figure(names[1]))
    if found.n_features == 3:
        ax.set_zlabel(shorten_for_figure(names[2]))  # type: ignore[attr-defined]
    draw_legend(ax, look, ax.get_legend_handles_labels()[0], outside=own and found.n_features == 2)
    errors = np.sqrt(np.square(rows - back).sum(axis=1))
    record_figure_data(ax, Table({"row": shown.tolist(), "distance": errors.tolist()}))
    return ax


def draw_line(
    ax: Axes, look: Theme, model: Subspace, rows: Float64Array, back: Float64Array
) -> None:
    from matplotlib.collections import LineCollection

    mean = np.zeros(2) if model.mean is None else model.mean
    reach = np.abs(model.project(rows)).max() * 1.1
    ends = mean + np.outer([-reach, reach], model.components[0])
    pairs = np.stack([rows, back], axis=1)
    ax.add_collection(
        LineCollection(list(pairs), colors=look.groups[1], lw=0.9, label="error", zorder=2)
    )
    ax.plot(*ends.T, color=look.ink, lw=1.8, label="first component", zorder=3)
    ax.scatter(rows[:, 0], rows[:, 1], s=22, color=look.main, label="rows", zorder=4)
    ax.set_aspect("equal", adjustable="datalim")


def draw_regression(ax: Axes, look: Theme, rows: Float64Array) -> None:
    x, y = rows.T
    slope = np.cov(x, y)[0, 1] / max(float(x.var(ddof=1)), 1e-300)
    ends = np.array([x.min(), x.max()])
    line = y.mean() + slope * (ends - x.mean())
    ax.plot(ends, line, "--", color=look.groups[2], lw=1.5, label="regression", zorder=3)


def draw_plane(
    ax: Any, look: Theme, model: Subspace, rows: Float64Array, back: Float64Array
) -> None:
    """The plane of two components, or the line of one, in three columns."""
    from mpl_toolkits.mplot3d.art3d import Line3DCollection  # type: ignore[import-untyped]

    mean = np.zeros(3) if model.mean is None else model.mean
    reach = np.abs(model.project(rows)).max(axis=0) * 1.05
    if model.n_components == 2:
        corners = np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]]) * reach
        grid = (mean + corners @ model.components)[[0, 1, 3, 2]].reshape(2, 2, 3)
        ax.plot_surface(*grid.transpose(2, 0, 1), color=look.faint, alpha=0.35)
    else:
        ends = mean + np.outer([-reach[0], reach[0]], model.components[0])
        ax.plot(*ends.T, color=look.ink, lw=1.8, label="first component")
    pairs = np.stack([rows, back], axis=1)
    ax.add_collection3d(Line3DCollection(list(pairs), colors=look.groups[1], lw=0.9, label="error"))
    ax.scatter(*rows.T, s=16, color=look.main, label="rows")
