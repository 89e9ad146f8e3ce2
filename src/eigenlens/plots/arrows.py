"""arrows: variables in the plane of two components: which of them, and how they are drawn.

The part of variable j in a plane is the mean of its contributions to both components, weighted by
their eigenvalues: what share of the plane's variance it makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, IntArray
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.explain.variables import variables
from eigenlens.model.subspace import Subspace
from eigenlens.plots.labels import Label
from eigenlens.plots.plane import check_whole_number, values_along_components, weighted_share
from eigenlens.plots.style import shorten_for_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "CROWDED_ARROWS",
    "arrow_labels",
    "choose_variables",
    "draw_arrows",
    "points_along_arrows",
    "variable_table",
    "variables_in_plane",
]

CROWDED_ARROWS = "arrows are too short or too crowded to name"
STEPS = np.linspace(0.0, 1.0, 24)[:, None]


def variables_in_plane(
    model: Subspace, plane: tuple[int, ...], value: str
) -> tuple[AnyArray, Float64Array, Float64Array]:
    """Names, `value` along both components (d, 2), and percent of the plane, (d,)."""
    table = variables(model)
    names, ends = values_along_components(table, "variable", value, plane)
    _, parts = values_along_components(table, "variable", "contribution", plane)
    return names, ends, weighted_share(model, parts, plane)


def choose_variables(
    names: AnyArray, share: Float64Array, ends: Float64Array, top: Any, default: int
) -> IntArray:
    """Positions of the variables to draw, the largest part first; `top` may name them."""
    exists = np.asarray(np.isfinite(ends).all(axis=1))
    if top is None or isinstance(top, Real):
        count = default if top is None else check_whole_number("top", top, 1)
        order = np.argsort(-share, kind="stable")
        return order[exists[order]][:count]
    places = {name: place for place, name in enumerate(names.tolist())}
    asked = [top] if isinstance(top, str) else list(top)
    for name in asked:
        if name not in places:
            raise OptionError.unknown("top", name, places)
    found = np.array([places[name] for name in asked], dtype=np.intp)
    return found[exists[found]]


def draw_arrows(ax: Axes, ends: Float64Array, colors: Sequence[Any]) -> None:
    for (x, y), color in zip(ends, colors, strict=True):
        ax.annotate(
            "",
            (x, y),
            xytext=(0, 0),
            arrowprops={
                "arrowstyle": "-|>",
                "color": color,
                "linewidth": 1.3,
                "shrinkA": 0,
                "shrinkB": 0,
                "mutation_scale": 11,
            },
            annotation_clip=False,
            zorder=4,
        )


def points_along_arrows(ends: Float64Array) -> list[Float64Array]:
    """Points along each arrow, for labels to keep off."""
    return [STEPS * end for end in ends]


def arrow_labels(names: AnyArray, ends: Float64Array, colors: Sequence[Any]) -> list[Label]:
    return [
        Label(
            shorten_for_figure(name),
            float(x),
            float(y),
            color,
            (float(x), float(y)),
            9.0,
            True,
            arrow=True,
        )
        for name, (x, y), color in zip(names, ends, colors, strict=True)
    ]


def variable_table(
    names: AnyArray, ends: Float64Array, share: Float64Array, plane: tuple[int, ...]
) -> Table:
    """One line per variable, drawn or not."""
    columns: dict[str, Any] = {"variable": names}
    for component, values in zip(plane, ends.T, strict=True):
        columns[f"PC{component + 1}"] = values
    columns["contribution"] = share
    return Table(columns)
