"""told: the first screen about a model and its rows, in the words of the report.

How many components, what they mean, who is odd, what to mind: what `report.summary` says, laid out
for a terminal. Large tables are not read again for it; a note says how to have it all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eigenlens.cli.models import prepared
from eigenlens.cli.options import Budget
from eigenlens.cli.sheet import Sheet
from eigenlens.document.page import Page, Part, Section, list_pairs, list_sentences
from eigenlens.model.page import certificate_section, choices_section, variance_section

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace
    from eigenlens.report.facts import Facts
    from eigenlens.report.summary import Summary

__all__ = ["asked_facts", "is_quick", "told_page", "told_result"]

MOST_ODD = 1000  # listed in a document, the farthest first
MOST_ENTRIES = 50_000_000  # rows x columns that are read again in a few seconds


def is_quick(sheet: Sheet) -> bool:
    return sheet.source.shape[0] * sheet.source.shape[1] <= MOST_ENTRIES


def asked_facts(model: Subspace, sheet: Sheet, budget: Budget, line: str) -> Facts:
    """Everything that can be said of the model and the rows it was fitted to."""
    from eigenlens.report.given import facts_of

    return facts_of(
        model,
        sheet.source,
        id=sheet.labels,
        group=dict(sheet.groups),
        supplementary_columns=dict(sheet.beside) or None,
        supplementary_rows=sheet.aside,
        supplementary_id=sheet.aside_labels or None,
        weights=sheet.weights,
        seed=budget.seed,
        memory=budget.memory,
        again=line,
    )


def told_page(model: Subspace, title: str, facts: Facts | None, closing: str) -> Page:
    """The answer first; the proof and the choices after it."""
    from eigenlens.report.summary import summary_of

    if facts is None:
        lead = f"{model.headline}; columns {prepared(model)}."
        sections: tuple[Section, ...] = (variance_section(model),)
    else:
        summary = summary_of(facts)
        lead = summary.lead
        sections = (
            Section(f"How many components: {summary.count}", (list_sentences(summary.counted),)),
            *([variance_section(model)] if model.n_components else []),
            Section("Components", (list_sentences(summary.meaning),)),
            Section("Outliers", odd_parts(facts, summary)),
            *groups(facts),
            *([Section("Caveats", (list_sentences(summary.mind),))] if summary.mind else []),
        )
    return Page(
        title, (lead,), (*sections, certificate_section(model), choices_section(model)), closing
    )


def groups(facts: Facts) -> list[Section]:
    found = facts.found("groups")
    return [Section("Groups and other columns", (list_sentences(found),))] if found else []


def odd_parts(facts: Facts, summary: Summary) -> tuple[Part, ...]:
    table, rows = facts.outliers, facts.odd[: len(summary.odd_rows)]
    if not rows:
        return (list_sentences(summary.odd),)
    lines = [
        (name, f"{table['quadrant'][row]}, because of {why}")
        for row, (name, why) in zip(rows, summary.odd_rows, strict=True)
    ]
    if summary.more_odd:
        lines.append(("...", f"and {summary.more_odd} more"))
    return list_sentences(summary.odd), list_pairs(lines)


def told_result(facts: Facts | None) -> dict[str, Any]:
    """The same for programs; nothing where nothing was asked."""
    from eigenlens.report.summary import summary_of

    if facts is None:
        return {}
    table, summary = facts.outliers, summary_of(facts)
    names = [name for name in table.columns if "limit" in name]
    return {
        "summary": {
            "components": summary.count,
            "how_many": list(summary.counted),
            "meaning": list(summary.meaning),
            "odd": list(summary.odd),
            "mind": list(summary.mind),
        },
        "findings": list(facts.findings.lines()),
        "limits": {name: table[name][0] for name in names},
        "odd_rows": [
            {
                "row": str(facts.beside.labels[row]),
                "T2": table["T2"][row],
                "Q": table["Q"][row],
                "quadrant": table["quadrant"][row],
            }
            for row in facts.odd[:MOST_ODD]
        ],
        "odd_count": len(facts.odd),
    }
