"""missing_patterns: which cells are missing together, the most frequent patterns first."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.document.table import Table
from eigenlens.explain.convention import get_convention
from eigenlens.explain.missing import columns_of_data, known_holes, sample_cells
from eigenlens.explain.model_rows import get_model, variable_names
from eigenlens.missing.patterns import distinct_patterns

__all__ = ["missing_patterns"]

MOST_PATTERNS = 20


def missing_patterns(
    model: Any, data: Any, *, top: int = MOST_PATTERNS, convention: str | None = None
) -> Table:
    """One line per pattern: `pattern rows share lacks`; complete rows are a pattern too.

    `lacks` names the columns that the rows of the pattern lack.

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4))
    >>> rows[:8, 2] = np.nan
    >>> table = missing_patterns(eigenlens.fit(rows, 2, missing="auto"), rows)
    >>> table["rows"], table["lacks"]
    ([42, 8], ['', 'x2'])
    """
    model, style = get_model(model), get_convention(convention)
    known_holes(model)
    columns, spans = columns_of_data(model)
    holes = np.isnan(sample_cells(model, data))[:, [span.start for span in spans]]
    patterns, member = distinct_patterns(holes)
    counts = np.bincount(member, minlength=len(patterns))
    order = np.argsort(-counts, kind="stable")[:top]
    whole = variable_names(model) if model.categories is None else columns
    names = np.asarray(whole, dtype=object)
    notes = []
    if len(order) < len(patterns):
        covered = counts[order].sum() / len(holes)
        notes.append(f"{len(order)} of {len(patterns)} patterns, with {covered:.0%} of the rows.")
    return style.table(
        {
            "pattern": list(range(1, len(order) + 1)),
            "rows": counts[order].tolist(),
            "share": counts[order] / len(holes),
            "lacks": [", ".join(map(str, names[patterns[one]])) for one in order],
        },
        notes,
    )
