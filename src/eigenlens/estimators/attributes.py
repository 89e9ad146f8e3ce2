"""What a fit has learned, under scikit-learn's names; and back, as the model those names describe.

Methods read the published attributes, not the model: whoever flips a sign in `components_` sees it
in `transform`, as with scikit-learn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from eigenlens.algebra.ritz import fix_signs
from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.estimators.array_api import ArrayNamespace, to_numpy
from eigenlens.model import derived
from eigenlens.model.subspace import Subspace

__all__ = [
    "cast_if_representable",
    "model_from_attributes",
    "set_fitted_attributes",
    "whitening_deviations",
]


def set_fitted_attributes(
    estimator: Any, model: Subspace, count: int | None, dtype: np.dtype[Any], home: ArrayNamespace
) -> None:
    """Fitted attributes in the precision and the library of the data."""
    count = model.n_components if count is None else count
    components, variances = pad_components(model, count)
    rows, columns = model.n_rows, model.n_features
    noise = derived.mean_noise_variance(
        model.total_variance, float(variances.sum()), min(rows, columns), count
    )

    def out(array: AnyArray) -> Any:
        return home.bring(cast_if_representable(array, dtype))

    estimator.model_ = model
    estimator.n_components_ = count
    estimator.mean_ = out(np.zeros(columns) if model.mean is None else model.mean)
    estimator.components_ = out(components)
    estimator.explained_variance_ = out(variances)
    estimator.explained_variance_ratio_ = out(variances / model.total_variance)
    estimator.singular_values_ = out(np.sqrt(variances * (rows - 1)))
    estimator.noise_variance_ = cast_if_representable(np.asarray(noise), dtype)[()]


def cast_if_representable(array: AnyArray, dtype: np.dtype[Any]) -> AnyArray:
    """A copy in `dtype`, or in float64 where `dtype` cannot hold numbers of that size."""
    if dtype == np.float64:
        return np.array(array, dtype=dtype)
    limits, largest = np.finfo(dtype), float(np.abs(array).max(initial=0.0))
    fits = largest == 0 or float(limits.tiny / limits.eps) <= largest <= float(limits.max)
    return np.array(array, dtype=dtype if fits else np.float64)


def pad_components(model: Subspace, count: int) -> tuple[Float64Array, Float64Array]:
    """`count` components and variances; those that hold nothing but rounding are made up.

    n rows vary in n - 1 directions around their mean at most, but scikit-learn allows n components.
    What rounding leaves of such directions would differ between rows that are repeated and rows
    that are weighted: they are chosen by the others alone, and have variance zero.
    """
    filled = min(count, model.n_filled)
    components, variances = model.components[:filled], model.eigenvalues[:filled]
    if count == filled:
        return components, variances
    empty = fix_signs(orthogonal_to(components.T, count - filled))
    return np.vstack([components, empty.T]), np.append(variances, np.zeros(count - filled))


def orthogonal_to(basis: Float64Array, count: int) -> Float64Array:
    """(d, count) orthonormal columns orthogonal to the basis, made of unit vectors.

    Those that the basis covers least come first, so that little changes of it change little here.
    """
    outside = 1 - np.square(basis).sum(axis=1)
    units = np.argsort(-np.round(outside, 6), kind="stable")[: basis.shape[0] - basis.shape[1]]
    some = np.zeros((basis.shape[0], len(units)))
    some[units, np.arange(len(units))] = 1.0
    whole, _ = np.linalg.qr(np.hstack([basis, some]))
    return whole[:, basis.shape[1] : basis.shape[1] + count]


def model_from_attributes(estimator: Any) -> Subspace:
    """The model as the published attributes have it, for projecting and scoring."""
    model: Subspace = estimator.model_
    noise = float(estimator.noise_variance_)
    variances = float64_view(estimator.explained_variance_)
    return replace(
        model,
        components=float64_view(estimator.components_),
        eigenvalues=np.maximum(variances, noise),
        mean=full_precision_mean(estimator),
    )


def full_precision_mean(estimator: Any) -> Float64Array:
    """In full precision where `mean_` is its rounded copy: rounded, it would shift all scores."""
    exact, published = estimator.model_.mean, to_numpy(estimator.mean_)
    same = np.array_equal(np.asarray(published), exact.astype(published.dtype))
    return exact if same else float64_view(published)


def whitening_deviations(estimator: Any) -> Float64Array:
    """What whitening divides by: standard deviations, those that are but rounding as that.

    A component of variance zero is left as it is: there is no deviation to divide by.
    """
    deviations = np.sqrt(float64_view(estimator.explained_variance_))
    eps = float(np.finfo(to_numpy(estimator.components_).dtype).eps)
    floor = eps * deviations.max(initial=0.0)
    return np.where(deviations == 0, 1.0, np.maximum(deviations, floor))


def float64_view(array: Any) -> Float64Array:
    """A view, not the array itself: a model closes its arrays to writing."""
    return np.asarray(to_numpy(array), dtype=np.float64).view()
