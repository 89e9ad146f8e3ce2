"""Rotation of mixed data: numbers count as one line each, the levels of a category together.

    squared loading   of numbers the squared correlation with a component; of a category the sum of
                      the squares of its levels, which is its correlation ratio: the share of the
                      component's variance that lies between the levels

Rotation criteria are sums over columns of these squares, so that a category with many levels counts
no more than a number.

Source   Chavent, Kuentz-Simonet and Saracco 2012, Orthogonal rotation in PCAMIX.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.document.table import Table
from eigenlens.explain.categories import level_figures, require_categories
from eigenlens.explain.model_rows import item_component_pairs
from eigenlens.model.subspace import Subspace

__all__ = [
    "column_starts",
    "repeat_by_line",
    "rotated_levels",
    "squared_loading_table",
    "sum_by_column",
]


def column_starts(model: Subspace) -> IntArray | None:
    """Where the lines of each column of mixed data begin; None: every line is a column."""
    encoding = model.categories
    if encoding is None or not encoding.columns:
        return None
    return np.concatenate([np.arange(len(encoding.numbers)), encoding.starts[:-1]])


def sum_by_column(lines: Float64Array, starts: IntArray | None) -> Float64Array:
    found: Float64Array = lines if starts is None else np.add.reduceat(lines, starts, axis=0)
    return found


def repeat_by_line(columns: Float64Array, starts: IntArray | None, lines: int) -> Float64Array:
    """What is said of a column, for each of its lines."""
    if starts is None:
        return columns
    return np.repeat(columns, np.diff(np.append(starts, lines)), axis=0)


def squared_loading_table(model: Subspace, structure: Float64Array, names: list[str]) -> Table:
    """`structure` (d, k): of the lines with the rotated components, unit variances."""
    encoding = require_categories(model)
    named = [*encoding.numbers, *(one.name for one in encoding.columns)]
    column, component = item_component_pairs(named, names)
    shared = sum_by_column(np.square(structure), column_starts(model)) * encoding.divided_by
    lines: dict[str, Any] = {"column": column, "component": component}
    return Table(lines | {"squared_loading": shared.ravel()})


def rotated_levels(model: Subspace, axes: Float64Array, names: list[str]) -> Table:
    """The mean rotated score of every level's rows, in units of its standard deviation."""
    figures = level_figures(model)
    column, component = item_component_pairs(figures["column"], names)
    category, _ = item_component_pairs(figures["category"], names)
    means = (figures["mean"] @ axes).ravel()
    weight = np.repeat(figures["weight"], len(names))
    lines: dict[str, Any] = {"column": column, "category": category, "component": component}
    return Table(lines | {"coordinate": means, "weight": weight})
