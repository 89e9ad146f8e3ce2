"""What a fitted estimator answers: scores, rows from scores, densities, the model's matrices.

All from the published attributes (see `learned.py`), for every class alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.estimators.array_api import to_numpy
from eigenlens.estimators.attributes import (
    cast_if_representable,
    model_from_attributes,
    whitening_deviations,
)
from eigenlens.estimators.validation import (
    ValidatedRows,
    check_width,
    refuse_not_finite,
    stays_there,
)
from eigenlens.machine.torch_device import from_host
from eigenlens.model import derived
from eigenlens.model.dask_answers import map_chunks, refuse_other_scores
from eigenlens.model.device_answers import log_densities_there, rows_there, scores_there
from eigenlens.model.rows import log_densities, project_rows
from eigenlens.sources.block import block_dtype
from eigenlens.sources.device.arrays import array_like_tensor, tensor_of
from eigenlens.sources.device.rows import is_on_device

__all__ = [
    "estimator_covariance",
    "estimator_precision",
    "lazy_rows_from_scores",
    "map_collection",
    "row_log_densities",
    "rows_from_scores",
    "score_rows",
    "transform_rows",
]

Formula = Callable[[Float64Array, Float64Array, float], Float64Array]


def transform_rows(estimator: Any, rows: ValidatedRows) -> Any:
    """(n, n_components_), whitened if asked for; of rows on a device, there."""
    dtype = np.result_type(rows.dtype, to_numpy(estimator.components_).dtype)
    if is_on_device(rows.source):
        found = scores_there(model_from_attributes(estimator), rows.source)
        if estimator.whiten:
            found /= from_host(whitening_deviations(estimator), found.device)
        return array_like_tensor(cast_tensor(found, dtype), rows.given)
    with np.errstate(invalid="ignore", over="ignore"):
        scores = project_rows(model_from_attributes(estimator), rows.source, dtype)
    # NaN and infinity pass through products, so that the scores tell; none tell nothing.
    if scores.size == 0 or not np.isfinite(scores).all():
        refuse_not_finite(estimator, rows)
    if estimator.whiten:
        scores /= whitening_deviations(estimator).astype(dtype)
    return scores


def map_collection(estimator: Any, rows: Any, work: Callable[[Any], Any], width: int | None) -> Any:
    """`work` of a Dask collection of rows: a Dask array, computed when somebody asks."""
    check_width(estimator, rows, reset=False)
    return map_chunks(rows, work, width, lazy_dtype(estimator, rows))


def lazy_rows_from_scores(estimator: Any, scores: Any) -> Any:
    """The rows of a Dask collection of scores, when somebody asks."""
    refuse_other_scores(scores, estimator.n_components_)
    dtype = lazy_dtype(estimator, scores)
    return map_chunks(scores, estimator.inverse_transform, estimator.n_features_in_, dtype)


def lazy_dtype(estimator: Any, given: Any) -> np.dtype[Any]:
    """Of the answers about an array or data frame that nobody has computed."""
    theirs = getattr(given, "dtype", np.dtype(np.float64))
    ours: np.dtype[Any] = to_numpy(estimator.components_).dtype
    return np.result_type(block_dtype(theirs), ours)


def cast_tensor(tensor: Any, dtype: np.dtype[Any]) -> Any:
    import torch

    return tensor.to(getattr(torch, dtype.name))


def rows_from_scores(estimator: Any, given: Any) -> Any:
    """The rows that have these scores, in the units of the data."""
    if stays_there(given):
        scores = tensor_of(given)
        ours = np.dtype(np.float64 if scores.element_size() == 8 else np.float32)
        if estimator.whiten:
            scores = scores * from_host(whitening_deviations(estimator), scores.device)
        back = rows_there(model_from_attributes(estimator), scores)
        dtype = np.result_type(ours, to_numpy(estimator.components_).dtype)
        return array_like_tensor(cast_tensor(back, dtype), given)
    scores = check_array(
        to_numpy(given), input_name="X", dtype=[np.float64, np.float32], ensure_min_features=0
    )
    dtype = np.result_type(scores.dtype, to_numpy(estimator.components_).dtype)
    if estimator.whiten:
        scores = scores * whitening_deviations(estimator)
    return model_from_attributes(estimator).reconstruct(scores).astype(dtype, copy=False)


def row_log_densities(estimator: Any, rows: ValidatedRows) -> Any:
    """Log density of each row under the probabilistic model; of rows on a device, there."""
    if is_on_device(rows.source):
        noise = float(estimator.noise_variance_)
        return log_densities_there(model_from_attributes(estimator), rows.source, noise)
    with np.errstate(invalid="ignore", over="ignore"):
        found = log_densities(
            model_from_attributes(estimator), rows.source, float(estimator.noise_variance_)
        )
    if not np.isfinite(found).all():
        refuse_not_finite(estimator, rows)
    return found


def score_rows(estimator: Any, rows: ValidatedRows) -> Any:
    """The same in the precision of the rows and of the fit."""
    found = row_log_densities(estimator, rows)
    dtype = np.result_type(rows.dtype, to_numpy(estimator.components_).dtype)
    if is_on_device(rows.source):
        return array_like_tensor(cast_tensor(found, dtype), rows.given)
    return found.astype(dtype, copy=False)


def estimator_covariance(estimator: Any) -> AnyArray:
    """Of the probabilistic model, (d, d); whitening has no part in it."""
    return model_matrix(estimator, derived.model_covariance, 1)


def estimator_precision(estimator: Any) -> AnyArray:
    """The inverse of the covariance, (d, d)."""
    return model_matrix(estimator, derived.model_precision, -1)


def model_matrix(estimator: Any, formula: Formula, power: int) -> AnyArray:
    model = model_from_attributes(estimator)
    matrix = formula(model.components, model.eigenvalues, float(estimator.noise_variance_))
    if model.scale is not None:
        matrix *= np.outer(model.scale, model.scale) ** power
    return cast_if_representable(matrix, to_numpy(estimator.components_).dtype)
