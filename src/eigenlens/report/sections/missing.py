"""missing: which cells are missing, how well they are predicted, and what their holes go with."""

from __future__ import annotations

from eigenlens.digest.digest import Digest
from eigenlens.document.page import Chart, Figures, Section, answer_section, show_table
from eigenlens.document.phrases import count_things, enquote, list_words
from eigenlens.document.table import Table
from eigenlens.explain.missing import missing as columns_with_holes
from eigenlens.explain.missing_patterns import missing_patterns
from eigenlens.model.missing_cells import MissingCells
from eigenlens.plots.missing import missing
from eigenlens.report.drawing import chart

__all__ = ["missing_section"]

UNUSUAL = 2.0


def missing_section(digest: Digest) -> Section:
    """Only for a model that estimated missing cells."""
    model, rows = digest.model, digest.incomplete
    table = columns_with_holes(model, rows)
    says = describe_holes(model.missing) if model.missing is not None else []
    parts: list[Chart | Figures] = [
        chart(
            "missing-columns",
            "Missing cells by column",
            "Share of the cells that each column lacks, and how much of them the other columns "
            "predict.",
            lambda theme: missing(model, rows, theme=theme),
            "eigenlens.plots.missing(model, data)",
        ),
        show_table(
            table,
            "Columns: missing cells, how predictable they are, and what they go with",
            code="eigenlens.explain.missing(model, data)",
            headings={"mean_gap": "mean gap", "v_test": "v-test"},
            places={"share": 3, "predictable": 2, "mean_gap": 2, "v_test": 2},
        ),
        show_table(
            missing_patterns(model, rows),
            "Patterns: cells that are missing together",
            code="eigenlens.explain.missing_patterns(model, data)",
            places={"share": 3},
            folded=True,
        ),
    ]
    return answer_section("missing", "What is missing", says, parts, [*table.notes, *gaps(table)])


def describe_holes(holes: MissingCells) -> list[str]:
    says = [
        f"{count_things(holes.cells, 'cell')} ({holes.share:.1%}) missing in {holes.rows} rows."
    ]
    if holes.hidden_cells:
        says.append(
            f"Cells that were hidden on purpose ({holes.hidden_cells}) are predicted with an error "
            f"of {holes.hidden_error:.2g} standard deviations by the {holes.engine} engine."
        )
    return says


def gaps(table: Table) -> list[str]:
    """Columns whose cells are missing where the first component is high or low."""
    said = []
    for direction, sign in (("high", 1.0), ("low", -1.0)):
        found = [
            f"{enquote(name)} (v = {test:.1f})"
            for name, test in zip(table["column"], table["v_test"], strict=True)
            if test is not None and sign * test > UNUSUAL
        ]
        if found:
            names = list_words(found, 5, quote=False)
            said.append(f"Cells are missing more often where PC1 is {direction}: {names}.")
    return said
