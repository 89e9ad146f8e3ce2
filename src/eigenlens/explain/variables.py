"""variables: five things that are called loadings elsewhere, each under its own name.

    eigenvector    v                       entries of the component, of length one
    loading        v sqrt(t)               covariance with the standardized component
    correlation    v sqrt(t) / sd          of the variable with the component
    cos2           correlation^2           over all components these sum to 1
    contribution   100 v^2                 percent of the component; these sum to 100 per component

sd is that of the prepared variable (1 where it was standardized). Without centering, variances and
so correlations are about the origin. A constant variable has no correlation: its entries are empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors.phrasing import list_words
from eigenlens.explain.convention import get_convention
from eigenlens.explain.model_rows import (
    constant_variables,
    get_model,
    item_component_pairs,
    variable_names,
)
from eigenlens.model.subspace import Subspace

__all__ = ["correlations", "variables"]


def variables(model: Any, *, convention: str | None = None) -> Table:
    """One line per variable and component: eigenvector, loading, correlation, cos2, contribution.

    `convention="factominer"` calls the loading `coord` and the correlation `cor`, and divides by n.

    >>> import eigenlens
    >>> rows = [[7, 4, 3], [4, 1, 8], [6, 3, 5], [8, 6, 1], [8, 5, 7], [7, 2, 9]]
    >>> table = variables(eigenlens.fit(rows, 1, scale="std"))
    >>> print([round(float(share)) for share in table["contribution"]], table["variable"])
    [32, 41, 28] ['x0', 'x1', 'x2']
    """
    model, style = get_model(model), get_convention(convention)
    factor = style.eigenvalue_factor(model)
    variable, component = item_component_pairs(
        variable_names(model), style.components(model.n_components)
    )
    vectors = model.components.T
    correlation = correlations(model)
    return style.table(
        {
            "variable": variable,
            "component": component,
            "eigenvector": vectors.ravel(),
            "loading": (vectors * np.sqrt(model.eigenvalues * factor)).ravel(),
            "correlation": correlation.ravel(),
            "cos2": np.square(correlation).ravel(),
            "contribution": 100 * np.square(vectors).ravel(),
        },
        constant_note(model),
    )


def constant_note(model: Subspace) -> list[str]:
    fixed = np.flatnonzero(constant_variables(model))
    if not len(fixed):
        return []
    names = list_words([variable_names(model)[place] for place in fixed], limit=5)
    return [f"Constant, so without a correlation: {names}."]


def correlations(model: Subspace) -> Float64Array:
    """(d, k), of every variable with every component; NaN where a variable is constant."""
    deviations = np.where(constant_variables(model), np.nan, np.sqrt(model.feature_variances))
    found = model.components.T * np.sqrt(model.eigenvalues) / deviations[:, None]
    return np.clip(found, -1.0, 1.0)
