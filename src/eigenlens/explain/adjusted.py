"""Adjusted inertias of multiple correspondence analysis.

    t'           ((Q / (Q - 1)) (t - 1/Q))^2         for t > 1/Q, Q the number of columns
    Benzecri     t' / sum of t'
    Greenacre    t' / (Q / (Q - 1) (sum of t^2 - (J - Q) / Q^2)), J the number of levels

Indicators of independent columns have inertias of 1/Q, so a share of the whole says little; the
adjusted ones are those of the tables that cross pairs of columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.errors.options import refuse_unknown
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.model.subspace import Subspace

__all__ = ["AdjustedInertias", "adjust_inertias"]

ADJUSTMENTS = ("benzecri", "greenacre")


@dataclass(frozen=True)
class AdjustedInertias:
    values: Float64Array
    proportion: Float64Array
    low: Float64Array
    high: Float64Array


def adjust_inertias(model: Subspace, adjusted: str) -> AdjustedInertias:
    """Of the components whose inertia exceeds 1/Q; all of these must be known."""
    refuse_unknown("adjusted", adjusted, ADJUSTMENTS)
    encoding = model.categories
    if encoding is None or encoding.method != "mca" or len(encoding.columns) < 2:
        raise OptionError.needs(
            SetOption("adjusted", adjusted),
            "multiple correspondence analysis: categories in two columns or more, and no numbers",
            "omit it",
        )
    count = len(encoding.columns)
    above = model.eigenvalues > 1 / count
    most = encoding.width - count
    if above.all() and model.n_components < most:
        raise needs_more(adjusted, most)
    low, high = model.certificate.eigenvalue_bounds[above].T
    values, low, high = (adjust_values(one, count) for one in (model.eigenvalues[above], low, high))
    if adjusted == "benzecri":
        total = float(values.sum())
    else:
        squares = squared_inertias(model, most)
        if squares is None:
            raise needs_more(adjusted, most)
        total = count / (count - 1) * (squares - most / count**2)
    return AdjustedInertias(values, values / total, low, high)


def adjust_values(values: Float64Array, count: int) -> Float64Array:
    found: Float64Array = np.square(count / (count - 1) * np.maximum(values - 1 / count, 0.0))
    return found


def squared_inertias(model: Subspace, most: int) -> float | None:
    """The sum of all squared eigenvalues: from all of them, or from the matrix that was kept."""
    if model.n_components >= most:
        return float(np.square(model.eigenvalues).sum())
    scatter, scale = model.moments.scatter, model.scale
    if scatter is None or scale is None:
        return None
    matrix = scatter / model.proof.facts.divisor / np.outer(scale, scale)
    return float(np.square(matrix).sum())


def needs_more(adjusted: str, most: int) -> OptionError:
    return OptionError.needs(
        SetOption("adjusted", adjusted),
        f"eigenvalues that the model does not hold, at most {most} in all",
        Phrase("fit with {}", SetOption("k", most)),
    )
