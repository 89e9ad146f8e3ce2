"""Distances of rows by the classical fit, to be read beside those of a robust one.

A row that is far out by the robust distance and usual by the classical one has masked itself: it
pulled the classical components toward it.
"""

from __future__ import annotations

from typing import Any

from eigenlens.algebra.typing import Float64Array
from eigenlens.explain.cells import raw_source
from eigenlens.explain.distances import row_distances
from eigenlens.fit import fit
from eigenlens.model.merge import is_standardized
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace

__all__ = ["classical_distances"]


def classical_distances(model: Subspace, data: Any) -> tuple[Float64Array, Float64Array]:
    """T2 and Q of the rows of the fit, by as many components as the robust model has."""
    source = raw_source(model, data)
    holes = model.missing is not None and model.missing.cells > model.missing.outlying
    plain = fit(
        source,
        max(model.n_components, 1),
        center=model.mean is not None,
        scale="std" if is_standardized(model) else model.scale,
        missing="gaussian" if holes else "error",
    )
    return row_distances(plain, match_columns(plain, source))
