"""checks: what the components lose, how stable they are, and whether the rows are flat."""

from __future__ import annotations

import numpy as np

from eigenlens.digest.digest import Digest
from eigenlens.digest.sampled_questions import DRAWS
from eigenlens.document.page import PagePart, Section, answer_section, show_table
from eigenlens.document.phrases import count_things, enquote, format_percent, join_names
from eigenlens.document.table import Table
from eigenlens.explain.left_out_spectrum import nothing_left
from eigenlens.explain.reconstruction import EVERYTHING
from eigenlens.plots import reconstruction as draw_reconstruction
from eigenlens.report.drawing import chart

__all__ = ["flatness_section", "reconstruction_section", "stability_section"]


def reconstruction_section(digest: Digest) -> Section:
    model = digest.model
    if not model.n_components:
        says = ["The model keeps no component: everything but the mean is lost."]
        return answer_section("reconstruction", "Reconstruction error", says)
    drawing = chart(
        "reconstruction",
        "Variance lost with each number of components",
        "Lines of the share of each variable that is lost, falling as components are added; the "
        "thick line is all variables together.",
        lambda theme: draw_reconstruction(
            model, digest.source, weights=digest.given_weights, theme=theme
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
    says = [f"{kept} {loses} {lost} of the variance."]
    if nothing_left(model):
        says = [f"Nothing is lost: {kept} hold{loses[4:]} all of the variance."]
    elif each:
        worst = [
            f"{enquote(line['variable'], 40)} ({format_percent(1 - line['explained'], 0)} lost)"
            for line in each[:3]
        ]
        best = (
            f"{enquote(each[-1]['variable'], 40)} ({format_percent(1 - each[-1]['explained'], 0)})"
        )
        says.append(f"Worst reconstructed: {join_names(worst)}. Best: {best}.")
    parts: list[PagePart] = [
        drawing,
        show_table(
            Table(
                {
                    "variable": [line["variable"] for line in each],
                    "lost": [f"{1 - line['explained']:.1%}" for line in each],
                    "error": [line["error"] for line in each],
                }
            ),
            f"Each variable reconstructed from {kept}: share lost, typical error in its own units",
            code="eigenlens.explain.reconstruction(model, data)",
            folded=True,
        ),
    ]
    return answer_section("reconstruction", "Reconstruction error", says, parts)


LOADING_COMPONENTS = 3  # components whose loadings are listed


def stability_section(digest: Digest) -> Section:
    table = digest.sampled.stability.answer
    cautions = [digest.sampled.narrower_note] if digest.sampled.sample_note else []
    if table is None:
        return answer_section("stability", "Stability", [digest.sampled.stability.why_not])
    lines = list(table.lines())
    values = {line["component"]: line for line in lines if line["quantity"] == "eigenvalue"}
    angles = {line["component"]: line for line in lines if line["quantity"] == "angle"}
    firm = [name for name, line in angles.items() if not line["remark"]]
    loose = [name for name, line in angles.items() if line["remark"]]
    says = [
        f"Bootstrap: the model was fitted to {DRAWS} samples drawn from these rows with "
        f"replacement; the intervals hold 95 % of the results."
    ]
    if firm:
        says.append(f"{join_names(firm)} can be distinguished from the other components.")
    if loose:
        others = "" if firm else " be distinguished from the other components"
        says.append(f"{join_names(loose)} cannot{others}: interpret them together, or not at all.")
    both = Table(
        {
            "component": list(values),
            "eigenvalue": [line["estimate"] for line in values.values()],
            "from": [line["low"] for line in values.values()],
            "to": [line["high"] for line in values.values()],
            "turns by": [f"{angles[name]['estimate']:.0f}°" for name in values],
            "95 % at most": [f"{angles[name]['high']:.0f}°" for name in values],
            "remark": [line["remark"] for line in values.values()],
        }
    )
    loadings = [line for line in lines if line["quantity"] == "loading"]
    first = list(values)[:LOADING_COMPONENTS]
    shown = [line for line in loadings if line["component"] in first]
    names = ("component", "variable", "estimate", "low", "high")
    code = "eigenlens.explain.bootstrap(model, data)"
    parts = [
        show_table(both, "Eigenvalues with 95 % intervals, and how far each axis turns", code=code),
        show_table(
            Table({name: [line[name] for line in shown] for name in names}),
            "Loadings (eigenvector × √eigenvalue) with 95 % intervals",
            code=code,
            folded=True,
        ),
    ]
    return answer_section("stability", "Stability", says, parts, cautions)


ANSWERS = {
    "flat": "Flat: the rows scatter around a flat subspace, so the components describe them well.",
    "mild": "Slightly curved: the components are a good but imperfect description of the rows.",
    "curved": "Curved: the rows lie on a curved surface; components show a projection of it.",
}
# The same where the model keeps no component that could describe anything.
ANSWERS_WITHOUT = {
    "flat": "Flat: the rows scatter around a flat subspace, of which no component is kept.",
    "mild": "Slightly curved.",
}


def flatness_section(digest: Digest) -> Section:
    verdict = digest.sampled.flatness.answer
    if verdict is None:
        return answer_section("flatness", "Flatness", [digest.sampled.flatness.why_not])
    numbers = {
        name: value for name, value in verdict.evidence.items() if isinstance(value, int | float)
    }
    reason = f"{verdict.reason[:1].upper()}{verdict.reason[1:]}."
    answer = ANSWERS.get(str(verdict.value), str(verdict.value))
    if not digest.model.n_components:
        answer = ANSWERS_WITHOUT.get(str(verdict.value), answer)
    says = [answer, reason]
    parts = [
        show_table(
            Table({"number": list(numbers), "value": list(numbers.values())}),
            "Evidence for this verdict",
            code="eigenlens.flatness(data)",
            folded=True,
        )
    ]
    cautions = [digest.sampled.sample_note] if digest.sampled.sample_note else []
    return answer_section("flatness", "Flatness", says, parts, cautions)
