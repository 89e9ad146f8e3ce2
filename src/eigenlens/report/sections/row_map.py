"""row_map: where every row lies. The chart is for paper and for browsers without JavaScript."""

from __future__ import annotations

from typing import Any

from eigenlens.document.page import Section, answer_section, show_table
from eigenlens.document.phrases import brief
from eigenlens.document.table import Table
from eigenlens.plots.scores import scores
from eigenlens.report.drawing import chart
from eigenlens.report.facts import Facts

__all__ = ["section"]

SHOWN = 5
MOST = 100


def section(facts: Facts) -> Section:
    n, model = facts.source.shape[0], facts.drawn
    says = [
        f"Every row is a point; rows that are close are alike in what the components hold. "
        f"Rows are named {facts.beside.named_by}."
    ]
    if len(facts.shown) < n:
        says.append(
            f"{len(facts.shown):,} of the {n:,} rows are points: every row past a 99 % limit, and "
            f"a sample of the others, spread over the plane. The shading behind them counts all "
            f"rows."
        )
    parts: list[Any] = []
    if model.n_components >= 2:
        name = next(iter(facts.beside.groups), None)
        color = None if name is None else {name: facts.beside.groups[name]}
        held = float(model.explained_ratio[:2].sum())
        parts.append(
            chart(
                "map",
                "Map of rows",
                f"Every row as a point in the plane of PC1 and PC2, which hold {held:.1%} of the "
                f"variation" + (f", colored by {brief(name)}." if name else "."),
                lambda theme: scores(
                    model,
                    facts.source,
                    color=color,
                    labels=facts.beside.labels,
                    theme=theme,
                ),
                "eigenlens.plots.scores(model, data)",
                most=20,
            )
        )
    parts.append(rows_table(facts))
    return answer_section(
        "map", "Map of rows", says, parts, [one for one in (facts.not_kept,) if one]
    )


def rows_table(facts: Facts) -> Any:
    """The rows farthest out, with their scores; the script shows those that are selected."""
    count = min(SHOWN, facts.looked_at)
    table = facts.outliers
    far = facts.farthest[:MOST]
    columns: dict[str, Any] = {"row": [str(table["row"][place]) for place in far]}
    for index in range(count):
        columns[f"PC{index + 1}"] = facts.scores[far, index].tolist()
    for name in ("T2", "Q", "quadrant"):
        columns[name] = [table[name][place] for place in far]
    caption = (
        "All rows" if len(table) <= MOST else f"The {MOST} rows farthest out, of {len(table):,}"
    )
    return show_table(
        Table(columns),
        caption,
        code="eigenlens.explain.rows(model, data)",
        headings={"T2": "T²"},
        name="map-table",
    )
