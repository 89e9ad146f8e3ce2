"""eigenvalues: how much variance each component holds, and between which bounds that is proven.

proportion   t_i / tr C          cumulative   sum of those so far
difference   t_i - t_(i+1)       empty for the last one: the next is not known
low, high    the certificate's bounds on the true eigenvalue; a note where they are not proven
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import SetOption
from eigenlens.explain.adjusted import adjust_inertias
from eigenlens.explain.convention import get_convention
from eigenlens.explain.model_rows import get_model
from eigenlens.kernel.subspace import KernelSubspace

__all__ = ["eigenvalues", "with_eigenvalues"]

GUESSED = "low and high are a guess: certify='fast' asked for no proof."


def eigenvalues(model: Any, *, adjusted: str | None = None, convention: str | None = None) -> Table:
    """One line per component: eigenvalue, difference, proportion, cumulative, low, high.

    Of a kernel model too. `convention="factominer"` divides by n and gives percent; `"prcomp"`
    gives standard deviations, and the difference and bounds of those. `adjusted="benzecri"` or
    `"greenacre"`: the adjusted inertias of multiple correspondence analysis, and their shares.

    >>> import eigenlens
    >>> rows = [[7, 4, 3], [4, 1, 8], [6, 3, 5], [8, 6, 1], [8, 5, 7], [7, 2, 9]]
    >>> print(eigenvalues(eigenlens.fit(rows, 2))["component"])
    ['PC1', 'PC2']
    """
    style = get_convention(convention)
    model = with_eigenvalues(model, convention)
    factor = style.eigenvalue_factor(model)
    values = model.eigenvalues * factor
    low, high = model.certificate.eigenvalue_bounds.T * factor
    proportion = model.explained_ratio
    if adjusted is not None:
        found = adjust_inertias(get_model(model), adjusted)
        values, proportion, low, high = found.values, found.proportion, found.low, found.high
    if style.deviations:
        values, low, high = np.sqrt(values), np.sqrt(low), np.sqrt(high)
    proportion = proportion * (100 if style.percent else 1)
    return style.table(
        {
            "component": style.components(len(values)),
            "eigenvalue": values,
            "difference": np.append(values[:-1] - values[1:], [np.nan])[: len(values)],
            "proportion": proportion,
            "cumulative": np.cumsum(proportion),
            "low": low,
            "high": high,
        },
        [GUESSED] if model.certificate.kind == "heuristic" else [],
    )


def with_eigenvalues(model: Any, convention: str | None = None) -> Any:
    """The model itself, or the one inside a fitted estimator."""
    found = getattr(model, "model_", model)
    if not isinstance(found, KernelSubspace):
        return get_model(model)
    if convention is not None:
        raise OptionError.needs(
            SetOption("convention", convention),
            "a linear model: eigenvalues of a kernel matrix are divided by nothing",
            "leave it out",
        )
    return found
