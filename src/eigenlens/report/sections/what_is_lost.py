"""what_is_lost: how much of each variable the components do not tell."""

from __future__ import annotations

import numpy as np

from eigenlens.document.page import Part, Section, answer_section, show_table
from eigenlens.document.phrases import brief, count_things, format_percent
from eigenlens.document.table import Table
from eigenlens.explain.leftover import nothing_left
from eigenlens.explain.reconstruction import EVERYTHING
from eigenlens.plots import reconstruction as draw_reconstruction
from eigenlens.report.drawing import chart
from eigenlens.report.facts import Facts

__all__ = ["section"]


def section(facts: Facts) -> Section:
    model = facts.model
    if not model.n_components:
        says = ["The model keeps no component: everything but the mean is lost."]
        return answer_section("what-is-lost", "What is lost", says)
    drawing = chart(
        "reconstruction",
        "What is lost with each number of components",
        "Lines of the share of each variable that is lost, falling as components are added; the "
        "thick line is all variables together.",
        lambda theme: draw_reconstruction(
            model, facts.source, weights=facts.given_weights, theme=theme
        ),
        "eigenlens.plots.reconstruction(model, data)",
    )
    last = [line for line in drawing.numbers.lines() if line["k"] == model.n_components]
    whole = next(line for line in last if line["variable"] == EVERYTHING)
    each = [line for line in last if line is not whole and np.isfinite(line["explained"])]
    each.sort(key=lambda line: line["explained"])
    lost = format_percent(1 - whole["explained"], 1)
    kept = count_things(model.n_components, "component")
    loses = "loses" if model.n_components == 1 else "lose"
    says = [f"{kept} {loses} {lost} of the variation."]
    if nothing_left(model):
        says = [f"Nothing is lost: {kept} hold{loses[4:]} all of the variation."]
    elif each:
        worst = [
            f"{brief(line['variable'], 40)} ({format_percent(1 - line['explained'], 0)} lost)"
            for line in each[:3]
        ]
        best = f"{brief(each[-1]['variable'], 40)} ({format_percent(1 - each[-1]['explained'], 0)})"
        says.append(f"Worst kept: {', '.join(worst)}. Best kept: {best}.")
    parts: list[Part] = [
        drawing,
        show_table(
            Table(
                {
                    "variable": [line["variable"] for line in each],
                    "lost": [f"{1 - line['explained']:.1%}" for line in each],
                    "error": [line["error"] for line in each],
                }
            ),
            f"Each variable rebuilt from {kept}: share lost, and typical error in its own units",
            code="eigenlens.explain.reconstruction(model, data)",
            folded=True,
        ),
    ]
    return answer_section("what-is-lost", "What is lost", says, parts)
