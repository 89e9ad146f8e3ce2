"""odd_rows: which rows are unusual, in what way, and which variables make them so."""

from __future__ import annotations

from typing import Any

from eigenlens.document.page import Chart, Gallery, Section, answer_section, show_table
from eigenlens.document.phrases import brief
from eigenlens.document.table import Table
from eigenlens.errors import EigenlensError
from eigenlens.plots.contributions import contributions
from eigenlens.plots.outliers import outliers
from eigenlens.report.drawing import chart
from eigenlens.report.facts import ODD, Facts

__all__ = ["NOTHING", "section", "told"]

CHARTS = 3
BARS = 10
NOTHING = "No row stands out: none lies farther than the farthest of as many ordinary rows would."

TOO_FEW = "There are too few rows for a limit to judge them by."


def section(facts: Facts) -> Section:
    says = [*told(facts), *past_limits(facts)]
    parts = [*picture(facts), *worst(facts)]
    return answer_section("odd-rows", "Odd rows", says, parts)


def told(facts: Facts) -> list[str]:
    """What the findings say of rows; that there is nothing to say, where they name none."""
    found = facts.found("rows", "influence")
    if any(facts.numbers("rows", "influence")):
        return found
    return [NOTHING if has_limits(facts) else TOO_FEW, *found]


def has_limits(facts: Facts) -> bool:
    return any(facts.outliers[f"{name}_limit_99"][0] is not None for name in ("T2", "Q"))


def past_limits(facts: Facts) -> list[str]:
    if not has_limits(facts):
        return []
    n, count = facts.source.shape[0], len(facts.odd)
    few, many = (f"{share * n:,.0f}" if n >= 100 else f"{share * n:.2g}" for share in (0.01, 0.02))
    return [
        f"{count:,} of {n:,} rows {'lies' if count == 1 else 'lie'} past a 99 % limit, where of "
        f"ordinary rows about {few} to {many} would."
    ]


def picture(facts: Facts) -> list[Any]:
    def draw(theme: str) -> Any:
        return outliers(facts.model, facts.source, labels=facts.beside.labels, theme=theme)

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


def worst(facts: Facts) -> list[Any]:
    table, rows = facts.outliers, facts.odd[:ODD]
    if not rows:
        return []
    lines: dict[str, list[Any]] = {"row": [str(table["row"][row]) for row in rows]}
    for name in ("T2", "Q", "quadrant"):
        lines[name] = [table[name][row] for row in rows]
    lines["check first"] = [", ".join(brief(v, 30) for v in one[:3]) for one in facts.reasons]
    every = len(facts.odd) == len(rows)
    listed = show_table(
        Table(lines),
        "Rows past the 99 % limits" if every else f"The {len(rows)} rows farthest past the limits",
        code="eigenlens.explain.outliers(model, data)",
        headings={"T2": "T²", "quadrant": "in what way"},
        sentences=("check first",),
    )
    return [listed, Gallery(tuple(bars(facts, place) for place in range(min(CHARTS, len(rows)))))]


def bars(facts: Facts, place: int) -> Chart:
    row = facts.odd[place]
    name, label = brief(facts.called(row), 40), brief(facts.beside.labels[row], 40)
    statistic = facts.odd_by(row)
    shown = "T²" if statistic == "T2" else "Q"
    # The others go by their numbers: their names may repeat this one.
    called: list[Any] = [*range(len(facts.oddest))]
    called[place] = label
    return chart(
        f"row-{place + 1}",
        f"Why {name} is odd",
        f"Bars of what each variable adds to the {shown} of {name}, the largest first. An error in "
        f"one variable shows in the bars of others: the table above says which to check first.",
        lambda theme: contributions(
            facts.model,
            facts.oddest,
            label,
            statistic=statistic,
            top=BARS,
            labels=called,
            theme=theme,
        ),
        f"eigenlens.plots.contributions(model, data, {row!r}, statistic={statistic!r})",
    )
