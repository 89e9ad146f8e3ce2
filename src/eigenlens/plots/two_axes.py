"""two_axes: a plane for models that keep fewer than two components.

The rows of the fit tell the next components; figures mark them as not kept. Other rows do not, and
neither does a model whose rows were weighted: then there is no plane. Where cells were missing the
moments that the model kept tell them, and where it kept none there is no plane.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from eigenlens.fit import fit
from eigenlens.model.merge import is_standardized
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.sources.moments_only import MomentsSource

__all__ = ["model_with_plane"]

PLANE = 2
MOST_TO_FIT_AGAIN = 100_000_000  # entries
SAME = 1e-6  # relative difference of variances, by which rows are those of the fit


def model_with_plane(model: Any, data: Any) -> Any:
    """The model itself, or one of the same rows with two components where it keeps fewer."""
    if not isinstance(model, Subspace) or model.n_components >= PLANE:
        return model
    incomplete = model.missing is not None and model.missing.cells > 0
    if incomplete and model.moments.scatter is None:
        return model
    source = match_columns(model, data)
    n, d = source.shape
    few = min(n - (model.mean is not None), d) < PLANE
    if few or n != model.n_rows or n != model.moments.weight or n * d > MOST_TO_FIT_AGAIN:
        return model
    if incomplete:
        source = MomentsSource(model.moments, None, source.stored_bytes, 1.0, n)
    wide = fit(
        source,
        PLANE,
        center=model.mean is not None,
        scale="std" if is_standardized(model) else model.scale,
        certify="fast",
    )
    if not np.isclose(wide.total_variance, model.total_variance, rtol=SAME, atol=0.0):
        return model
    return replace(wide, feature_names=model.feature_names, missing=model.missing)
