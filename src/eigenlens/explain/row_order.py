"""row_order: neighboring rows that resemble each other, and why.

The table is sorted by a group or by a column, or perhaps the rows follow each other in time. The
first is harmless, the last makes sampling intervals too narrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import enquote
from eigenlens.explain.evidence import Evidence, Finding, neighbor_correlations
from eigenlens.explain.outside_columns import OutsideColumn
from eigenlens.explain.variables import correlations

__all__ = ["find_order"]

ALIKE = 0.5
SORTED = 0.95  # of the steps from row to row go one way
SURE = 3.0  # standard errors


def find_order(evidence: Evidence, columns: Sequence[OutsideColumn]) -> Iterator[Finding]:
    """Neighbors that are alike: because the table is sorted by a group, or perhaps by time."""
    if not evidence.model.n_filled:
        return
    alike = evidence.neighbors[: evidence.model.n_filled]
    best = int(alike.argmax())
    least = max(ALIKE, SURE / np.sqrt(len(evidence.scores)))
    if alike[best] < least:
        return
    along = evidence.scores[:, best]
    sorted_by = [column.name for column in columns if explains_order(column, along, least)]
    sorted_by += sorted_columns(evidence, best)
    text = (
        f"Neighboring rows resemble each other (correlation {alike[best]:.2f} along PC{best + 1})"
    )
    if sorted_by:
        text += f" because the table is sorted by {enquote(sorted_by[0])}."
    else:
        text += (
            ". If they are in order of time, they hold less information than their number "
            "suggests, and sampling intervals are too narrow."
        )
    yield Finding("data", text, float(alike[best]), (best + 1,), columns=tuple(sorted_by[:1]))


def sorted_columns(evidence: Evidence, component: int) -> list[str]:
    """Analyzed columns by which the rows are sorted, and that go with a component (from 0).

    Few steps the other way are allowed for: between groups of rows that are sorted each.
    """
    ordered = (evidence.one_way >= SORTED) & (evidence.high > evidence.low)
    along = np.abs(np.nan_to_num(correlations(evidence.model)[:, component]))
    return [evidence.names[place] for place in np.flatnonzero(ordered & (along >= ALIKE))]


def explains_order(column: OutsideColumn, scores: Float64Array, least: float) -> bool:
    """Whether rows of a category stand together, and neighbors are alike for that reason alone."""
    if column.codes is None or (column.codes < 0).any():
        return False
    changes = int((column.codes[1:] != column.codes[:-1]).sum())
    if changes != len(np.unique(column.codes)) - 1:
        return False
    within = scores.copy()
    for code in np.unique(column.codes):
        within[column.codes == code] -= within[column.codes == code].mean()
    return bool(neighbor_correlations(within[:, None])[0] < least)
