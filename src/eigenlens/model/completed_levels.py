"""Rows with missing categories, filled: numbers as expected, categories by their likeliest level.

    probability of a level      its membership, not below 0, over the sum of those of its column

What stands in the error of a filled category is the probability that it has another level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import MismatchError
from eigenlens.missing.completer import Completion
from eigenlens.sources.categories.codes import encode_values, texts_of
from eigenlens.sources.categories.columns import MixedTable, mixed_table_of
from eigenlens.sources.categories.encoding import CategoryColumn, Encoding

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["complete_categories"]


def complete_categories(model: Subspace, rows: Any, completion: Completion) -> tuple[Table, Table]:
    """The columns of the data with nothing missing, and the errors of what was filled."""
    encoding, table = model.categories, mixed_table_of(rows)
    if encoding is None or table is None:
        raise MismatchError.needs_columns(model.n_features, type(rows).__name__)
    filled: dict[str, list[Any]] = {}
    errors: dict[str, list[float]] = {}
    for place, name in enumerate(encoding.numbers):
        filled[name] = completion.rows[:, place].tolist()
        errors[name] = completion.errors[:, place].tolist()
    for place, column in enumerate(encoding.columns):
        likely, doubt = likeliest_levels(encoding, place, completion.rows)
        texts, known = written_levels(table, column)
        filled[column.name] = [
            text if there else level
            for text, there, level in zip(texts, known, likely, strict=True)
        ]
        errors[column.name] = np.where(known, 0.0, doubt).tolist()
    return Table(filled), Table(errors)


def likeliest_levels(
    encoding: Encoding, place: int, rows: Float64Array
) -> tuple[list[str], Float64Array]:
    """And the probabilities that it is another one."""
    memberships = np.maximum(rows[:, encoding.span_of(place)], 0.0)
    best, levels = memberships.argmax(axis=1), encoding.columns[place].levels
    sure = memberships[np.arange(len(best)), best] / memberships.sum(axis=1)
    return [levels[one] for one in best.tolist()], 1.0 - sure


def written_levels(table: MixedTable, column: CategoryColumn) -> tuple[list[Any], Any]:
    """Values as they are written, and where the model knows them."""
    texts: list[Any] = []
    known = []
    for (values,) in table.values([column.name]):
        texts += texts_of(values)
        known.append(encode_values(values, column) >= 0)
    return texts, np.concatenate(known)
