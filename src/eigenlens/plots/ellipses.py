"""ellipses: where a group lies, and how well its middle is known.

    (x - m)' S^-1 (x - m)  <=  r^2        m, S: mean and covariance of a group of n rows

    concentration   r^2 = 2 (n+1)(n-1) / (n (n-2)) F(2, n-2)    holds one more row of the group
    confidence      r^2 = 2 (n-1) / (n (n-2)) F(2, n-2)         holds the group's true mean

with the stated probability, exactly, for normal groups (Johnson and Wichern, chapter 5). Differs
from drawings that take a chi-square in place of F: for 5 rows those are too small by half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.plots.coloring import ColorGroups, ColorScale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ELLIPSE_KINDS", "Ellipse", "draw_ellipses", "ellipses_of"]

ELLIPSE_KINDS = ("concentration", "confidence")
FEWEST = 3  # rows: two lie on a line whatever they are
CORNERS = 181


@dataclass(frozen=True, eq=False)
class Ellipse:
    """Center, and half axes as columns: points are center + axes (cos t, sin t)."""

    group: str | None
    kind: str
    rows: int
    center: Float64Array
    axes: Float64Array
    code: int = 0

    def outline(self) -> Float64Array:
        """(corners, 2)."""
        turn = np.linspace(0, 2 * np.pi, CORNERS)
        return self.center + np.column_stack([np.cos(turn), np.sin(turn)]) @ self.axes.T


def ellipses_of(
    points: Float64Array, color: ColorGroups | ColorScale | None, kinds: Any, level: float
) -> list[Ellipse]:
    """One for each group and kind, from all rows; without groups, one of all together."""
    wanted = check_ellipse_kinds(kinds)
    if not wanted:
        return []
    if not 0 < level < 1:
        raise OptionError.needs(
            SetOption("level", level),
            "a number between 0 and 1",
            Phrase("pass {}", SetOption("level", 0.95)),
        )
    groups: list[tuple[str | None, Float64Array]]
    if isinstance(color, ColorGroups):
        groups = [(name, points[color.codes == code]) for code, name in enumerate(color.names)]
    else:
        groups = [(None, points)]
    refuse_small_groups(groups)
    return [
        ellipse_of(name, rows, kind, level, code)
        for code, (name, rows) in enumerate(groups)
        for kind in wanted
    ]


def check_ellipse_kinds(kinds: Any) -> Sequence[str]:
    asked = () if kinds is None else (kinds,) if isinstance(kinds, str) else tuple(kinds)
    for kind in asked:
        if kind not in ELLIPSE_KINDS:
            raise OptionError.unknown("ellipse", kind, ELLIPSE_KINDS)
    return asked


def refuse_small_groups(groups: Sequence[tuple[str | None, Float64Array]]) -> None:
    few = [f"{name!r} has {len(rows)}" for name, rows in groups if len(rows) < FEWEST]
    if few:
        raise OptionError.needs(
            Option("ellipse"),
            f"at least {FEWEST} rows in every group, but {', '.join(few)}",
            Phrase(
                "leave these rows out, join them with another group, or pass {}",
                SetOption("ellipse", None),
            ),
        )


def ellipse_of(name: str | None, rows: Float64Array, kind: str, level: float, code: int) -> Ellipse:
    from scipy.special import fdtri

    count = len(rows)
    center = rows.mean(axis=0)
    radius2 = 2 * (count - 1) / (count * (count - 2)) * float(fdtri(2, count - 2, level))
    if kind == "concentration":
        radius2 *= count + 1
    variances, directions = np.linalg.eigh(np.cov(rows, rowvar=False))
    axes = directions * np.sqrt(np.maximum(variances, 0) * radius2)
    return Ellipse(name, kind, count, center, axes, code)


def draw_ellipses(ax: Axes, ellipses: Sequence[Ellipse], colors: Sequence[str]) -> None:
    """Solid for concentration, dashed for confidence."""
    for one in ellipses:
        x, y = one.outline().T
        line = "-" if one.kind == "concentration" else "--"
        ax.plot(x, y, line, color=colors[one.code], linewidth=1.4, zorder=3)
        ax.plot(*one.center, "+", color=colors[one.code], markersize=9, zorder=3)
