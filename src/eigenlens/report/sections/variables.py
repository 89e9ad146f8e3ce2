"""variables: what each variable has to do with each component."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.document.page import MOST_LETTERS, Section, answer_section, show_table
from eigenlens.document.table import Table
from eigenlens.explain.reading import variable_names
from eigenlens.explain.variables import variables
from eigenlens.plots.circle import circle
from eigenlens.plots.plane import values_along_components
from eigenlens.report.drawing import chart
from eigenlens.report.facts import Facts

__all__ = ["section"]

MOST_COLUMNS = 8
MOST_VARIABLES = 100
KINDS = {
    "correlation": ("Correlation of each variable with each component", 1.0),
    "contribution": ("Contribution of each variable to each component, percent", 0.0),
    "cos2": ("Share of each variable that a component shows (cos²)", 1.0),
}


def section(facts: Facts) -> Section:
    model = facts.model
    if not model.n_components:
        return answer_section(
            "variables", "Variables", ["Without components there is nothing to relate."]
        )
    says = [
        "A correlation near +1 or −1 means that the variable goes along with the component; near "
        "0, that the component says nothing about it."
    ]
    parts: list[Any] = []
    if facts.drawn.n_components >= 2:
        parts.append(
            chart(
                "circle",
                "Variables and the first two components",
                "An arrow per variable, ending at its correlations with PC1 and PC2. Arrows that "
                "reach the circle are shown whole by these two; arrows side by side go together.",
                lambda theme: circle(facts.drawn, theme=theme),
                "eigenlens.plots.circle(model)",
                most=MOST_VARIABLES,
            )
        )
    parts += [heat_map(facts, kind, first=kind == "correlation") for kind in KINDS]
    long = [name for name in variable_names(model) if len(name) > MOST_LETTERS]
    if long:
        table = Table({"variable": long})
        parts.append(show_table(table, "Long names in full", sentences=("variable",), folded=True))
    return answer_section("variables", "Variables", says, parts)


def heat_map(facts: Facts, kind: str, first: bool) -> Any:
    """Variables by components, those first that contribute most to what is kept."""
    model = facts.model
    caption, full = KINDS[kind]
    table = variables(model)
    shown = range(min(model.n_components, MOST_COLUMNS))
    names, values = values_along_components(table, "variable", kind, shown)
    _, parts = values_along_components(table, "variable", "contribution", shown)
    order = np.argsort(-(parts @ model.eigenvalues[: len(shown)]), kind="stable")
    columns: dict[str, Any] = {"variable": names[order].tolist()}
    columns |= {f"PC{i + 1}": values[order, i].tolist() for i in shown}
    full = full or max(float(np.nanmax(values)), 1e-9)
    return show_table(
        Table(columns),
        caption,
        most=MOST_VARIABLES,
        code="eigenlens.explain.variables(model)",
        shaded={f"PC{i + 1}": full for i in shown},
        places={f"PC{i + 1}": 1 if kind == "contribution" else 2 for i in shown},
        folded=not first,
    )
