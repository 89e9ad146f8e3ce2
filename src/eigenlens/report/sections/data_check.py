"""data_check: what the rows and columns are like, before anything is made of them."""

from __future__ import annotations

from eigenlens.report.facts import Facts
from eigenlens.report.part import Section

__all__ = ["section"]


def section(facts: Facts) -> Section:
    n, d = facts.source.shape
    says = [f"{n:,} rows and {d:,} columns, every cell a finite number."]
    return Section("data-check", "Data check", says, (), facts.found("data"))
