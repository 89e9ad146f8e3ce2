"""The angle of an iteration to the truth, pass by pass, with what theory predicts.

    solid, markers   the angle that `solvers.watch` has measured
    dashed           the angle at the first pass, times the predicted rate per pass

The two lines of a component are parallel where the theory holds. A start without a part along a
component stays at a right angle until rounding brings one in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.document.table import Table
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.style import MARKERS, draw_legend, prepare_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_watched", "is_watched"]

SMALLEST = 1e-16
MANY_PASSES = 40


def is_watched(thing: Any) -> bool:
    """Whether it is a table of `solvers.watch`."""
    return isinstance(thing, Table) and "predicted_angle" in thing.columns


def draw_watched(
    tables: Sequence[Table], ax: Axes | None, theme: str | None, labels: Sequence[str] | None
) -> Axes:
    ax, look, own = prepare_axes(ax, theme, (6.8, 4.4))
    place = 0
    for number, table in enumerate(tables):
        head = "" if labels is None else f"{labels[number]}, "
        components = list(dict.fromkeys(table["component"]))
        for component in components:
            lines = [i for i, one in enumerate(table["component"]) if one == component]
            passes = [table["pass"][i] for i in lines]
            found = np.maximum([table["angle"][i] for i in lines], SMALLEST)
            theory = np.maximum([table["predicted_angle"][i] for i in lines], SMALLEST)
            color = look.groups[place % len(look.groups)]
            name = head.rstrip(", ") if len(components) == 1 and head else f"{head}{component}"
            ax.plot(
                passes, found, marker=MARKERS[place % len(MARKERS)], lw=1.6, color=color,
                ms=5 if len(passes) <= MANY_PASSES else 2.5, label=name, zorder=3,
            )  # fmt: skip
            ax.plot(passes, theory, ls="--", lw=1.2, color=color, zorder=2)
            place += 1
    ax.plot([], [], ls="--", lw=1.2, color=look.ink, label="theory")
    ax.set_yscale("log")
    ax.set_xlabel("products with the matrix")
    ax.set_ylabel("angle to the true component")
    draw_legend(ax, look, ax.get_legend_handles_labels()[0], outside=own)
    record_figure_data(ax, tables[0])
    return ax
