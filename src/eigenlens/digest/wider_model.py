"""A model with some more components than were kept, to see what one more would bring."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from eigenlens.algebra.typing import Float64Array
from eigenlens.fit import fit
from eigenlens.model.merge import is_standardized
from eigenlens.model.subspace import Subspace
from eigenlens.sources.moments_only import MomentsSource
from eigenlens.sources.protocol import Source

__all__ = ["fit_wider", "prepared_as"]

MORE_COMPONENTS = 12  # shown beyond those kept
MOST_TO_FIT_AGAIN = 100_000_000  # entries


def fit_wider(
    model: Subspace, source: Source, weights: Float64Array | None, memory: int, seed: int
) -> Subspace:
    """The model itself where there are no more, or too many rows to fit it again."""
    n, d = source.shape
    most = min(n - (model.mean is not None), d)
    count = min(most, model.n_components + MORE_COMPONENTS)
    if count == model.n_components or n * d > MOST_TO_FIT_AGAIN:
        return model
    rows = source
    if model.missing is not None and model.missing.cells and model.moments.scatter is not None:
        # Filled cells vary less than the missing ones do: the expected moments were kept.
        rows = MomentsSource(model.moments, None, source.stored_bytes, 1.0, n)
        weights = None
    wide = fit(
        rows,
        count,
        weights=weights,
        certify="fast",
        memory=memory,
        seed=seed,
        **prepared_as(model),
    )
    # Rows that were read into memory have left the names of their columns behind.
    return replace(wide, feature_names=model.feature_names)


def prepared_as(model: Subspace) -> dict[str, Any]:
    """How the rows of the model were prepared, as `fit` takes it."""
    return {
        "center": model.mean is not None,
        "scale": "std" if is_standardized(model) else model.scale,
    }
