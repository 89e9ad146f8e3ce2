"""data_check: what the rows and columns are like, before anything is made of them."""

from __future__ import annotations

from eigenlens.document.page import Section, answer_section, show_table
from eigenlens.document.phrases import count_things
from eigenlens.document.table import Table
from eigenlens.report.facts import Facts

__all__ = ["section"]


def section(facts: Facts) -> Section:
    table = facts.checks
    n, d = facts.source.shape
    worth = sum(table["look"])
    asks = "asks" if worth == 1 else "ask"
    looks = f"{worth} of the {len(table)} checks {asks} for a second look."
    if not worth:
        looks = "Nothing here asks for a second look."
    shape = f"{count_things(n, 'row')} and {count_things(d, 'column')}"
    says = [f"{shape}, every cell a finite number. {looks}"]
    shown = Table(
        {
            "check": table["check"],
            "value": table["value"],
            "verdict": ["look" if look else "fine" for look in table["look"]],
            "in words": table["remark"],
        }
    )
    parts = [
        show_table(
            shown,
            "Data check",
            code="eigenlens.explain.data_check(model, data)",
            sentences=("in words",),
        )
    ]
    return answer_section("data-check", "Data check", says, parts, facts.found("scale", "data"))
