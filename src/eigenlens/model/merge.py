"""merge and truncate: models from models, exactly, without the data.

    scatter of a union = scatter_a + scatter_b + (step between means, outer product)

A model keeps its scatter matrix when the fit formed it (solver "covariance"), or when its
components span everything: then scatter = V diag(t) V' * divisor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.precision import EPS
from eigenlens.algebra.ritz import descending_eigh, fix_signs, ritz_of_eigenvectors
from eigenlens.certificate.upper_bounds import bounds_of_whole_space
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.model.missing_cells import truncate_missing
from eigenlens.model.proof import Proof
from eigenlens.model.united import Union, united_facts
from eigenlens.table.units import unit_for

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["merge_models", "truncate_model"]


def truncate_model(model: Subspace, k: int) -> Subspace:
    whole = isinstance(k, Integral) and not isinstance(k, bool)
    if not whole or not 1 <= k <= model.n_components:
        raise RankError.not_held(k, model.n_components)
    reason = f"the leading {k} of {model.n_components} components were kept"
    kept = replace(
        model,
        components=model.components[:k],
        eigenvalues=model.eigenvalues[:k],
        choices={**model.choices, "k": Verdict(k, "truncate", reason)},
        proof=model.proof.truncated(k),
    )
    return replace(kept, missing=truncate_missing(model.missing, kept))


def merge_models(first: Subspace, second: Subspace) -> Subspace:
    check_alike(first, second)
    if first.missing is not None or second.missing is not None:
        raise OptionError.needs(
            "merge",
            "models without missing cells: what is expected in them depends on all rows",
            "fit both tables together",
        )
    if first.categories is not None or second.categories is not None:
        raise OptionError.needs(
            "merge",
            "models without categories: the scale of a level follows from all rows",
            "fit both tables together",
        )
    if first.robust is not None or second.robust is not None:
        raise OptionError.needs(
            "merge",
            "models of classical fits: which rows and cells are outlying depends on all rows",
            "fit both tables together",
        )
    union = moments_with_scatter(first).union(moments_with_scatter(second))
    centered = first.mean is not None
    divisor = union.weight - 1 if centered else union.weight
    scale = first.scale
    if is_standardized(first):
        scale = np.sqrt(union.squares / (union.weight - 1))
    covariance = union.second_moment(centered) / divisor
    if scale is not None:
        covariance = covariance / np.outer(scale, scale)
    unit = unit_for(float(np.sqrt(np.trace(covariance))))
    covariance = covariance / unit / unit
    values, vectors = descending_eigh(covariance)
    rank = max(first.n_components, second.n_components)
    whole = ritz_of_eigenvectors(values, fix_signs(vectors))
    facts = united_facts(
        first, second, Union(union, scale, divisor, unit, is_standardized(first)), covariance
    )
    proof = Proof(whole, bounds_of_whole_space(facts, whole, len(values) + 1), facts)
    reason = f"as many as the larger of the two models, {rank}"
    return replace(
        first,
        components=np.ascontiguousarray(whole.span[:, :rank].T),
        eigenvalues=whole.values[:rank] * unit**2,
        mean=union.mean if centered else None,
        scale=scale,
        n_rows=first.n_rows + second.n_rows,
        total_variance=facts.total_variance * unit**2,
        feature_variances=np.diag(covariance) * unit**2,
        choices={"k": Verdict(rank, "merge", reason)},
        provenance=join_choices(first.provenance, second.provenance),
        moments=union,
        proof=proof.truncated(rank),
    )


def join_choices(one: Mapping[str, Any], two: Mapping[str, Any]) -> dict[str, Any]:
    """The first, with those of all the others in a row: merging a thousand nests nothing."""
    first, second = dict(one), dict(two)
    before, after = first.pop("merged_with", []), second.pop("merged_with", [])
    return {**first, "merged_with": [*before, second, *after]}


def check_alike(first: Subspace, second: Subspace) -> None:
    if not isinstance(second, type(first)):
        raise OptionError.needs(
            f"merge with a {type(second).__name__}",
            "two subspaces, as eigenlens.fit returns them",
            "fit the rows of both at once instead",
        )
    same_scale = is_standardized(first) and is_standardized(second)
    if not same_scale:
        one, two = first.scale, second.scale
        same_scale = (one is None and two is None) or (
            one is not None and two is not None and np.array_equal(one, two)
        )
    differences = [
        what
        for what, same in (
            ("number of columns", first.n_features == second.n_features),
            ("column names", first.feature_names == second.feature_names),
            ("centering", (first.mean is None) == (second.mean is None)),
            ("scaling", same_scale),
            ("reading of the rows", first.reading == second.reading),
        )
        if not same
    ]
    if differences:
        raise OptionError.cannot_merge(differences)


def is_standardized(model: Subspace) -> bool:
    if model.categories is not None:
        return True  # in the units of deviations and shares
    settings = model.provenance.get("settings", {})
    scale = settings.get("scale")
    return isinstance(scale, str) and scale == "std"


def moments_with_scatter(model: Subspace) -> Moments:
    """The moments with the scatter about the mean, in the units of the data."""
    moments, facts = model.moments, model.proof.facts
    if moments.scatter is not None:
        return moments
    held = float(model.eigenvalues.sum())
    missing = 1 - held / model.total_variance
    exact = missing <= 2 * facts.roundoff + facts.size * EPS
    if model.n_components < facts.most_components or not exact:
        raise OptionError.needs(
            "merge",
            f"moments, and this model holds only {1 - missing:.4%} of them",
            Phrase("fit both with {}, or with all components", SetOption("solver", "covariance")),
        )
    scatter = (model.components.T * (model.eigenvalues * facts.divisor)) @ model.components
    if model.scale is not None:
        scatter *= np.outer(model.scale, model.scale)
    if model.mean is None:
        scatter -= moments.weight * np.outer(moments.mean, moments.mean)
    return replace(moments, scatter=scatter)
