"""The spectrum a model knows, as the rules for the number of components look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from eigenlens.certificate.rounding import rounding_of_total
from eigenlens.rank.spectrum import FEWEST_COLUMNS, Spectrum, known_spectrum
from eigenlens.rank.storage_rounding import storage_variance

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["spectrum_of_model"]


def spectrum_of_model(model: Subspace) -> Spectrum:
    """In the units it was computed in: squares of its own could overflow."""
    facts, ritz, columns = model.proof.facts, model.proof.ritz, model.n_features
    unit = facts.unit**2
    scale = np.ones(columns) if model.scale is None else model.scale
    small = ritz.size == columns < FEWEST_COLUMNS
    informative = 1.0 if model.missing is None else (1.0 - model.missing.share) ** 2
    return known_spectrum(
        ritz.values,
        facts.total_variance,
        facts.most_components,
        facts.weight * informative,
        columns,
        centered=model.mean is not None,
        variances=model.feature_variances / unit,
        rounding=rounding_of_total(facts, facts.total_variance),
        unit=unit,
        storage=storage_variance(
            np.dtype(model.provenance.get("dtype", "float64")),
            model.moments.mean / (scale * facts.unit),
            model.feature_variances / facts.unit**2,
            (model.n_rows, columns),
        ),
        vectors=ritz.span if small else None,
        shown="model",
    )
