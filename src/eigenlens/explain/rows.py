"""rows: where each row lies, how well the components show it, and how much of each it makes.

    score          y                       coordinate along the component
    distance       |x|                     to the center, in all dimensions of the prepared data
    cos2           y^2 / |x|^2             share of the row's squared distance along the component
    contribution   100 w y^2 / (N t)       percent of the component's variance that the row makes

N is the divisor of the fit, w the row's weight. Contributions of all rows of the fit sum to 100 per
component. Cost: one pass; the table has n k lines. Rows at the very center have no cos2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.explain.convention import divisor_of, get_convention
from eigenlens.explain.model_rows import (
    empty_components,
    get_model,
    is_weighted,
    item_component_pairs,
    labels_of,
    scores_and_lengths,
    weights_for,
)
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace

__all__ = ["row_table", "rows", "shares_of"]

UNWEIGHTED = (
    "The fit had weights, and none are given here: contributions count every row once. Pass those "
    "of the fit as weights=."
)


def rows(
    model: Any,
    data: Any,
    *,
    weights: Any = None,
    labels: Sequence[Any] | None = None,
    convention: str | None = None,
) -> Table:
    """One line per row and component: score, cos2, contribution, distance.

    `data` are the rows of the fit, or some of them; for others ask `supplementary_rows`. Without
    `weights` each row counts once, and a note says so after a weighted fit. `labels` name the
    rows; a pandas frame names them by its index.

    >>> import eigenlens
    >>> given = [[7, 4, 3], [4, 1, 8], [6, 3, 5], [8, 6, 1], [8, 5, 7], [7, 2, 9]]
    >>> table = rows(eigenlens.fit(given, 1), given, labels=list("abcdef"))
    >>> round(float(sum(table["contribution"])), 9)
    100.0
    """
    return row_table(model, data, weights, labels, convention, active=True)


def row_table(
    model: Any,
    data: Any,
    weights: Any,
    labels: Sequence[Any] | None,
    convention: str | None,
    active: bool,
) -> Table:
    """`active`: rows of the fit; others make no part of a component."""
    model, style = get_model(model), get_convention(convention)
    source = match_columns(model, data)
    heavy = weights_for(model, weights, source, must=False)
    named = labels_of(data, labels, source.shape[0])
    scores, lengths = scores_and_lengths(model, source)
    factor = style.score_factor(model)
    row, component = item_component_pairs(named, style.components(model.n_components))
    cos2, contribution = shares_of(model, scores, lengths, heavy)
    if not active:
        contribution = np.full_like(scores, np.nan)
    return style.table(
        {
            "row": row,
            "component": component,
            "score": (scores * factor).ravel(),
            "cos2": cos2.ravel(),
            "contribution": contribution.ravel(),
            "distance": np.repeat(np.sqrt(lengths) * factor, model.n_components),
        },
        [UNWEIGHTED] if active and weights is None and is_weighted(model) else [],
    )


def shares_of(
    model: Subspace, scores: Float64Array, lengths: Float64Array, weights: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """cos2 and contribution, (n, k) each, of scores (n, k) and squared distances (n,)."""
    squares = np.square(scores)
    made = np.where(empty_components(model), np.nan, divisor_of(model) * model.eigenvalues)
    with np.errstate(divide="ignore", invalid="ignore"):
        cos2 = np.where(lengths[:, None] > 0, squares / lengths[:, None], np.nan)
    return np.minimum(cos2, 1.0), np.asarray(100 * weights[:, None] * squares / made)
