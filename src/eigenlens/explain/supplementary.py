"""supplementary: rows and columns that had no part in the fit, seen through it.

    rows          score, cos2, distance as for rows of the fit; they make no part of a component
    numbers       correlation with the scores; loading = correlation x sd (1 where standardized);
                  eigenvector = slope of the column along the component, as a variable's is
    categories    centroid of their rows; cos2 = centroid^2 / its squared distance to the center;
                  v_test and eta2 as in `groups.py`

Cost     one pass over the rows, in memory n (k + columns) numbers.
Differs  from FactoMineR in nothing but the divisor, which `convention="factominer"` makes the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.explain.categories import as_levels
from eigenlens.explain.convention import Convention, get_convention
from eigenlens.explain.count_columns import place_counts
from eigenlens.explain.groups import (
    ColumnAlongAxes,
    GroupsAlongAxes,
    correlate_column,
    describe_groups,
    means_by_group,
)
from eigenlens.explain.model_rows import (
    get_model,
    read_prepared_blocks,
    scores_and_lengths,
    weights_for,
)
from eigenlens.explain.outside_columns import outside_columns
from eigenlens.explain.rows import row_table
from eigenlens.model.merge import is_standardized
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = ["supplementary_columns", "supplementary_rows"]

# Variable, category, and what is known of them along the components.
SupplementaryLine = tuple[str, str | None, dict[str, Float64Array]]

OF_NUMBERS = ("eigenvector", "loading", "correlation", "cos2", "contribution")
OF_CATEGORIES = ("centroid", "v_test", "eta2", "distance")


def supplementary_rows(
    model: Any,
    rows: Any,
    *,
    labels: Sequence[Any] | None = None,
    convention: str | None = None,
) -> Table:
    """The columns of `explain.rows`, for rows outside the fit; their contribution is empty."""
    return row_table(model, rows, None, labels, convention, active=False)


def supplementary_columns(
    model: Any,
    data: Any,
    columns: Any,
    *,
    weights: Any = None,
    convention: str | None = None,
) -> Table:
    """One line per column (and category) and component, for columns outside the fit.

    `data` are the rows of the fit; `columns` names of other columns in them, or a mapping or frame
    with one entry per row. The columns of the table are those of `explain.variables`; where some
    column holds categories, `category`, `centroid`, `v_test`, `eta2` and `distance` besides.

    >>> import eigenlens
    >>> rows = [[7, 4, 3], [4, 1, 8], [6, 3, 5], [8, 6, 1], [8, 5, 7], [7, 2, 9]]
    >>> sums = {"sum": [14, 13, 14, 15, 20, 18]}
    >>> table = supplementary_columns(eigenlens.fit(rows, 1), rows, sums)
    >>> [round(float(one), 2) for one in table["correlation"]]
    [0.12]
    """
    model, style = get_model(model), get_convention(convention)
    source = match_columns(model, data)
    heavy = weights_for(model, weights, source, must=True)
    beside = outside_columns(data, columns, source.shape[0])
    scores, _ = scores_and_lengths(model, source)
    lines: list[SupplementaryLine] = []
    if model.categories is not None and model.categories.method == "ca":
        lines = [(one.name, None, place_counts(model, one, scores, heavy)) for one in beside]
        return supplementary_table(lines, style, model.n_components, False)
    grouped = {
        one.name: describe_groups(one, scores, heavy) for one in beside if one.numbers is None
    }
    lengths = centroid_distances(model, source, list(grouped.values()), heavy)
    squares = dict(zip(grouped, lengths, strict=True))
    for one in beside:
        if one.numbers is not None:
            found = correlate_column(one, scores, heavy)
            lines.append((one.name, None, number_records(model, found, style)))
        else:
            groups = grouped[one.name]
            parts = category_records(groups, squares[one.name], style.score_factor(model))
            if model.categories is not None and model.categories.method == "mca":
                parts = as_levels(parts, groups.weights, model, style.whole)
            lines += [(one.name, *part) for part in zip(groups.names, parts, strict=True)]
    return supplementary_table(lines, style, model.n_components, bool(grouped))


def number_records(
    model: Subspace, found: ColumnAlongAxes, style: Convention
) -> dict[str, Float64Array]:
    spread = 1.0 if is_standardized(model) else found.deviation
    unit = np.sqrt(style.eigenvalue_factor(model))
    return {
        "eigenvector": found.slope * (spread / found.deviation),
        "loading": found.correlation * spread * unit,
        "correlation": found.correlation,
        "cos2": np.square(found.correlation),
    }


def category_records(
    groups: GroupsAlongAxes, squares: Float64Array, factor: float
) -> list[dict[str, Float64Array]]:
    """One record per category."""
    with np.errstate(divide="ignore", invalid="ignore"):
        cos2 = np.minimum(np.square(groups.centroids) / squares[:, None], 1.0)
    return [
        {
            "cos2": cos2[place],
            "centroid": groups.centroids[place] * factor,
            "v_test": groups.v_tests[place],
            "eta2": groups.eta2,
            "distance": np.full(len(groups.eta2), np.sqrt(squares[place]) * factor),
        }
        for place in range(len(groups.names))
    ]


def centroid_distances(
    model: Subspace, source: Source, grouped: Sequence[GroupsAlongAxes], weights: Float64Array
) -> list[Float64Array]:
    """Of every group's centroid to the center, in all dimensions: one more pass, if any."""
    sums = [np.zeros((len(groups.names), model.n_features)) for groups in grouped]
    if grouped:
        for span, block in read_prepared_blocks(model, source):
            for total, groups in zip(sums, grouped, strict=True):
                codes = groups.codes[span]
                total += means_by_group(block, codes, weights[span], groups.weights)
    return [np.square(total).sum(axis=1) for total in sums]


def supplementary_table(
    lines: Sequence[SupplementaryLine], style: Convention, count: int, categories: bool
) -> Table:
    """The long table; what a line does not have is empty."""
    empty = np.full(count, np.nan)
    columns: dict[str, Any] = {
        "variable": [name for name, _, _ in lines for _ in range(count)],
        "category": [category for _, category, _ in lines for _ in range(count)],
        "component": style.components(count) * len(lines),
    }
    if not categories:
        del columns["category"]
    for name in OF_NUMBERS + (OF_CATEGORIES if categories else ()):
        columns[name] = np.concatenate([part.get(name, empty) for _, _, part in lines])
    return style.table(columns)
