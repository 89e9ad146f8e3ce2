"""A model as scikit-learn's own objects, fitted: for pipelines that must not depend on eigenlens.

| model             | comes back as                                                         |
|-------------------|-----------------------------------------------------------------------|
| centered, or raw  | PCA; of a raw one `mean_` is zero                                     |
| scaled            | Pipeline of StandardScaler ("scale") and PCA ("pca")                  |
| normalize="l2"    | the same in a Pipeline after a Normalizer ("normalize")               |

`noise_variance_` is scikit-learn's: the average over min(n, d) - k directions, where the model's
own is over d - k. Singular values are those of the prepared (weighted) table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.model import derived

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["to_sklearn"]


def to_sklearn(model: Subspace) -> Any:
    nothing = np.zeros(model.n_features)
    mean = nothing if model.mean is None else np.array(model.mean)
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import Normalizer

    steps = [("normalize", Normalizer().fit(nothing[None]))] if "normalize" in model.reading else []
    if model.scale is None:
        pca = set_feature_names(pca_of(model, mean), model)
        return Pipeline([*steps, ("pca", pca)]) if steps else pca
    scaler = set_feature_names(scaler_of(model, mean), model)
    return Pipeline([*steps, ("scale", scaler), ("pca", pca_of(model, nothing))])


def pca_of(model: Subspace, mean: Float64Array) -> Any:
    from sklearn.decomposition import PCA

    pca = PCA(n_components=model.n_components)
    pca.n_features_in_ = model.n_features
    pca.n_samples_ = model.n_rows
    pca.n_components_ = model.n_components
    pca.mean_ = mean
    pca.components_ = np.array(model.components)
    pca.explained_variance_ = np.array(model.eigenvalues)
    pca.explained_variance_ratio_ = model.explained_ratio
    pca.singular_values_ = np.sqrt(model.eigenvalues * model.proof.facts.divisor)
    pca.noise_variance_ = derived.mean_noise_variance(
        model.total_variance,
        float(model.eigenvalues.sum()),
        min(model.n_rows, model.n_features),
        model.n_components,
    )
    pca._fit_svd_solver = "full"  # fit sets it, and some versions look at it
    return pca


def scaler_of(model: Subspace, mean: Float64Array) -> Any:
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler(with_mean=model.mean is not None)
    scaler.n_features_in_ = model.n_features
    scaler.n_samples_seen_ = model.n_rows
    scaler.mean_ = mean
    scaler.scale_ = np.array(model.scale)
    scaler.var_ = np.square(scaler.scale_)
    return scaler


def set_feature_names(estimator: Any, model: Subspace) -> Any:
    """With the names of the columns, which it then asks of every frame."""
    if model.feature_names is not None:
        estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
    return estimator
