"""cloud: the rows of a figure with everything asked of them, checked before anything is drawn.

What `scores` and `biplot` share: points in a plane, names, colors, shapes and ellipses.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, IntArray
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.model_rows import labels_of
from eigenlens.model.subspace import Subspace
from eigenlens.plots.coloring import (
    ColorGroups,
    ColorScale,
    read_groups,
    read_row_colors,
    row_measures,
)
from eigenlens.plots.density import DENSITY_ABOVE, draw_rings, draw_rows
from eigenlens.plots.ellipses import Ellipse, draw_ellipses, ellipses_of
from eigenlens.plots.labels import Label
from eigenlens.plots.legend_entries import legend_entries
from eigenlens.plots.style import Theme, draw_legend, shorten_for_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "MAX_OBSTACLES",
    "UNLABELED_ROWS",
    "RowScatter",
    "draw_cross",
    "draw_scatter",
    "prepare_scatter",
    "row_labels",
    "row_names",
    "scatter_table",
]

UNLABELED_ROWS = "labels of rows found no room"
FEW_TO_NAME = 60
MAX_OBSTACLES = 2000


@dataclass(frozen=True, eq=False)
class RowScatter:
    """`wanted`: positions of the rows to label; `ellipses` hold `level` of what they are of."""

    points: Float64Array
    names: AnyArray
    wanted: list[int]
    color: ColorGroups | ColorScale | None
    shape: ColorGroups | None
    ellipses: list[Ellipse]
    level: float


def prepare_scatter(
    model: Subspace,
    data: Any,
    points: Float64Array,
    plane: tuple[int, ...],
    *,
    color: Any,
    groups: Any,
    shape: Any,
    ellipse: Any,
    level: float,
    labels: Any,
    annotate: Any,
) -> RowScatter:
    """The arguments of a figure of rows, or the error that says which of them does not fit."""
    measures = row_measures(model, data, plane)
    colors = read_row_colors(color, groups, data, len(points), measures)
    shapes = read_groups(shape, data, len(points), "shape")
    ellipses = ellipses_of(points, colors, ellipse, level)
    names = row_names(data, len(points), labels)
    wanted = rows_to_label(names, annotate)
    return RowScatter(points, names, wanted, colors, shapes, ellipses, level)


def draw_scatter(ax: Axes, look: Theme, cloud: RowScatter, outside: bool) -> IntArray:
    """Points, ellipses and legend; gives back which rows are points."""
    drawn = draw_rows(ax, look, cloud.points, cloud.color, cloud.shape)
    draw_ellipses(ax, cloud.ellipses, look.groups)
    draw_cross(ax, look)
    draw_rings(ax, look, cloud.points, cloud.wanted, drawn)
    entries = legend_entries(look, cloud.color, cloud.shape, cloud.ellipses, cloud.level)
    title = cloud.color.title if isinstance(cloud.color, ColorGroups) else None
    draw_legend(ax, look, entries, title, outside=outside)
    return drawn


def draw_cross(ax: Axes, look: Theme) -> None:
    ax.axhline(0, color=look.faint, lw=0.8, zorder=0)
    ax.axvline(0, color=look.faint, lw=0.8, zorder=0)


def row_names(data: Any, count: int, labels: Any = None) -> AnyArray:
    """As `explain` calls them, (n,): as given, the index of a pandas frame, or positions from 0."""
    if labels is not None:
        given = np.empty(count, dtype=object)
        given[:] = labels_of(data, labels, count)
        return given
    pandas = sys.modules.get("pandas")
    named = pandas is not None and isinstance(data, pandas.DataFrame)
    return np.asarray(data.index) if named else np.arange(count)


def rows_to_label(names: AnyArray, annotate: Any) -> list[int]:
    """Positions of the rows to label."""
    if isinstance(annotate, str):
        if annotate != "auto":
            raise OptionError.needs(
                SetOption("annotate", annotate),
                "'auto', True, False, or labels of rows in a list",
                "pass []",
            )
        have_names = any(isinstance(name, str) for name in names.tolist())
        annotate = have_names and len(names) <= FEW_TO_NAME
    if annotate is False or annotate is None:
        return []
    if annotate is True:
        if len(names) > DENSITY_ABOVE:
            raise OptionError.needs(
                Phrase("{} for {:,} rows", SetOption("annotate", True), len(names)),
                f"at most {DENSITY_ABOVE:,}",
                "name a few of them",
            )
        return list(range(len(names)))
    places = {name: place for place, name in enumerate(names.tolist())}
    missing = [name for name in annotate if name not in places]
    if missing:
        raise OptionError.unknown("label", missing[0], places)
    return [places[name] for name in annotate]


def row_labels(look: Theme, cloud: RowScatter) -> list[Label]:
    """The rows farthest out first: they are the ones people ask about."""
    size = np.linalg.norm(cloud.points[cloud.wanted], axis=1)
    found = []
    for place in np.argsort(-size, kind="stable"):
        row = cloud.wanted[place]
        color = cloud.color
        ink = look.groups[int(color.codes[row])] if isinstance(color, ColorGroups) else look.ink
        x, y = (float(value) for value in cloud.points[row])
        found.append(
            Label(shorten_for_figure(cloud.names[row]), x, y, ink, (0.3 * x, y or 1.0), 7.5)
        )
    return found


def scatter_table(
    names: AnyArray,
    points: Float64Array,
    plane: tuple[int, ...],
    color: ColorGroups | ColorScale | None = None,
    shape: ColorGroups | None = None,
) -> Table:
    """One line per row, drawn or not."""
    columns: dict[str, Any] = {"row": names}
    for component, values in zip(plane, points.T, strict=True):
        columns[f"PC{component + 1}"] = values
    for kind, argument in ((color, "color"), (shape, "shape")):
        if kind is not None:
            title = kind.title if kind.title and kind.title not in columns else argument
            columns[title] = kind.entries()
    return Table(columns)
