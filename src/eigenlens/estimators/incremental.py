"""IncrementalPCA: scikit-learn's class on running moments, so that batches leave no trace."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted

from eigenlens.algebra.running import RunningMoments
from eigenlens.certificate.record import Certificate
from eigenlens.errors import DataError
from eigenlens.estimators.array_api import NUMPY
from eigenlens.estimators.attributes import cast_if_representable, set_fitted_attributes
from eigenlens.estimators.batches import (
    components_after_batch,
    model_of_batches,
    names_of_estimator,
    refuse_unlike_estimators,
    start_running_moments,
)
from eigenlens.estimators.parameters import INCREMENTAL, check_parameters
from eigenlens.estimators.transform import (
    estimator_covariance,
    estimator_precision,
    lazy_rows_from_scores,
    map_collection,
    row_log_densities,
    rows_from_scores,
    transform_rows,
)
from eigenlens.estimators.validation import (
    ValidatedRows,
    locating_bad_numbers,
    read_rows,
    restoring_attributes_on_failure,
)
from eigenlens.model.dask_answers import is_dask_collection
from eigenlens.model.subspace import Subspace
from eigenlens.sources.moments_only import add_source, refuse_unusable_rows

__all__ = ["IncrementalPCA"]

# Found when first asked for, and forgotten when rows are added.
LEARNED = (
    "components_",
    "explained_variance_",
    "explained_variance_ratio_",
    "singular_values_",
    "noise_variance_",
    "model_",
    "certificate_",
)
BATCHES = (
    8  # sparse rows are cut into so many, or fewer: a batch of a csc matrix looks at all of it
)


class IncrementalPCA(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """PCA of rows that come in batches: the answer is that of all rows at once, and is proven.

    Up to 8192 columns their mean and scatter matrix are kept, and the result depends on neither
    order nor size of the batches. For more columns twice as many directions as asked for are kept,
    and `certificate_` bounds what that has cost.

    Parameters
    ----------
    n_components : int or None
        None is all of them: as many as there are rows so far, or columns. For more than 8192
        columns, as many as the first batch has rows.
    whiten : divide scores by their standard deviations.
    copy : ignored; the data are never written to.
    batch_size : rows that `fit` reads at a time; None is five times the number of columns.

    Attributes
    ----------
    components_, explained_variance_, explained_variance_ratio_, singular_values_, mean_, var_,
    noise_variance_, n_components_, n_samples_seen_, batch_size_, n_features_in_, feature_names_in_
        As in scikit-learn. After `partial_fit` they are worked out when first asked for.
    model_ : the `eigenlens.Subspace`, in float64.
    certificate_ : the `eigenlens.Certificate`: what is proven about it.

    >>> import numpy as np
    >>> rows = np.random.default_rng(0).standard_normal((500, 8)) * [9, 5, 1, 1, 1, 1, 1, 1]
    >>> pca = IncrementalPCA(2)
    >>> for batch in np.split(rows, 10):
    ...     _ = pca.partial_fit(batch)
    >>> pca.n_samples_seen_, pca.certificate_.kind
    (500, 'deterministic')
    """

    MOST_COLUMNS = 8192  # for a scatter matrix of 0.5 GB

    __metadata_request__partial_fit = {"check_input": UNUSED}  # noqa: RUF012

    model_: Subspace
    certificate_: Certificate
    _running: RunningMoments[Any]
    _dtype: np.dtype[Any]

    def __init__(
        self,
        n_components: int | None = None,
        *,
        whiten: bool = False,
        copy: bool = True,
        batch_size: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.copy = copy
        self.batch_size = batch_size

    # -- fit -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> IncrementalPCA:
        """Forget earlier rows and learn those of `X`, an array, frame or sparse matrix.

        If that fails, nothing is forgotten.
        """
        check_parameters(self, INCREMENTAL)
        with restoring_attributes_on_failure(self):
            self._learn(X)
        return self

    def _learn(self, X: Any) -> None:
        rows = read_rows(self, X, reset=True)
        n, d = rows.source.shape
        self.batch_size_ = 5 * d if self.batch_size is None else int(self.batch_size)
        count = components_after_batch(self, (n, d), 0)
        running = start_running_moments(self, d, count)
        at_once = max(self.batch_size_, -(-n // BATCHES) if rows.source.is_sparse else 1)
        with locating_bad_numbers(self, rows):
            add_source(running, rows.source, at_once)
            self._keep(running, count, rows.dtype)
            self._settle()

    def partial_fit(self, X: Any, y: Any = None, check_input: bool = True) -> IncrementalPCA:
        """Learn the rows of `X` too; a batch that cannot be used leaves everything as it was."""
        check_parameters(self, INCREMENTAL)
        running = vars(self).get("_running")
        with restoring_attributes_on_failure(self):
            rows = read_rows(self, X, reset=running is None)
            shape, seen = rows.source.shape, 0 if running is None else running.rows
            count = components_after_batch(self, shape, seen)
            with locating_bad_numbers(self, rows):
                refuse_unusable_rows(rows.source)
        if running is None:
            running, dtype = start_running_moments(self, shape[1], count), rows.dtype
        else:
            dtype = np.result_type(self._dtype, rows.dtype)
        add_source(running, rows.source)
        self._keep(running, count, dtype)
        return self

    def merge(self, other: IncrementalPCA) -> IncrementalPCA:
        """Learn all rows that `other` has seen too, as if they had been given to this one."""
        check_is_fitted(self)
        check_is_fitted(other)
        refuse_unlike_estimators(self, other)
        count = components_after_batch(
            self, (other._running.rows, self.n_features_in_), self._running.rows
        )
        self._running.merge(other._running)
        self._keep(self._running, count, np.result_type(self._dtype, other._dtype))
        return self

    def _keep(self, running: RunningMoments[Any], count: int, dtype: np.dtype[Any]) -> None:
        for name in LEARNED:
            self.__dict__.pop(name, None)
        self._running, self._dtype = running, dtype
        self.n_components_ = count
        self.n_samples_seen_ = running.rows
        self.mean_ = cast_if_representable(running.mean, dtype)
        self.var_ = cast_if_representable(running.kept.squares / running.rows, dtype)

    def _settle(self) -> None:
        model = model_of_batches(self._running, self.n_components_, names_of_estimator(self))
        set_fitted_attributes(self, model, self.n_components_, self._dtype, NUMPY)
        self.certificate_ = model.certificate

    def _ready(self) -> None:
        check_is_fitted(self)
        if "model_" not in vars(self):
            self._settle()

    def __getattr__(self, name: str) -> Any:
        if name not in LEARNED or "_running" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        try:
            self._settle()
        except DataError as too_little:
            raise AttributeError(f"there is no {name} yet: {too_little}") from too_little
        return vars(self)[name]

    # -- encode, decode --------------------------------------------------------------------

    def transform(self, X: Any) -> Any:
        """Scores of `X`, (n, n_components_); whitened if asked for."""
        self._ready()
        if is_dask_collection(X):
            return map_collection(self, X, self.transform, self.n_components_)
        return transform_rows(self, self._rows(X))

    def inverse_transform(self, X: Any) -> Any:
        """The rows that have the scores `X`, in the units of the data."""
        self._ready()
        return (
            lazy_rows_from_scores(self, X) if is_dask_collection(X) else rows_from_scores(self, X)
        )

    def _rows(self, X: Any) -> ValidatedRows:
        self._ready()
        return read_rows(self, X, reset=False)

    # -- the probabilistic model -----------------------------------------------------------

    def get_covariance(self) -> Any:
        """The covariance of the probabilistic model, (d, d); whitening has no part in it."""
        self._ready()
        return estimator_covariance(self)

    def get_precision(self) -> Any:
        """The inverse of the covariance, (d, d)."""
        self._ready()
        return estimator_precision(self)

    def score_samples(self, X: Any) -> Any:
        """Log density of each row under the probabilistic model."""
        self._ready()
        if is_dask_collection(X):
            return map_collection(self, X, self.score_samples, None)
        rows = self._rows(X)
        dtype = np.result_type(rows.dtype, self.components_.dtype)
        return row_log_densities(self, rows).astype(dtype, copy=False)

    def score(self, X: Any, y: Any = None) -> float:
        """Average log density of the rows. `y` is ignored."""
        if is_dask_collection(X):
            return float(self.score_samples(X).mean())
        return float(row_log_densities(self, self._rows(X)).mean())

    # -- for scikit-learn ------------------------------------------------------------------

    @property
    def _n_features_out(self) -> int:
        return int(self.n_components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.sparse = True
        return tags
