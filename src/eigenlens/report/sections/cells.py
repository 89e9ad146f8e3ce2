"""cells: which cells are outlying, and what the other cells of their rows suggest."""

from __future__ import annotations

from eigenlens.digest.digest import Digest
from eigenlens.document.page import Section, answer_section, show_table
from eigenlens.document.table import Table
from eigenlens.explain.cells import cells as cell_table
from eigenlens.plots.cells import cells as cell_map
from eigenlens.report.drawing import chart

__all__ = ["cells_section"]

LISTED = 40


def cells_section(digest: Digest) -> Section | None:
    """Only of models that tell outlying cells."""
    robust = digest.model.robust
    if robust is None or robust.kind == "rows":
        return None
    table = cell_table(digest.model, digest.source, labels=digest.rows.labels)
    count = len(table)
    says = [f"{count:,} cells are outlying. {' '.join(table.notes)}"]
    if not count:
        return answer_section("outlying-cells", "Outlying cells", says, [])
    picture = chart(
        "outlying-cells",
        "Map of outlying cells",
        "The rows with most outlying cells, one square per cell: how far it is from what is "
        "expected, in standard errors; outlying cells are outlined.",
        lambda theme: cell_map(digest.model, digest.source, labels=digest.rows.labels, theme=theme),
        "eigenlens.plots.cells(model, data)",
        most=20,
    )
    first = {name: list(held)[:LISTED] for name, held in table.columns.items()}
    caption = "Outlying cells" if count <= LISTED else f"The {LISTED} farthest of {count:,} cells"
    listed = show_table(
        Table(first), caption, code="eigenlens.explain.cells(model, data)", name="cells-table"
    )
    return answer_section("outlying-cells", "Outlying cells", says, [picture, listed])
