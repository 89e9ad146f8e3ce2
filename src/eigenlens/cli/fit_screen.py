"""fit_screen: the first screen about a model and its rows, and the same for programs.

Explained variance, what the components mean, findings, one paragraph of proof. Large tables
are not read again for it; a note says how to have it all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.certificate.record import bound_in_words
from eigenlens.cli.input_table import InputTable
from eigenlens.cli.options import BudgetOptions
from eigenlens.document.json_values import plain_record
from eigenlens.document.page import (
    Cell,
    Figures,
    Page,
    PagePart,
    Section,
    list_pairs,
    list_sentences,
)
from eigenlens.document.phrases import enquote, format_share
from eigenlens.document.table import Table
from eigenlens.model.page import (
    align_decimals,
    certificate_section,
    choices_section,
    describe_preparation,
)

if TYPE_CHECKING:
    from eigenlens.digest.digest import Digest
    from eigenlens.digest.summary import Summary
    from eigenlens.model.subspace import Subspace

__all__ = ["digest_of_sheet", "digest_result", "fit_page", "is_quick"]

MOST_LISTED = 1000  # rows beyond a limit in a document, the farthest first
DESCRIBED_COMPONENTS = 5
NAMED_GROUPS = 3
DECIMALS = (1, 2, 3)  # of percentages
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


def fit_page(
    model: Subspace,
    title: str,
    digest: Digest | None,
    leading: Table,
    closing: str,
    *,
    in_full: bool = False,
    remarks: Sequence[str] = (),
) -> Page:
    """Shares first, then meaning, rows and caveats, and one paragraph of proof.

    `in_full`: the whole certificate and every choice instead of the paragraph; `remarks`: what is
    said of the data above everything else.
    """
    sections = [Section(variance_heading(leading, digest), variance_parts(model, leading, digest))]
    lead = f"{model.headline}; columns {describe_preparation(model)}."
    about = []
    if digest is not None:
        from eigenlens.digest.summary import summary_of

        summary = summary_of(digest)
        lead, about = summary.lead, finding_lines(summary)
        heading = "Components, by their correlations with the columns"
        sections.append(Section(heading, meaning_parts(model, digest)))
    if in_full:
        sections += [Section("", [list_pairs(about)] if about else [])]
        sections += [certificate_section(model), choices_section(model)]
    else:
        about.append(("Proof", proof_paragraph(model)))
        sections.append(Section("", [list_pairs(about)]))
    return Page(title, (lead, *remarks), tuple(one for one in sections if one.parts), closing)


def variance_heading(leading: Table, digest: Digest | None) -> str:
    """What the intervals hold for, in one phrase."""
    if not leading.notes:
        return "Explained variance"
    rows = "rows taken as normal" if digest is None else "rows of any distribution"
    return f"Explained variance, with sampling intervals for {rows}"


def variance_parts(model: Subspace, leading: Table, digest: Digest | None) -> list[PagePart]:
    """One line per component, whether it is kept, and how sure all this is."""
    from eigenlens.digest.leading_components import FIRST_COMPONENTS

    parts: list[PagePart] = []
    if len(leading):
        parts.append(component_figures(leading, FIRST_COMPONENTS))
    remarks = [] if digest is None else digest.sentences("k") or [digest.sampled.ranks.why_not]
    sentences = [one for one in remarks if one]
    return [*parts, list_sentences(sentences)] if sentences else parts


def numerical_error(model: Subspace) -> list[str]:
    if not model.n_components:
        return []
    error = bound_in_words(model.certificate.relative_error, "its size")
    return [f"Each eigenvalue is known to within {error}."]


def component_figures(leading: Table, most: int) -> Figures:
    """On a narrow screen the last columns go first: the shares stay. No intervals, no column."""
    known = any(low is not None for low in leading["proportion_low"][:most])
    values = align_decimals(np.array(leading["eigenvalue"][:most]))
    lines = [
        (
            f"{line['component']} kept" if line["kept"] else line["component"],
            format_share(line["proportion"], 2),
            format_share(line["cumulative"], 2),
            *([format_interval(line["proportion_low"], line["proportion_high"])] if known else []),
            value,
        )
        for line, value in zip(leading.lines(), values, strict=False)
    ]
    headings = ("component", "proportion", "cumulative", "95% interval", "eigenvalue")
    shown = tuple(name for name in headings if known or name != "95% interval")
    return Figures(
        shown,
        tuple(tuple(map(Cell, line)) for line in lines),
        tuple(name != "component" for name in shown),
        rest=max(len(leading) - most, 0),
        code="eigenlens.explain.sampling_intervals(model, data)",
        bars=tuple(leading["proportion"][:most]),
        bars_after=1,
    )


def format_interval(low: float | None, high: float | None) -> str:
    """Of a share, with as many decimals as tell its ends apart; a dash where nothing is known."""
    if low is None or high is None or not np.isfinite([low, high]).all():
        return "–"
    for places in DECIMALS:
        ends = [format_share(end, places) for end in (low, high)]
        if ends[0] != ends[1]:
            return " to ".join(ends)
    return ends[0]


def meaning_parts(model: Subspace, digest: Digest) -> list[PagePart]:
    """The columns that go with each of the first components kept."""
    from eigenlens.digest.leading_components import leading_correlations
    from eigenlens.digest.summary import describe_ends

    count = model.n_filled
    lines = [
        (
            f"PC{place + 1}",
            ", ".join(
                f"{value:+.2f} {enquote(name, 30)}"
                for name, value in leading_correlations(model, place)
            )
            + (f".{describe_ends(digest, 1, 1)}" if not place else ""),
        )
        for place in range(min(count, DESCRIBED_COMPONENTS))
    ]
    if count > DESCRIBED_COMPONENTS:
        lines.append(("…", f"and {count - DESCRIBED_COMPONENTS} more components"))
    sizes = digest.sentences("size")
    if not lines:
        return []
    return [list_pairs(lines), *([list_sentences(sizes)] if sizes else [])]


def finding_lines(summary: Summary) -> list[tuple[str, str]]:
    """What is to be said of rows, groups and the data, each with its label."""
    groups = list(summary.groups)
    if len(groups) > NAMED_GROUPS:
        more = f"… and {len(groups) - NAMED_GROUPS} more in the page (--report)"
        groups = [*groups[:NAMED_GROUPS], more]
    return [
        *(("Outliers", sentence) for sentence in summary.outliers),
        *(("Groups", sentence) for sentence in groups),
        *(("Caveat", sentence) for sentence in summary.caveats),
    ]


def proof_paragraph(model: Subspace) -> str:
    """What is proven of the variance, and how; `--certificate` says the rest."""
    captured, _, _, how = model.certificate.sentences
    if model.certificate.kind == "deterministic":
        passes = model.certificate.passes
        work = f"{passes} pass{'' if passes == 1 else 'es'}"
        how = f"Proven without sampling, in {work} over the data."
    holes = () if model.missing is None else tuple(model.missing.sentences())
    return " ".join([captured, *numerical_error(model), how, *holes])


def digest_result(digest: Digest | None, leading: Table) -> dict[str, Any]:
    """The same for programs; of the rows nothing where nothing was asked."""
    components = {"components": list(leading.lines()), "components_notes": list(leading.notes)}
    if digest is None:
        return components
    from eigenlens.digest.summary import summary_of

    table, summary = digest.outliers, summary_of(digest)
    names = [name for name in table.columns if "limit" in name]
    return {
        **components,
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
