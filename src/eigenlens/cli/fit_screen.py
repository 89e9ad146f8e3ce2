"""fit_screen: the first screen about a model and its rows, and the same for programs.

The answer first, then the proof and the choices. Large tables are not read again for it; a note
says how to have it all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eigenlens.cli.input_table import InputTable
from eigenlens.cli.options import BudgetOptions
from eigenlens.document.json_values import plain_record
from eigenlens.document.page import Page, PagePart, Section, list_pairs, list_sentences
from eigenlens.document.phrases import enquote
from eigenlens.model.page import (
    certificate_section,
    choices_section,
    describe_preparation,
    variance_section,
)

if TYPE_CHECKING:
    from eigenlens.digest.digest import Digest
    from eigenlens.digest.summary import Summary
    from eigenlens.model.subspace import Subspace

__all__ = ["digest_of_sheet", "digest_result", "fit_page", "is_quick"]

MOST_LISTED = 1000  # rows beyond a limit in a document, the farthest first
MOST_ENTRIES = 50_000_000  # rows x columns that are read again in a few seconds


def is_quick(sheet: InputTable) -> bool:
    return sheet.source.shape[0] * sheet.source.shape[1] <= MOST_ENTRIES


def digest_of_sheet(model: Subspace, sheet: InputTable, budget: BudgetOptions, line: str) -> Digest:
    """What can be said of the model and the rows it was fitted to; nothing is computed yet."""
    from eigenlens.digest.digest import digest_of

    return digest_of(
        model,
        sheet.source,
        sheet.row_info,
        extra=sheet.aside,
        extra_labels=sheet.aside_labels or None,
        weights=sheet.weights,
        seed=budget.seed,
        memory=budget.memory,
        code=line,
    )


def fit_page(model: Subspace, title: str, digest: Digest | None, closing: str) -> Page:
    proof = (certificate_section(model), choices_section(model))
    if digest is None:
        lead = f"{model.headline}; columns {describe_preparation(model)}."
        return Page(title, (lead,), (variance_section(model), *proof), closing)
    from eigenlens.digest.summary import summary_of

    summary = summary_of(digest)
    sections = [
        Section(f"Number of components: {summary.count}", [list_sentences(summary.how_many)]),
        variance_section(model),
        Section("Components", [list_sentences(summary.meaning)]),
        Section("Outliers", outlier_parts(summary)),
        Section("Groups and other columns", [list_sentences(summary.groups)]),
        Section("Caveats", [list_sentences(summary.caveats)]),
        *proof,
    ]
    return Page(title, (summary.lead,), tuple(filter(has_content, sections)), closing)


def has_content(section: Section) -> bool:
    return any(getattr(part, "lines", True) for part in section.parts)


def outlier_parts(summary: Summary) -> list[PagePart]:
    lines = [
        (row.label, f"{row.quadrant}, mainly because of {enquote(row.variable)}")
        for row in summary.outlying_rows
    ]
    if summary.more_rows:
        lines.append(("…", f"and {summary.more_rows:,} more"))
    return [list_sentences(summary.outliers), *([list_pairs(lines)] if lines else [])]


def digest_result(digest: Digest | None) -> dict[str, Any]:
    """The same for programs; nothing where nothing was asked."""
    if digest is None:
        return {}
    from eigenlens.digest.summary import summary_of

    table, summary = digest.outliers, summary_of(digest)
    names = [name for name in table.columns if "limit" in name]
    return {
        "summary": {
            "components": summary.count,
            "how_many": list(summary.how_many),
            "meaning": list(summary.meaning),
            "odd": list(summary.outliers),
            "mind": list(summary.caveats),
        },
        "findings": [
            {**plain_record(finding), "finding": finding.sentence} for finding in digest.findings
        ],
        "limits": {name: table[name][0] for name in names},
        "odd_rows": [
            {
                "row": str(digest.rows.labels[row]),
                "T2": table["T2"][row],
                "Q": table["Q"][row],
                "quadrant": table["quadrant"][row],
            }
            for row in digest.beyond_limits[:MOST_LISTED]
        ],
        "odd_count": len(digest.beyond_limits),
    }
