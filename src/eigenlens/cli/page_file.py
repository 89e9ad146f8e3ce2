"""page_file: the report of a model and its sheet, written to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from eigenlens.cli.command import Call
from eigenlens.cli.options import Budget
from eigenlens.cli.sheet import Sheet

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["write_report"]


def write_report(
    path: Path,
    model: Subspace,
    sheet: Sheet,
    budget: Budget,
    call: Call,
    title: str | None = None,
    show: bool = False,
) -> None:
    from eigenlens.report.write import report

    report(
        model,
        sheet.source,
        path,
        id=sheet.labels,
        group=dict(sheet.groups),
        supplementary_columns=dict(sheet.beside) or None,
        supplementary_rows=sheet.aside,
        supplementary_id=sheet.aside_labels or None,
        weights=sheet.weights,
        title=title or sheet.title,
        command=call.line,
        seed=budget.seed,
        memory=budget.memory,
        open=show,
    )
