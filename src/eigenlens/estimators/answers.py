"""What a fitted estimator answers: scores, rows from scores, densities, the model's matrices.

All from the published attributes (see `learned.py`), for every class alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.estimators.arrays import numpy_of
from eigenlens.estimators.learned import described, narrowed, spreads
from eigenlens.estimators.rows import Rows, check_width, refuse_not_finite
from eigenlens.model import derived
from eigenlens.model.lazy import by_chunk, refuse_other_scores
from eigenlens.model.rows import log_densities, projected
from eigenlens.sources.block import block_dtype

__all__ = [
    "covariance_of",
    "densities",
    "lazily",
    "lazy_rows",
    "precision_of",
    "rows_from_scores",
    "scores_of",
]

Formula = Callable[[Float64Array, Float64Array, float], Float64Array]


def scores_of(estimator: Any, rows: Rows) -> AnyArray:
    """(n, n_components_), whitened if asked for."""
    dtype = np.result_type(rows.dtype, numpy_of(estimator.components_).dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        scores = projected(described(estimator), rows.source, dtype)
    # NaN and infinity pass through products, so that the scores tell; none tell nothing.
    if scores.size == 0 or not np.isfinite(scores).all():
        refuse_not_finite(estimator, rows)
    if estimator.whiten:
        scores /= spreads(estimator).astype(dtype)
    return scores


def lazily(estimator: Any, rows: Any, work: Callable[[Any], Any], width: int | None) -> Any:
    """`work` of a Dask collection of rows: a Dask array, computed when somebody asks."""
    check_width(estimator, rows, reset=False)
    return by_chunk(rows, work, width, dtype_for(estimator, rows))


def lazy_rows(estimator: Any, scores: Any) -> Any:
    """The rows of a Dask collection of scores, when somebody asks."""
    refuse_other_scores(scores, estimator.n_components_)
    dtype = dtype_for(estimator, scores)
    return by_chunk(scores, estimator.inverse_transform, estimator.n_features_in_, dtype)


def dtype_for(estimator: Any, given: Any) -> np.dtype[Any]:
    """Of the answers about an array or data frame that nobody has computed."""
    theirs = getattr(given, "dtype", np.dtype(np.float64))
    ours: np.dtype[Any] = numpy_of(estimator.components_).dtype
    return np.result_type(block_dtype(theirs), ours)


def rows_from_scores(estimator: Any, given: Any) -> AnyArray:
    """The rows that have these scores, in the units of the data."""
    scores = check_array(
        numpy_of(given), input_name="X", dtype=[np.float64, np.float32], ensure_min_features=0
    )
    dtype = np.result_type(scores.dtype, numpy_of(estimator.components_).dtype)
    if estimator.whiten:
        scores = scores * spreads(estimator)
    return described(estimator).reconstruct(scores).astype(dtype, copy=False)


def densities(estimator: Any, rows: Rows) -> Float64Array:
    """Log density of each row under the probabilistic model."""
    with np.errstate(invalid="ignore", over="ignore"):
        found = log_densities(described(estimator), rows.source, float(estimator.noise_variance_))
    if not np.isfinite(found).all():
        refuse_not_finite(estimator, rows)
    return found


def covariance_of(estimator: Any) -> AnyArray:
    """Of the probabilistic model, (d, d); whitening has no part in it."""
    return matrix_of(estimator, derived.covariance, 1)


def precision_of(estimator: Any) -> AnyArray:
    """The inverse of the covariance, (d, d)."""
    return matrix_of(estimator, derived.precision, -1)


def matrix_of(estimator: Any, formula: Formula, power: int) -> AnyArray:
    model = described(estimator)
    matrix = formula(model.components, model.eigenvalues, float(estimator.noise_variance_))
    if model.scale is not None:
        matrix *= np.outer(model.scale, model.scale) ** power
    return narrowed(matrix, numpy_of(estimator.components_).dtype)
