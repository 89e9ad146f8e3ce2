"""New rows as the model sees them: opened, matched to its columns, centered and scaled by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import DataError, UnsupportedData
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["centered_blocks", "scores_of"]

BLOCK_BYTES = 16 << 20


def centered_blocks(model: Subspace, rows: Any) -> Iterator[Float64Array]:
    """Dense float64 blocks of (x - mean) / scale."""
    source = matching(model, rows)
    rows_per_block = max(1, BLOCK_BYTES // (8 * source.shape[1]))
    for block in source.blocks(rows_per_block):
        dense = block.toarray() if source.is_sparse else block
        ready = dense.astype(np.float64)
        if model.mean is not None:
            ready -= model.mean
        if model.scale is not None:
            ready /= model.scale
        yield ready


def scores_of(model: Subspace, block: Float64Array) -> Float64Array:
    return block @ model.components.T


def matching(model: Subspace, rows: Any) -> Source:
    """The source with the model's columns: by name where both have names, else by position."""
    source = open_source(rows)
    names = model.feature_names
    if names is not None and source.names is not None and source.names != names:
        missing = [name for name in names if name not in source.names]
        if missing:
            raise UnsupportedData.unknown_columns(missing, source.names)
        source = open_source(rows, columns=list(names))
    if source.shape[1] != model.n_features:
        raise DataError.wrong_width(source.shape, model.n_features)
    return source
