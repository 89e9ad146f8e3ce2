"""reconstruction: what is lost of each variable when only k components are kept.

    error       sqrt( sum w (x - x_k)^2 / sum w )       root mean square, in the units of the data
    explained   1 - sum w (x - x_k)^2 / sum w (x - x_0)^2

x_k is the row rebuilt from its leading k scores, x_0 the center. `(all)` stands for all variables
together, in prepared units, per entry. Cost: one pass, and n d k products.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.explain.convention import get_convention
from eigenlens.explain.model_rows import (
    get_model,
    read_prepared_blocks,
    variable_names,
    weights_for,
)
from eigenlens.model.rows import block_scores, match_columns, require_finite
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = ["EVERYTHING", "reconstruction"]

EVERYTHING = "(all)"
ZERO_SHARE = 1e-26  # squares below this part of the mean's are rounding


def reconstruction(
    model: Any, data: Any, *, weights: Any = None, convention: str | None = None
) -> Table:
    """One line per variable and number of components kept, 0 to the model's: error, explained.

    The first lines, under `(all)`, are for all variables together. `data` may be the rows of the
    fit or others; an `explained` below 0 says that the center alone is the better guess.

    >>> import eigenlens
    >>> rows = [[7, 4, 3], [4, 1, 8], [6, 3, 5], [8, 6, 1], [8, 5, 7], [7, 2, 9]]
    >>> table = reconstruction(eigenlens.fit(rows, 3), rows)
    >>> table["variable"][0], table["k"][:4], [round(float(e), 2) for e in table["explained"][:4]]
    ('(all)', [0, 1, 2, 3], [0.0, 0.82, 0.99, 1.0])
    """
    model, style = get_model(model), get_convention(convention)
    source = match_columns(model, data)
    heavy = weights_for(model, weights, source, must=False)
    lost = lost_squares(model, source, heavy)
    units = np.ones(model.n_features) if model.scale is None else model.scale
    total = float(heavy.sum())
    error = np.sqrt(np.maximum(lost, 0.0) / total) * units
    together = lost.sum(axis=1)
    per_entry = np.sqrt(together / (total * model.n_features))
    center = np.zeros(model.n_features) if model.mean is None else model.mean / units
    spread = np.where(lost[0] > total * ZERO_SHARE * np.square(center), lost[0], np.nan)
    explained = np.column_stack([1 - together / squared_spread(together), 1 - lost / spread])
    names, counts = [EVERYTHING, *variable_names(model)], range(model.n_components + 1)
    return style.table(
        {
            "variable": [name for name in names for _ in counts],
            "k": [k for _ in names for k in counts],
            "error": np.column_stack([per_entry, error]).T.ravel(),
            "explained": explained.T.ravel(),
        }
    )


def squared_spread(together: Float64Array) -> float:
    return float(together[0]) if together[0] > 0 else float("nan")


def lost_squares(model: Subspace, source: Source, weights: Float64Array) -> Float64Array:
    """(k + 1, d): weighted sums of squares left after 0, 1, ..., k components."""
    lost = np.zeros((model.n_components + 1, model.n_features))
    with np.errstate(invalid="ignore", over="ignore"):
        for span, block in read_prepared_blocks(model, source):
            scores, heavy = block_scores(model, block), weights[span]
            lost[0] += heavy @ np.square(block)
            for k in range(model.n_components):
                block -= np.outer(scores[:, k], model.components[k])
                lost[k + 1] += heavy @ np.square(block)
    return require_finite(lost, model, source)
