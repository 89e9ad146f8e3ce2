"""How long every figure takes, from the call to its pixels, light and dark, with few and many rows.

Twelve columns on four components, rows in three groups named by a column of words; the fit is not
timed. Figures of rows are colored by group, with ellipses where they have them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import eigenlens as el
from benchmarks.report import summary_table, table
from eigenlens import plots

__all__ = ["DRY_DRAWING", "FULL_DRAWING", "DrawingSizes", "drawing_page", "drawing_results"]

COLUMNS, COMPONENTS = 12, 4
THEMES = ("light", "dark")


@dataclass(frozen=True)
class DrawingSizes:
    rows: tuple[int, ...]
    repeats: int


FULL_DRAWING = DrawingSizes(rows=(300, 1_000_000), repeats=3)
DRY_DRAWING = DrawingSizes(rows=(60,), repeats=1)


@dataclass(frozen=True)
class Scene:
    """What figures are drawn from: a frame with a column of groups, and its model."""

    frame: Any
    model: el.Subspace


FIGURES: dict[str, Callable[[Scene, str], Any]] = {
    "biplot": lambda one, theme: plots.biplot(one.model, one.frame, color="group", theme=theme),
    "circle": lambda one, theme: plots.circle(one.model, color="cos2", theme=theme),
    "contributions": lambda one, theme: plots.contributions(one.model, theme=theme),
    "contributions of a row": lambda one, theme: plots.contributions(
        one.model, one.frame, 7, theme=theme
    ),
    "convergence": lambda one, theme: plots.convergence(one.model, theme=theme),
    "outliers": lambda one, theme: plots.outliers(one.model, one.frame, theme=theme),
    "pairs": lambda one, theme: plots.pairs(one.model, one.frame, color="group", theme=theme),
    "reconstruction": lambda one, theme: plots.reconstruction(one.model, one.frame, theme=theme),
    "scores": lambda one, theme: plots.scores(
        one.model, one.frame, color="group", ellipse=("concentration", "confidence"), theme=theme
    ),
    "scores by Q": lambda one, theme: plots.scores(one.model, one.frame, color="Q", theme=theme),
    "scree": lambda one, theme: plots.scree(one.model, theme=theme),
    "spectrum": lambda one, theme: plots.spectrum(one.model, theme=theme),
}


def scene(rows: int) -> Scene:
    import pandas

    rng = np.random.default_rng(rows)
    group = rng.integers(0, 3, rows)
    table = rng.standard_normal((rows, COMPONENTS)) @ rng.standard_normal((COMPONENTS, COLUMNS))
    table += 0.5 * rng.standard_normal(table.shape) + group[:, None]
    frame = pandas.DataFrame(table, columns=[f"x{column}" for column in range(COLUMNS)])
    model = el.fit(frame, COMPONENTS)
    return Scene(frame.assign(group=np.array(["north", "south", "sea"])[group]), model)


def drawing_results(sizes: DrawingSizes) -> list[dict[str, Any]]:
    """Seconds of every figure, by rows and theme; the median of the repeats."""
    import matplotlib

    matplotlib.use("Agg")
    lines = []
    for rows in sizes.rows:
        one = scene(rows)
        for name, draw in FIGURES.items():
            for theme in THEMES:
                seconds = [seconds_of(draw, one, theme) for _ in range(sizes.repeats)]
                line = {"figure": name, "rows": rows, "theme": theme, "seconds": seconds}
                lines.append({**line, "median_seconds": float(np.median(seconds))})
    return lines


def seconds_of(draw: Callable[[Scene, str], Any], one: Scene, theme: str) -> float:
    from matplotlib import pyplot

    start = time.perf_counter()
    draw(one, theme).figure.canvas.draw()
    seconds = time.perf_counter() - start
    pyplot.close("all")
    return seconds


def drawing_page(results: dict[str, Any]) -> list[str]:
    figures = results["figures"]
    sizes = sorted({line["rows"] for line in figures})
    seconds = {(one["figure"], one["rows"], one["theme"]): one["median_seconds"] for one in figures}
    body = [
        (name, *(f"{seconds[name, rows, theme]:.2f}" for rows in sizes for theme in THEMES))
        for name in FIGURES
    ]
    head = ("figure", *(f"{rows:,} rows, {theme}" for rows in sizes for theme in THEMES))
    return [
        "# Figures",
        "",
        "Seconds from the call to the pixels; `benchmarks/drawing.py`.",
        "",
        *summary_table(results["summary"]),
        *table(head, body),
    ]
