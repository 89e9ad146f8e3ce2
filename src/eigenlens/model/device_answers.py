"""Answers about arrays of torch, cupy and jax: of the same library, on the same device.

Rows on a device are centered, scaled and multiplied there, block by block in float64. Rows that
numpy reads, and those that a model completes or normalizes first, are answered by numpy, and the
answer is brought to where the rows are. Answers about Dask collections come from here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.errors import DataError, DeviceError
from eigenlens.machine.torch_device import (
    Tensor,
    borrowed_device,
    free_bytes,
    from_host,
    is_out_of_memory,
    to_host,
)
from eigenlens.model import derived
from eigenlens.model.dask_answers import is_dask_collection, map_chunks, refuse_other_columns
from eigenlens.model.rows import center_of, match_columns
from eigenlens.sources.device.arrays import array_like_tensor, is_foreign_array, tensor_of
from eigenlens.sources.device.rows import TensorRows, is_on_device
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.open import open_source
from eigenlens.table.device_algebra import widen_tensor

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = [
    "answer_at_home",
    "answer_elsewhere",
    "is_elsewhere",
    "log_densities_there",
    "rows_there",
    "scores_there",
]

BLOCK_ENTRIES = {"cpu": 1 << 20, "cuda": 1 << 25}
LEAST_ENTRIES = 1 << 14


def is_elsewhere(rows: object) -> bool:
    """Whether answers are of another kind than numpy arrays."""
    return is_dask_collection(rows) or is_foreign_array(rows)


def answer_elsewhere(
    model: Subspace, rows: Any, verb: Callable[[Subspace, Any], Any], width: int | None
) -> Any:
    """`verb` of a model and rows, (n, width) or (n,), where the rows are."""
    if is_dask_collection(rows):  # with its chunks of rows, not yet computed
        refuse_other_columns(model, rows)
        return map_chunks(rows, partial(verb, model), width, np.dtype(np.float64))
    source = match_columns(model, rows)
    there = THERE[verb.__name__]
    if is_on_device(source):
        return array_like_tensor(there(model, source), rows)
    host = open_source(rows)  # which finds the way home, wherever it is
    return array_like_tensor(from_host(verb(model, host), tensor_of(rows).device), rows)


def answer_at_home(answer: Any) -> Any:
    """An answer of any kind as a numpy array."""
    return to_host(tensor_of(answer)) if is_foreign_array(answer) else np.asarray(answer)


# -- on the device -------------------------------------------------------------------------


def scores_there(model: Subspace, source: TensorRows) -> Tensor:
    """(n, k)"""

    def of_block(block: Tensor, components: Tensor) -> Tensor:
        return block @ components.T

    return answer_by_block(model, source, of_block)


def residuals_there(model: Subspace, source: TensorRows) -> Tensor:
    """(n,), squared distances to the subspace."""

    def of_block(block: Tensor, components: Tensor) -> Tensor:
        return block.sub_(block @ components.T @ components).square_().sum(1)

    return answer_by_block(model, source, of_block)


def log_densities_there(model: Subspace, source: TensorRows, noise: float | None = None) -> Tensor:
    """(n,), under the probabilistic model with this noise variance."""
    rank, noise = model.n_components, model.noise_variance if noise is None else noise
    nothing = derived.log_likelihood(
        np.zeros((1, rank)), np.zeros(1), model.eigenvalues, noise, model.n_features
    )
    constant = float(nothing[0])
    constant -= 0.0 if model.scale is None else float(np.log(model.scale).sum())
    along, across = derived.floor_variances(model.eigenvalues, noise)

    def of_block(block: Tensor, components: Tensor) -> Tensor:
        scores = block @ components.T
        distance = scores.square() @ from_host(1 / along, block.device)
        if model.n_features > rank:
            distance += block.sub_(scores @ components).square_().sum(1) / across
        return constant - 0.5 * distance

    return answer_by_block(model, source, of_block)


def rows_there(model: Subspace, scores: Any) -> Any:
    """The rows that have these scores, as an array of the same kind."""
    import torch

    given = tensor_of(scores)
    if given.ndim == 0 or given.shape[-1] != model.n_components:
        raise DataError.wrong_scores(tuple(given.shape), model.n_components)
    with borrowed_device(given.device):
        rows = given.to(torch.float64) @ from_host(model.components, given.device)
        if model.scale is not None:
            rows *= from_host(model.scale, given.device)
        if model.mean is not None:
            rows += from_host(model.mean, given.device)
    return array_like_tensor(rows, scores)


def answer_by_block(
    model: Subspace, source: TensorRows, of_block: Callable[[Tensor, Tensor], Tensor]
) -> Tensor:
    """What is said of every row; with smaller blocks where memory ends."""
    import torch

    device = source.device
    entries = BLOCK_ENTRIES[device.type]
    while True:
        try:
            with borrowed_device(device):
                components = from_host(model.components, device)
                blocks = centered_there(model, source, max(1, entries // source.shape[1]))
                answer = torch.cat([of_block(block, components) for block in blocks])
                finite = bool(torch.isfinite(answer).all())
            break
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            if entries <= LEAST_ENTRIES:
                raise DeviceError.out_of_memory(
                    str(device), 8 * entries, free_bytes(device)
                ) from error
            entries //= 2
    if not finite:
        raise locate_not_finite(source)
    return answer


def centered_there(model: Subspace, source: TensorRows, rows_per_block: int) -> Iterator[Tensor]:
    """Fresh blocks of (x - mean) / scale."""
    center = center_of(model, source)
    shift = None if center is None else from_host(center, source.device)
    scale = None if model.scale is None else from_host(model.scale, source.device)
    for part in source.tensors(rows_per_block):
        block = widen_tensor(part, shift, [])
        yield block if scale is None else block.div_(scale)


THERE = {
    "project": scores_there,
    "residual": residuals_there,
    "log_likelihood": log_densities_there,
}
