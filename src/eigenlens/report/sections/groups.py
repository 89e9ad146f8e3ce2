"""groups: columns from outside the fit, and how they go with the components."""

from __future__ import annotations

from collections import Counter
from typing import Any

from eigenlens.document.page import Section, answer_section, show_table
from eigenlens.document.phrases import brief
from eigenlens.document.table import Table
from eigenlens.explain.supplementary import supplementary_columns
from eigenlens.plots.coloring import MAX_COLOR_GROUPS
from eigenlens.plots.ellipses import FEWEST
from eigenlens.plots.scores import scores
from eigenlens.report.drawing import chart
from eigenlens.report.facts import Facts

__all__ = ["section"]

CHARTS = 3
SHOWN = 5


def section(facts: Facts) -> Section:
    beside, model = facts.beside, facts.model
    columns = {**beside.groups, **beside.columns}
    title = "Groups and outside information"
    if not columns or not model.n_components:
        says = ["No column from outside the fit was named (group=, supplementary_columns=)."]
        if columns:
            names = ", ".join(brief(name, 40) for name in columns)
            says = [f"Without components there is nothing to relate {names} to."]
        return answer_section("groups", title, says, extra_parts(facts), beside.remarks)
    table = supplementary_columns(model, facts.source, columns, weights=facts.given_weights)
    parts: list[Any] = [
        picture(facts, place, name, values)
        for place, (name, values) in enumerate(beside.groups.items())
        if place < CHARTS and facts.drawn.n_components >= 2 and values.dtype.kind != "f"
    ]
    parts += tables(table)
    return answer_section(
        "groups", title, facts.found("groups"), [*parts, *extra_parts(facts)], beside.remarks
    )


def picture(facts: Facts, place: int, name: str, values: Any) -> Any:
    return chart(
        f"groups-{place + 1}",
        f"Rows by {brief(name, 40)}",
        f"Rows in the plane of PC1 and PC2, colored and shaped by {brief(name)}, with the region "
        f"where the mean of each group lies.",
        lambda theme: scores(
            facts.drawn,
            facts.source,
            color={name: values},
            ellipse="confidence" if all_have_ellipses(values) else None,
            annotate=False,
            labels=facts.beside.labels,
            theme=theme,
        ),
        f"eigenlens.plots.scores(model, data, color={brief(name, 40)!r}, ellipse='confidence')",
        most=20,
    )


def all_have_ellipses(values: Any) -> bool:
    """Rows without a group are drawn as one too."""
    sizes = Counter(map(str, values.tolist()))
    return len(sizes) <= MAX_COLOR_GROUPS and min(sizes.values()) >= FEWEST


def tables(table: Table) -> list[Any]:
    """Numbers with their correlations, categories with their centroids and v-tests."""
    lines = [line for line in table.lines() if int(line["component"][2:]) <= SHOWN]
    has = "category" in table.columns
    numbers = [line for line in lines if not has or line["category"] is None]
    groups = [line for line in lines if has and line["category"] is not None]
    parts = []
    if groups:
        names = ("variable", "category", "component", "centroid", "v_test", "eta2", "cos2")
        parts.append(
            show_table(
                Table({name: [line[name] for line in groups] for name in names}),
                "Groups: centroid, v-test (beyond ±2 is unusual) and share explained (η²)",
                code="eigenlens.explain.supplementary_columns(model, data, columns)",
                headings={"eta2": "η²", "v_test": "v-test", "cos2": "cos²"},
                places={"centroid": 2, "v_test": 2, "eta2": 3, "cos2": 3},
            )
        )
    if numbers:
        kept = ("variable", "component", "correlation", "cos2")
        parts.append(
            show_table(
                Table({name: [line[name] for line in numbers] for name in kept}),
                "Numbers from outside the fit: correlation with each component",
                code="eigenlens.explain.supplementary_columns(model, data, columns)",
                shaded={"correlation": 1.0},
                headings={"cos2": "cos²"},
                places={"correlation": 2, "cos2": 3},
            )
        )
    return parts


def extra_parts(facts: Facts) -> list[Any]:
    if facts.extra is None:
        return []
    extra = facts.extra
    columns: dict[str, Any] = {"row": extra.labels}
    for index in range(min(SHOWN, facts.looked_at)):
        columns[f"PC{index + 1}"] = facts.extra_scores[:, index].tolist()
    for name in ("T2", "Q", "quadrant"):
        columns[name] = extra.table[name]
    return [
        show_table(
            Table(columns),
            "Supplementary rows: no part of the fit, seen through it",
            code="eigenlens.explain.supplementary_rows(model, rows)",
            headings={"T2": "T²"},
        )
    ]
