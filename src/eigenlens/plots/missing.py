"""missing: where cells are missing, column by column, and how well they are predicted.

bars      share of the cells that are missing; the dark part is what the other columns predict
star      columns whose cells are missing where the first component is high or low
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.explain.missing import missing as columns_with_holes
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.plane import check_whole_number
from eigenlens.plots.style import (
    Theme,
    draw_legend,
    prepare_axes,
    shorten_for_figure,
    write_note,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["missing"]

MOST_BARS = 30


def missing(
    model: Any,
    data: Any,
    *,
    top: int = MOST_BARS,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Bars of the share of missing cells per column, the largest first.

    The dark part of a bar is what the other columns predict of the missing cells, as cells hidden
    on purpose show; a star marks columns whose holes go with the first component (|v-test| > 2).

    Parameters
    ----------
    model : fitted with missing="auto", "gaussian" or "lowrank"
    top : how many columns at most; those without missing cells are not shown

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((60, 4))
    >>> rows[:8, 2] = np.nan
    >>> ax = missing(eigenlens.fit(rows, 2, missing="auto"), rows)
    >>> len(ax.get_yticks())
    1
    """
    most = check_whole_number("top", top, 1)
    table = columns_with_holes(model, data)
    shares = np.asarray(table["share"], dtype=float)
    lacking = np.flatnonzero(shares > 0)
    order = lacking[np.argsort(-shares[lacking], kind="stable")][:most]
    tests = np.array([np.nan if one is None else one for one in table["v_test"]], dtype=float)

    ax, look, own = prepare_axes(ax, theme, (6.4, 1.6 + 0.26 * max(len(order), 1)))
    predictable = np.asarray(table["predictable"], dtype=float)
    names = np.asarray(table["column"], dtype=object)[order]
    stars = np.abs(np.nan_to_num(tests[order])) > 2
    handles = draw_shares(ax, look, names, shares[order], predictable[order], stars)
    ax.set_xlabel("missing cells, percent of the column")
    draw_legend(ax, look, handles, outside=own)
    rest = len(shares) - len(order)
    if rest:
        without = len(shares) - len(lacking)
        write_note(ax, look, f"{without} of {len(shares)} columns lack no cell")
    record_figure_data(ax, table)
    return ax


def draw_shares(
    ax: Axes,
    look: Theme,
    names: AnyArray,
    shares: Float64Array,
    predictable: Float64Array,
    stars: AnyArray,
) -> list[Any]:
    """The largest on top; gives back what the legend explains."""
    places = np.arange(len(shares))
    whole = ax.barh(places, 100 * shares, 0.72, color=look.faint, zorder=2, label="missing")
    part = ax.barh(
        places,
        100 * shares * predictable,
        0.72,
        color=look.main,
        zorder=3,
        label="predicted by other columns",
    )
    labels = [
        f"{shorten_for_figure(name)}{' *' * bool(star)}"
        for name, star in zip(names, stars, strict=True)
    ]
    ax.set_yticks(places, labels)
    ax.set_ylim(max(len(shares), 1) - 0.4, -0.6)
    ax.set_xlim(0, min(100.0, 108 * float(shares.max(initial=0.01))))
    handles: list[Any] = [whole, part]
    if stars.any():
        (mark,) = ax.plot([], [], linestyle="none", marker="*", color=look.ink)
        mark.set_label("missing where PC1 is high or low")
        handles.append(mark)
    return handles
