"""keys: which color each item has, and what the legend says about colors, shapes and ellipses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eigenlens.plots.coloring import ColorGroups, ColorScale
from eigenlens.plots.ellipses import Ellipse
from eigenlens.plots.style import MARKERS, Theme, shorten_for_figure

__all__ = ["item_colors", "legend_entries"]


def legend_entries(
    look: Theme,
    color: ColorGroups | ColorScale | None,
    shape: ColorGroups | None = None,
    ellipses: Sequence[Ellipse] = (),
    level: float = 0.95,
) -> list[Any]:
    """One entry per group with its size, per shape, and per kind of ellipse."""
    from matplotlib.lines import Line2D

    entries = []
    if isinstance(color, ColorGroups):
        for code, (name, size) in enumerate(zip(color.names, color.sizes, strict=True)):
            mark = "o" if shape is not None else MARKERS[code]
            entries.append(
                legend_entry(
                    Line2D, mark, look.groups[code], f"{shorten_for_figure(name)} ({size:,})"
                )
            )
    if shape is not None:
        for code, name in enumerate(shape.names):
            entries.append(
                legend_entry(Line2D, MARKERS[code], look.ink, shorten_for_figure(name), hollow=True)
            )
    for kind in dict.fromkeys(one.kind for one in ellipses):
        dashes = (0.0, ()) if kind == "concentration" else (0.0, (4.0, 2.0))
        what = "of rows" if kind == "concentration" else "region of means"
        entries.append(
            Line2D([], [], color=look.ink, linestyle=dashes, lw=1.2, label=f"{level:.0%} {what}")
        )
    return entries


def legend_entry(line: Any, marker: str, color: str, text: str, hollow: bool = False) -> Any:
    return line(
        [],
        [],
        color=color,
        marker=marker,
        linestyle="none",
        markersize=6,
        markerfacecolor="none" if hollow else color,
        label=text,
    )


def item_colors(look: Theme, color: ColorGroups | ColorScale | None, count: int) -> list[Any]:
    """One color for each of `count` items."""
    from matplotlib.colors import Normalize

    if color is None:
        return [look.main] * count
    if isinstance(color, ColorGroups):
        return [look.groups[int(code)] for code in color.codes]
    return list(look.numbers(Normalize(color.low, color.high)(color.values)))
