"""The spectrum a model knows, for rules that look at eigenvalues only."""

from __future__ import annotations

from eigenlens.certificate.rounding import rounding_of_total
from eigenlens.model.subspace import Subspace
from eigenlens.rank.spectrum import Spectrum, known_spectrum

__all__ = ["spectrum_of_model"]


def spectrum_of_model(model: Subspace) -> Spectrum:
    """What a model knows, in the units it was computed in: squares of its own could overflow."""
    facts, ritz, unit = model.proof.facts, model.proof.ritz, model.proof.facts.unit**2
    return known_spectrum(
        ritz.values,
        facts.total_variance,
        facts.most_components,
        facts.weight,
        model.n_features,
        centered=model.mean is not None,
        variances=model.feature_variances / unit,
        rounding=rounding_of_total(facts, facts.total_variance),
        unit=unit,
        shown="model",
    )
