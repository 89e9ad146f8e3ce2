"""odd_rows: which rows are unusual, in what way, and which variables make them so."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.errors import EigenlensError
from eigenlens.explain.contributions import contributions as parts_of_row
from eigenlens.listing import Table
from eigenlens.plots.contributions import contributions
from eigenlens.plots.outliers import outliers
from eigenlens.report.drawing import chart
from eigenlens.report.facts import Facts
from eigenlens.report.part import Section, cut, listing
from eigenlens.report.sections.row_map import farthest

__all__ = ["flagged", "section"]

LISTED = 20
CHARTS = 3
NOTHING = "No row stands out: none lies farther than the farthest of as many ordinary rows would."


def section(facts: Facts) -> Section:
    says = facts.found("rows", "influence") or [NOTHING]
    past = flagged(facts)
    n = facts.source.shape[0]
    says = [
        *says,
        f"{len(past):,} of {n:,} rows lie past a 99 % limit, where about {0.01 * n:.3g} to "
        f"{0.02 * n:.3g} ordinary ones would.",
    ]
    parts = [*picture(facts), *worst(facts, past)]
    return Section("odd-rows", "Odd rows", says, parts)


def flagged(facts: Facts) -> list[int]:
    """Rows past the highest limits, the farthest first."""
    table = facts.outliers
    usual = np.array([name in ("usual", None) for name in table["quadrant"]])
    return [int(row) for row in farthest(table, len(table)) if not usual[row]]


def picture(facts: Facts) -> list[Any]:
    def draw(theme: str) -> Any:
        return outliers(facts.model, facts.source, names=facts.beside.labels, theme=theme)

    try:
        return [
            chart(
                "outliers",
                "Far out, or far off",
                "Every row by T², its distance within the components, and Q, its squared distance "
                "to them, with the 95 % and 99 % limits of both.",
                draw,
                "eigenlens.plots.outliers(model, data)",
                most=20,
            )
        ]
    except EigenlensError:
        return []  # without both limits there is no such picture; the table below has what there is


def worst(facts: Facts, past: list[int]) -> list[Any]:
    table = facts.outliers
    parts = {row: parts_of_row(facts.model, facts.source, row) for row in past[:LISTED]}
    if not parts:
        return []
    lines: dict[str, list[Any]] = {"row": [str(table["row"][row]) for row in parts]}
    for name in ("T2", "Q", "quadrant"):
        lines[name] = [table[name][row] for row in parts]
    lines["because of"] = [
        ", ".join(cut(v, 30) for v in one["variable"][:3]) for one in parts.values()
    ]
    listed = listing(
        Table(lines),
        f"The {len(parts)} oddest rows, and the variables to check first"
        if len(past) > len(parts)
        else "Rows past the 99 % limits, and the variables to check first",
        code="eigenlens.explain.outliers(model, data)",
        headings={"T2": "T²"},
    )
    return [listed, *(bars(facts, row, place) for place, row in enumerate(past[:CHARTS]))]


def bars(facts: Facts, row: int, place: int) -> Any:
    name = cut(facts.outliers["row"][row], 40)
    statistic = "T2" if facts.outliers["quadrant"][row] == "extreme but fits" else "Q"
    shown = "T²" if statistic == "T2" else "Q"
    return chart(
        f"row-{place + 1}",
        f"Why {name} is odd",
        f"Bars of what each variable adds to the {shown} of row {name}, the largest first.",
        lambda theme: contributions(
            facts.model, facts.source, row, statistic=statistic, top=12, theme=theme
        ),
        f"eigenlens.plots.contributions(model, data, {row!r}, statistic={statistic!r})",
    )
