"""What is said of rows and columns of a table of categories, where limits for numbers do not hold.

    rows     the farthest row and what puts it there; how many are beyond a limit is not said: of
             ordinary questionnaires up to a quarter of the rows are beyond the 95 % limit of Q
    k        what parallel analysis finds, which permutes columns; rules that suppose noise of
             numbers are not quoted
    groups   columns that took part are no outside columns: what a component and its own columns
             have in common is no more than chance only where nothing is

`count_columns_of` says how large the table is as a person counts, with its levels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from eigenlens.document.phrases import count_things, enquote
from eigenlens.explain.contributions import order_for, prepare_row, row_parts
from eigenlens.explain.evidence import Evidence, Finding
from eigenlens.explain.outside_columns import OutsideColumn
from eigenlens.model.subspace import Subspace
from eigenlens.rank.report import RankReport

__all__ = [
    "count_columns_of",
    "find_farthest_row",
    "find_level_count",
    "own_columns",
    "without_own_columns",
]


def find_level_count(ranks: RankReport | None) -> Iterator[Finding]:
    """How many components hold more than columns that have nothing to do with each other."""
    found = None if ranks is None else ranks.rules.get("parallel")
    if found is None or found.value is None:
        return
    count = int(found.value)
    many, holds = count_things(count, "component").capitalize(), "holds" if count == 1 else "hold"
    text = f"{many} {holds} more variance than if the columns had nothing to do with each other."
    yield Finding("k", text, count)


def find_farthest_row(evidence: Evidence) -> Iterator[Finding]:
    """The row with the largest distance from the components."""
    distances = evidence.distances
    if not np.any(distances > 0):
        return
    worst = int(distances.argmax())
    row = prepare_row(evidence.model, evidence.source, worst)
    first = order_for("Q", evidence.model, *row_parts(evidence.model, row), row)[0]
    name, label = evidence.names[int(first)], evidence.labels[worst]
    text = (
        f"Limits of T2 and Q do not hold for categories. Farthest from the components: row "
        f"{enquote(label)}, mainly because of {enquote(name)}."
    )
    yield Finding("rows", text, 0, rows=(label,), columns=(name,))


def without_own_columns(model: Subspace, columns: Sequence[OutsideColumn]) -> list[OutsideColumn]:
    own = own_columns(model)
    return [column for column in columns if column.name not in own]


def own_columns(model: Subspace) -> set[str]:
    """Categorical columns that took part in the fit."""
    return set() if model.categories is None else {one.name for one in model.categories.columns}


def count_columns_of(model: Subspace) -> str:
    """ "13 columns", or "6 columns (3 of numbers, 3 categorical with 10 levels)"."""
    encoding = model.categories
    if encoding is None or not encoding.columns:
        return count_things(model.n_features, "column")
    numbers, groups = len(encoding.numbers), len(encoding.columns)
    text = f"{groups:,} categorical with {count_things(int(encoding.levels_of.sum()), 'level')}"
    parts = f"{numbers:,} of numbers, {text}" if numbers else text
    return f"{count_things(numbers + groups, 'column')} ({parts})"
