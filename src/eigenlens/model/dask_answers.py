"""Answers about a Dask collection: a Dask array with a block for every chunk of rows.

Nothing is computed here. Chunks along columns are laid side by side first; lengths that Dask does
not know stay unknown, and chunks without rows, which a selection leaves behind, give none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.errors import DataError, EigenlensError, MismatchError, UnsupportedData
from eigenlens.model.rows import ModelColumns, refuse_missing
from eigenlens.sources.dask.collection import is_array, is_frame

__all__ = ["is_dask_collection", "map_chunks", "refuse_other_columns", "refuse_other_scores"]


def is_dask_collection(rows: object) -> bool:
    return hasattr(rows, "__dask_graph__")


def map_chunks(
    rows: Any, work: Callable[[Any], Any], width: int | None, dtype: np.dtype[Any]
) -> Any:
    """`work` of every chunk of rows, (n, width), or (n,) for None, when somebody computes it."""
    import dask.array
    from dask import delayed

    tail = () if width is None else (width,)
    answer = ChunkAnswer(work, tail, dtype)
    if is_frame(rows):
        said = delayed(answer, traverse=False)
        parts = [
            dask.array.from_delayed(said(part, (number,)), (np.nan, *tail), dtype)
            for number, part in enumerate(rows.to_delayed())
        ]
        return dask.array.concatenate(parts, allow_unknown_chunksizes=True)
    whole = rows.rechunk({1: -1}) if rows.numblocks[1] > 1 else rows
    return whole.map_blocks(
        answer,
        dtype=dtype,
        chunks=(whole.chunks[0], *((count,) for count in tail)),
        drop_axis=1 if width is None else None,
        meta=np.empty((0, *tail), dtype),
    )


def refuse_other_columns(model: ModelColumns, rows: Any) -> None:
    """What can be told from the outside, before anybody waits for the rows."""
    if is_frame(rows):
        names = model.feature_names
        if model.categories is not None:
            names = model.categories.column_names
        if names is not None and any(isinstance(label, str) for label in rows.columns):
            refuse_missing(names, list(map(str, rows.columns)))
        elif len(rows.columns) != model.n_features:
            raise MismatchError.wrong_width((0, len(rows.columns)), model.n_features)
        return
    if not is_array(rows):
        raise UnsupportedData.unknown_kind(type(rows))
    if rows.ndim != 2:
        raise DataError.not_two_dimensional(rows.shape)
    if rows.shape[1] != model.n_features:
        raise MismatchError.wrong_width(rows.shape, model.n_features)


def refuse_other_scores(scores: Any, components: int) -> None:
    if not (is_array(scores) or is_frame(scores)):
        raise UnsupportedData.unknown_kind(type(scores))
    shape: tuple[Any, ...] = scores.shape
    if len(shape) != 2 or shape[1] != components:
        raise DataError.wrong_scores(shape, components)


@dataclass(frozen=True)
class ChunkAnswer:
    """`work` of one chunk; its errors say which one it was."""

    work: Callable[[Any], Any]
    tail: tuple[int, ...]
    dtype: np.dtype[Any]

    def __call__(self, part: Any, block_id: tuple[int, ...]) -> Any:
        if part.shape[0] == 0:
            return np.empty((0, *self.tail), self.dtype)
        try:
            return self.work(part).astype(self.dtype, copy=False)
        except EigenlensError as error:
            raise type(error)(f"in chunk {block_id[0]}: {error}") from error
