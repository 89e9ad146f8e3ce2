"""outliers: T² against Q, one point per row, with the limits of both.

    right of the limit   extreme but fits       far out in the subspace
    above the limit      breaks the pattern     far off it
    both                 far out and far off

Rows past the highest limits are named, the farthest first, as far as there is room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, IntArray
from eigenlens.document.phrases import count_things
from eigenlens.document.table import Table
from eigenlens.errors import RankError
from eigenlens.explain.left_out_spectrum import LAWS
from eigenlens.explain.limits import keep_fewer_components
from eigenlens.explain.model_rows import get_model
from eigenlens.explain.outliers import QUADRANTS
from eigenlens.explain.outliers import outliers as outlier_table
from eigenlens.plots.coloring import ColorGroups, read_row_colors, row_measures
from eigenlens.plots.density import draw_rings, draw_rows
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.labels import Label, count_unplaced, place_labels
from eigenlens.plots.legend_entries import legend_entries
from eigenlens.plots.plane import check_whole_number
from eigenlens.plots.row_scatter import MAX_OBSTACLES, UNLABELED_ROWS
from eigenlens.plots.style import SMALL_FONT, Theme, draw_legend, prepare_axes, shorten_for_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from eigenlens.model.subspace import Subspace

__all__ = ["outliers"]

MOST_NAMED = 12
HEADROOM = 1.12
LABEL_RADIUS = 37.0  # pixels at 100 dpi: leading lines into a crowd lead nowhere
LABEL_SPACING = (0.03, 0.035)  # of the axis: words nearer than this would lie on each other
FAR = 8.0  # times the limit: beyond, most rows would be squeezed into a corner


def outliers(
    model: Any,
    data: Any,
    *,
    new: bool = False,
    levels: Sequence[float] = (0.95, 0.99),
    law: str = LAWS[0],
    reference: Any = None,
    color: Any = None,
    groups: Any = None,
    log: bool | None = None,
    labels: Any = None,
    annotate: int = MOST_NAMED,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """T² against Q of every row, with limits, in four named quadrants.

    Parameters
    ----------
    data, new, levels, law, reference : as in `explain.outliers`
    color, groups : as in `scores`; by default the quadrant
    log : logarithmic axes; by default where a row lies more than 8 times past a limit
    labels : names of the rows, one each; a pandas frame names them by its index
    annotate : of how many of the rows past the highest limits to write the label, at most

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 1, 1]
    >>> ax = outliers(eigenlens.fit(rows, 2), rows)
    >>> ax.get_xlabel().startswith("T²")
    True
    """
    model = get_model(model)
    most = check_whole_number("annotate", annotate, 0)
    table = outlier_table(
        model, data, new=new, levels=levels, law=law, reference=reference, labels=labels
    )
    shares = [f"{100 * level:.10g}" for level in sorted(levels)]
    limits = limits_in(model, table, shares)
    points = np.column_stack([np.asarray(table["T2"]), np.asarray(table["Q"])]).astype(float)
    measures = row_measures(model, data, range(model.n_components))
    colors = read_row_colors(color, groups, data, len(points), measures)
    if colors is None:
        colors = quadrant_groups(points > limits[-1])
    if log is None:
        log = bool((points.max(axis=0) > FAR * limits[-1]).any()) and bool((points > 0).all())
    shown = np.maximum(points, 1e-3 * limits[-1]) if log else points

    ax, look, own = prepare_axes(ax, theme, (7.4, 5.4))
    drawn = draw_rows(ax, look, shown, colors, log=log)
    taken = draw_limits(ax, look, limits, shares, shown, log)
    ax.set_xlabel(f"T²: distance within {plane_words(model)}")
    ax.set_ylabel("Q: squared distance to the subspace")
    title = colors.title if isinstance(colors, ColorGroups) else None
    draw_legend(ax, look, legend_entries(look, colors), title, outside=own)
    farthest = past_limits(points / limits[-1], most)
    draw_rings(ax, look, shown, farthest, drawn)
    words = outlier_labels(look, shown[farthest], [table["row"][row] for row in farthest])
    crowd = shown[drawn[:MAX_OBSTACLES]]
    placed = place_labels(ax, words, crowd, limit_lines(ax, limits), taken, LABEL_RADIUS)
    record_figure_data(ax, table, count_unplaced(placed, UNLABELED_ROWS))
    return ax


def plane_words(model: Subspace) -> str:
    held = float(model.explained_ratio.sum())
    count = model.n_components
    return f"{count} component{'s' if count > 1 else ''} ({held:.1%})"


def limits_in(model: Subspace, table: Table, names: Sequence[str]) -> Float64Array:
    """(levels, 2) of T2 and Q; a limit that does not exist has no picture."""
    found = [[table[f"{what}_limit_{name}"][0] for what in ("T2", "Q")] for name in names]
    if any(limit is None for pair in found for limit in pair):
        raise RankError.needs(
            f"a plot of T² against Q with {count_things(model.n_components, 'component')}",
            "limits of both, so rows to spare and variance left out of the model",
            *keep_fewer_components(model, "use the table of outliers"),
        )
    return np.array(found, dtype=np.float64)


def quadrant_groups(past: AnyArray) -> ColorGroups:
    """From whether T2 and Q are past their highest limits, (n, 2)."""
    return ColorGroups(None, QUADRANTS, past[:, 0] + 2 * past[:, 1])


def draw_limits(
    ax: Axes,
    look: Theme,
    limits: Float64Array,
    names: Sequence[str],
    points: Float64Array,
    log: bool,
) -> list[Any]:
    """Lines at the limits, the highest solid; gives back the words along them."""
    high = np.maximum(points.max(axis=0), limits.max(axis=0))
    if log:
        ax.set_xscale("log")
        ax.set_yscale("log")
        low = points.min(axis=0)
        start, stop = low * (low / high) ** 0.04, high * (high / low) ** 0.1
    else:
        start, stop = -0.015 * high, HEADROOM * high
    ax.set_xlim(start[0], stop[0])
    ax.set_ylim(start[1], stop[1])
    for line, (x, y) in zip([":"] * (len(limits) - 1) + ["-"], limits, strict=True):
        ax.axvline(x, color=look.ink, linestyle=line, lw=0.9, zorder=3)
        ax.axhline(y, color=look.ink, linestyle=line, lw=0.9, zorder=3)
    return [
        text for axis in (0, 1) for text in write_levels(ax, look, limits[:, axis], names, axis)
    ]


def limit_lines(ax: Axes, limits: Float64Array) -> list[Float64Array]:
    """Points along the limits, for labels to keep off."""
    across = ax.transData.inverted().transform
    ends = ax.transAxes.transform(np.linspace([0, 0], [1, 1], 100))
    x, y = across(ends).T
    return [
        line
        for t2, q in limits
        for line in (
            np.column_stack([np.full_like(y, t2), y]),
            np.column_stack([x, np.full_like(x, q)]),
        )
    ]


def write_levels(
    ax: Axes, look: Theme, limits: Float64Array, names: Sequence[str], axis: int
) -> list[Any]:
    """Each level at the end of its line; those too close to be read apart share one place."""
    words: dict[str, Any] = {"fontsize": SMALL_FONT - 1, "color": look.ink, "zorder": 6}
    together: list[tuple[float, str]] = []
    for limit, name in zip(limits, names, strict=True):
        text = f"{name}%"
        if (
            together
            and position_along_axis(ax, limit, axis)
            - position_along_axis(ax, together[-1][0], axis)
            < LABEL_SPACING[axis]
        ):
            text = f"{together.pop()[1]}, {text}"
        together.append((float(limit), text))
    if axis == 0:
        across = ax.get_xaxis_transform()
        sideways: dict[str, Any] = {"rotation": 90, "ha": "right", "va": "top", **words}
        return [ax.text(x, 0.97, text, transform=across, **sideways) for x, text in together]
    up = ax.get_yaxis_transform()
    above: dict[str, Any] = {"ha": "right", "va": "bottom", **words}
    return [ax.text(0.995, y, text, transform=up, **above) for y, text in together]


def position_along_axis(ax: Axes, limit: float, axis: int) -> float:
    """How far along the axis it lies, from 0 to 1."""
    ends = ax.transAxes.inverted().transform(ax.transData.transform((limit, limit)))
    return float(ends[axis])


def past_limits(excess: Float64Array, most: int) -> IntArray:
    """The rows farthest past their highest limits, by how many times they exceed them."""
    past: AnyArray = excess.max(axis=1)
    flagged = np.flatnonzero(past > 1)
    return flagged[np.argsort(-past[flagged], kind="stable")][:most]


def outlier_labels(look: Theme, places: Float64Array, names: Sequence[Any]) -> list[Label]:
    return [
        Label(shorten_for_figure(name), float(x), float(y), look.ink)
        for name, (x, y) in zip(names, places, strict=True)
    ]
