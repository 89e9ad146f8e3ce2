"""spread: whether columns vary so differently that their units decide what the components are.

ratio = largest / smallest standard deviation of the columns that vary
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from eigenlens.explain.reading import constant_variables, variable_names
from eigenlens.model.subspace import Subspace

__all__ = ["UNEVEN", "Spread", "spread_of"]

UNEVEN = 10.0  # times as much


class Spread(NamedTuple):
    ratio: float
    widest: str
    narrowest: str


def spread_of(model: Subspace) -> Spread:
    """Of the columns as the model weighs them: 1 where they were standardized."""
    names = variable_names(model)
    varying = np.flatnonzero(~constant_variables(model))
    deviations = np.sqrt(model.feature_variances[varying])
    widest, narrowest = int(deviations.argmax()), int(deviations.argmin())
    ratio = float(deviations[widest] / deviations[narrowest])
    return Spread(ratio, names[varying[widest]], names[varying[narrowest]])
