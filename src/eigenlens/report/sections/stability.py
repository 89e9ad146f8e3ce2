"""stability: how much would change with other rows like these."""

from __future__ import annotations

from eigenlens.document.page import Section, answer_section, show_table
from eigenlens.document.phrases import join_names
from eigenlens.document.table import Table
from eigenlens.report.costly import DRAWS
from eigenlens.report.facts import Facts

__all__ = ["section"]

LOADINGS = 3  # components whose loadings are listed


def section(facts: Facts) -> Section:
    table = facts.costly.stability.answer
    cautions = [facts.costly.narrower] if facts.costly.asked_of else []
    if table is None:
        return answer_section("stability", "Stability", [facts.costly.stability.why_not])
    lines = list(table.lines())
    values = {line["component"]: line for line in lines if line["quantity"] == "eigenvalue"}
    angles = {line["component"]: line for line in lines if line["quantity"] == "angle"}
    firm = [name for name, line in angles.items() if not line["remark"]]
    loose = [name for name, line in angles.items() if line["remark"]]
    says = [
        f"{DRAWS} times, rows were drawn again from these and the model was fitted anew; intervals "
        f"hold 95 % of what came out."
    ]
    if firm:
        says.append(f"{join_names(firm)} can be told apart from the others.")
    if loose:
        others = "" if firm else " be told apart from the others"
        says.append(
            f"{join_names(loose)} cannot{others}: read such components together, or not at all."
        )
    both = Table(
        {
            "component": list(values),
            "eigenvalue": [line["estimate"] for line in values.values()],
            "from": [line["low"] for line in values.values()],
            "to": [line["high"] for line in values.values()],
            "turns by": [f"{angles[name]['estimate']:.0f}°" for name in values],
            "at most": [f"{angles[name]['high']:.0f}°" for name in values],
            "remark": [line["remark"] for line in values.values()],
        }
    )
    loadings = [line for line in lines if line["quantity"] == "loading"]
    shown = [line for line in loadings if int(line["component"][2:]) <= LOADINGS]
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
