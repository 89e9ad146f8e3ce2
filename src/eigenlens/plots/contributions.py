"""contributions: which variables make a component, or which make a row stand out.

Bars, the largest first, with a dashed line at what every variable would have if all had the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.explain.contributions import contributions as parts_of_row
from eigenlens.explain.model_rows import get_model, variable_names
from eigenlens.explain.variables import variables
from eigenlens.model.subspace import Subspace
from eigenlens.plots.coloring import ColorGroups, read_colors
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.legend_entries import item_colors, legend_entries
from eigenlens.plots.plane import (
    check_whole_number,
    component_positions,
    values_along_components,
    weighted_share,
)
from eigenlens.plots.style import (
    Theme,
    draw_legend,
    percent_label,
    prepare_axes,
    shorten_for_figure,
    write_note,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["contributions"]

MOST_BARS = 20
STATISTICS = ("T2", "Q")


def contributions(
    model: Any,
    data: Any = None,
    row: Any = None,
    *,
    components: Any = 1,
    statistic: str = "Q",
    top: int = MOST_BARS,
    color: Any = None,
    labels: Any = None,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Bars of what each variable contributes.

    Parameters
    ----------
    data, row : with them, the bars are of that row's `statistic`, "T2" or "Q"
    components : without them, of this component, or of several together, weighted by eigenvalue
    top : how many variables at most
    color : one value per variable
    labels : names of the rows, one each; a pandas frame names them by its index

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 1, 1]
    >>> ax = contributions(eigenlens.fit(rows, 2), components=1)
    >>> len(ax.patches)
    4
    """
    model = get_model(model)
    most = check_whole_number("top", top, 1)
    if (data is None) != (row is None):
        raise OptionError.needs(
            "contributions of a row",
            "both the data and the row",
            Phrase(
                "name the data and a row: {} and {}", Option("data", "rows"), SetOption("row", 7)
            ),
        )
    if row is None:
        variable, values, label, table = component_contributions(model, components)
    else:
        variable, values, label, table = row_contributions(model, data, row, statistic, labels)
    colors = read_colors(color, None, len(variable), items="variables")
    order = np.argsort(-values, kind="stable")[:most]

    ax, look, own = prepare_axes(ax, theme, (6.4, 1.6 + 0.26 * len(order)))
    ink = item_colors(look, colors, len(variable))
    bar_inks = [ink[place] for place in order]
    line = draw_bars(ax, look, variable[order], values[order], bar_inks, float(values.mean()))
    ax.set_xlabel(label)
    title = colors.title if isinstance(colors, ColorGroups) else None
    draw_legend(ax, look, [*legend_entries(look, colors), line], title, outside=own)
    if len(order) < len(variable):
        write_note(ax, look, f"the largest {len(order)} of {len(variable):,}")
    record_figure_data(ax, table)
    return ax


def draw_bars(
    ax: Axes, look: Theme, names: AnyArray, values: Float64Array, colors: list[Any], average: float
) -> Any:
    """The largest on top; gives back the line of the average."""
    places = np.arange(len(values))
    ax.barh(places, values, 0.72, color=colors, zorder=2)
    ax.set_yticks(places, [shorten_for_figure(name) for name in names])
    ax.set_ylim(len(values) - 0.4, -0.6)
    line = ax.axvline(average, color=look.ink, linestyle="--", lw=1, zorder=3)
    line.set_label(f"average, {average:.3g}")
    return line


def component_contributions(
    model: Subspace, components: Any
) -> tuple[AnyArray, Float64Array, str, Table]:
    chosen = component_positions(model, components)
    names, parts = values_along_components(variables(model), "variable", "contribution", chosen)
    values = weighted_share(model, parts, chosen)
    label = " and ".join(percent_label(model, one) for one in chosen)
    columns: dict[str, Any] = {"variable": names, "contribution": values}
    return names, values, f"contribution to {label}, percent", Table(columns)


def row_contributions(
    model: Subspace, data: Any, row: Any, statistic: str, labels: Any
) -> tuple[AnyArray, Float64Array, str, Table]:
    if statistic not in STATISTICS:
        raise OptionError.unknown("statistic", statistic, STATISTICS)
    table = parts_of_row(model, data, row, labels=labels)
    parts = dict(zip(table["variable"], table[f"{statistic}_contribution"], strict=True))
    # In the order of the model's variables, which is the order of `color`.
    names = np.asarray(variable_names(model), dtype=object)
    values = np.array([parts[name] for name in names])
    shown = "T²" if statistic == "T2" else "Q"
    return names, values, f"contribution to {shown} of row {shorten_for_figure(row)}", table
