"""Columns of counts outside the fit, seen through a correspondence analysis.

    coordinate    sum_i (x_i / x) y_i / sqrt(t)      its profile over the rows, as active ones have
    cos2          coordinate^2 / sum_i (x_i / x - r_i)^2 / r_i

y_i are the scores of the rows, r_i their shares of all counts, x the sum of the column.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors.categories import CategoryError
from eigenlens.explain.model_rows import empty_components
from eigenlens.explain.outside_columns import OutsideColumn
from eigenlens.model.subspace import Subspace

__all__ = ["place_counts"]


def place_counts(
    model: Subspace, column: OutsideColumn, scores: Float64Array, weights: Float64Array
) -> dict[str, Float64Array]:
    counts = column.numbers
    if counts is None:
        raise CategoryError.needs_numbers([column.name])
    if float(np.nanmin(counts)) < 0:
        row = int(np.nanargmin(counts))
        raise CategoryError.negative_counts(row, column.name, float(counts[row]))
    known = np.where(np.isnan(counts), 0.0, counts)
    if not known.any():
        raise CategoryError.empty_counts([], [column.name])
    profile, shares = known / known.sum(), weights / weights.sum()
    values = np.where(empty_components(model), np.nan, model.eigenvalues)
    coordinate = profile @ scores / np.sqrt(values)
    distance = float((np.square(profile - shares) / shares).sum())
    return {"loading": coordinate, "cos2": np.minimum(np.square(coordinate) / distance, 1.0)}
