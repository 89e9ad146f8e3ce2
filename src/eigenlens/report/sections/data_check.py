"""data_check: what the rows and columns are like, before anything is made of them."""

from __future__ import annotations

from eigenlens.listing import Table
from eigenlens.report.facts import Facts
from eigenlens.report.part import Section, counted, listing

__all__ = ["section"]


def section(facts: Facts) -> Section:
    table = facts.checks
    n, d = facts.source.shape
    worth = sum(table["look"])
    asks = "asks" if worth == 1 else "ask"
    looks = f"{worth} of the {len(table)} checks {asks} for a second look."
    if not worth:
        looks = "Nothing here asks for a second look."
    shape = f"{counted(n, 'row')} and {counted(d, 'column')}"
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
        listing(
            shown,
            "Data check",
            code="eigenlens.explain.data_check(model, data)",
            sentences=("in words",),
        )
    ]
    return Section("data-check", "Data check", says, parts, facts.found("scale", "data"))
