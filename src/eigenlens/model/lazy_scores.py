"""Scores of a Dask collection: a Dask array with a block of scores for every chunk of rows.

Nothing is computed here. Chunks along columns are laid side by side first; lengths that Dask does
not know stay unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["is_lazy", "lazy_scores"]


def is_lazy(rows: object) -> bool:
    return hasattr(rows, "__dask_graph__")


def lazy_scores(
    rows: Any, scores_of: Callable[[Any], Any], components: int, dtype: np.dtype[Any]
) -> Any:
    """`scores_of` applied to every chunk of rows, (n, components), when somebody computes it."""
    import dask.array
    from dask import delayed

    if hasattr(rows, "columns"):
        scored = delayed(scores_of, traverse=False)
        shape = (np.nan, components)
        parts = [dask.array.from_delayed(scored(part), shape, dtype) for part in rows.to_delayed()]
        return dask.array.concatenate(parts, allow_unknown_chunksizes=True)
    whole = rows.rechunk({1: -1}) if rows.numblocks[1] > 1 else rows
    return whole.map_blocks(
        scores_of,
        dtype=dtype,
        chunks=(whole.chunks[0], (components,)),
        meta=np.empty((0, components), dtype),
    )
