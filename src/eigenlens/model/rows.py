"""New rows as the model sees them: opened, matched to its columns, centered and scaled by block.

    y = V' D^-1 (x - m)           rows far from the origin are centered in cache, then multiplied
    y = V' D^-1 x - V' D^-1 m     others as they lie; sparse ones are never filled in

A projection reads the rows once and holds no copy of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, FloatArray
from eigenlens.errors import MismatchError, StreamError
from eigenlens.missing.completed import CompletedSource
from eigenlens.missing.unstored import mark_unstored
from eigenlens.model import derived
from eigenlens.model.missing_cells import MissingCells
from eigenlens.sources import frame
from eigenlens.sources.annotated import is_anndata
from eigenlens.sources.categories.encoding import Encoding, encoding_of
from eigenlens.sources.categories.model_rows import open_model_rows
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.genotypes import HWE, fill_with_means
from eigenlens.sources.normalized import normalize_rows
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.reading import open_annotated
from eigenlens.sources.sparse import SparseSource
from eigenlens.sources.traits import traits_of

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = [
    "block_scores",
    "center_of",
    "centered_blocks",
    "log_densities",
    "match_columns",
    "project_rows",
    "require_finite",
    "score_blocks",
]

BLOCK_BYTES = 4 << 20
CHUNK_BYTES = 256 << 10  # rows centered in a buffer of this size are still there when multiplied
CHUNK_ENTRIES = 1 << 21
FLOAT64 = np.dtype(np.float64)
NEAR_DEVIATIONS = {4: 1.0, 8: 1024.0}  # by bytes: of 16 digits three may go, of 7 none


def centered_blocks(model: Subspace, rows: Any) -> Iterator[Float64Array]:
    """Dense float64 blocks of (x - mean) / scale."""
    source = match_columns(model, rows)
    center = center_of(model, source)
    for block in source.blocks(rows_per_block(source)):
        dense = block.toarray() if source.is_sparse else block
        ready = dense.astype(np.float64)
        if center is not None:
            ready -= center
        if model.scale is not None:
            ready /= model.scale
        yield ready


def center_of(model: Subspace, source: Source) -> Float64Array | None:
    """What rows have yet to be centered by: the mean, less what they were given less than."""
    if model.mean is None:
        return None
    center = model.mean
    for origin in traits_of(source).origin:
        center = center - origin
    return center


def block_scores(model: Subspace, block: Float64Array) -> Float64Array:
    return block @ model.components.T


def log_densities(model: Subspace, rows: Any, noise: float) -> Float64Array:
    """Log density of each row under the probabilistic model with this noise variance."""
    parts = []
    for block in centered_blocks(model, rows):
        scores = block_scores(model, block)
        residuals = np.square(block - scores @ model.components).sum(axis=1)
        parts.append(
            derived.log_likelihood(
                np.square(scores), residuals, model.eigenvalues, noise, model.n_features
            )
        )
    density = np.concatenate(parts)
    return density if model.scale is None else density - float(np.log(model.scale).sum())


def project_rows(model: Subspace, rows: Any, dtype: np.dtype[Any] = FLOAT64) -> AnyArray:
    """Scores of all rows, (n, k); dense products are done in `dtype`."""
    source = match_columns(model, rows)
    blocks = scores_from(model, source, dtype)
    first = next(blocks)
    if len(first) == source.shape[0]:
        return first
    scores = np.empty((source.shape[0], model.n_components), dtype=dtype)
    start = 0
    for block in chain([first], blocks):
        scores[start : start + len(block)] = block
        start += len(block)
    return scores


def score_blocks(model: Subspace, rows: Any) -> Iterator[FloatArray]:
    """Scores of consecutive rows, in order."""
    return scores_from(model, match_columns(model, rows), FLOAT64)


def scores_from(model: Subspace, source: Source, dtype: np.dtype[Any]) -> Iterator[FloatArray]:
    """Block by block. What is taken from the rows before the product need not be taken after."""
    center = center_of(model, source)
    mean = np.zeros(model.n_features) if center is None else center
    directions = model.components.T if model.scale is None else (model.components / model.scale).T
    if source.is_sparse:
        offset = mean @ directions
        for product in sparse_products(source, directions):
            yield (product - offset).astype(dtype, copy=False)
        return
    shift = mean.astype(dtype) if is_far_from_origin(model, dtype) else None
    rest = ((mean if shift is None else mean - shift) @ directions).astype(dtype)
    low = np.ascontiguousarray(directions, dtype=dtype)
    for block in source.blocks(rows_per_block(source)):
        if shift is None:
            scores = block.astype(dtype, copy=False) @ low
        else:
            scores = shifted_products(block, shift, low)
        scores -= rest
        yield scores


def rows_per_block(source: Source) -> int:
    return max(1, BLOCK_BYTES // (8 * source.shape[1]))


def require_finite(answer: AnyArray, model: Subspace, rows: Any) -> AnyArray:
    """The answer, or the error that says which numbers of the rows made it NaN or infinite."""
    if not np.isfinite(answer).all():
        raise locate_not_finite(match_columns(model, rows))
    return answer


def is_far_from_origin(model: Subspace, dtype: np.dtype[Any]) -> bool:
    """Whether correcting the product would lose digits: a mean of so many deviations costs scores
    as many roundings.
    """
    if model.mean is None:
        return False
    mean = model.mean if model.scale is None else model.mean / model.scale
    near = NEAR_DEVIATIONS[dtype.itemsize]
    return bool(np.any(np.abs(mean) > near * np.sqrt(model.feature_variances)))


def shifted_products(block: FloatArray, shift: FloatArray, directions: FloatArray) -> FloatArray:
    """(block - shift) directions, a few rows at a time, while they are in cache."""
    count, width = block.shape
    scores = np.empty((count, directions.shape[1]), dtype=directions.dtype)
    rows_at_once = max(16, CHUNK_BYTES // (width * directions.itemsize))
    buffer = np.empty((min(rows_at_once, count), width), dtype=directions.dtype)
    for start in range(0, count, rows_at_once):
        part = block[start : start + rows_at_once]
        centered = np.subtract(part, shift, out=buffer[: len(part)], casting="same_kind")
        np.matmul(centered, directions, out=scores[start : start + len(part)])
    return scores


def sparse_products(source: Source, directions: Float64Array) -> Iterator[Float64Array]:
    """X directions in float64, by pieces along the axis that the entries are stored by."""
    n, d = source.shape
    pieces = 1 + source.stored_bytes // (12 * CHUNK_ENTRIES)
    if isinstance(source, SparseSource) and source.matrix.format == "csc":
        total = np.zeros((n, directions.shape[1]))
        start = 0
        for panel in source.panels(-(-d // pieces)):
            stop = start + panel.shape[1]
            total += panel.astype(np.float64, copy=False) @ directions[start:stop]
            start = stop
        yield total
        return
    for block in source.blocks(-(-n // pieces)):
        yield block.astype(np.float64, copy=False) @ directions


class ModelColumns(Protocol):
    """A model, as far as its columns go."""

    @property
    def feature_names(self) -> tuple[str, ...] | None: ...

    @property
    def n_features(self) -> int: ...

    @property
    def missing(self) -> MissingCells | None: ...

    @property
    def categories(self) -> Encoding | None: ...

    @property
    def mean(self) -> Float64Array | None: ...


def match_columns(model: ModelColumns, rows: Any, complete: bool = True) -> Source:
    """The source with the model's columns: by name where both have names, else by position.

    Named columns may stand in any order, and others beside them, words too. A model that knows how
    fills missing cells as they are read, unless `complete` is False.
    """
    if isinstance(rows, Iterator):
        raise StreamError.not_for_iterators()  # before any of it is read
    source = normalize_rows(open_for_model(model, rows), reading_of(model).get("normalize"))
    if is_genetic(model) and source.shape[1] == model.n_features:
        source = fill_with_means(source, np.array(model.mean))
    if source.shape[1] != model.n_features:
        raise MismatchError.wrong_width(source.shape, model.n_features)
    if model.missing is None or isinstance(source, CompletedSource):
        return source
    if model.missing.unstored and source.is_sparse:
        source = mark_unstored(source)
    if not complete:
        return source
    return CompletedSource(source, model.missing.completer)


def reading_of(model: object) -> Mapping[str, str]:
    """How a model reads rows; kernel models have one way only."""
    found: Mapping[str, str] = getattr(model, "reading", {})
    return found


def is_genetic(model: object) -> bool:
    """Whether calls that are missing count as the mean."""
    settings = getattr(model, "provenance", {}).get("settings", {})
    filled = settings.get("scale") == HWE and getattr(model, "missing", None) is None
    return bool(filled and getattr(model, "mean", None) is not None)


def open_for_model(model: ModelColumns, rows: Any) -> Source:
    names = model.feature_names
    if model.categories is not None and not is_prepared(model, rows):
        return open_model_rows(model.categories, model.mean, rows, model.missing is not None)
    if is_anndata(rows):
        how = reading_of(model)
        columns = None if names is None else list(names)
        return open_annotated(rows, columns, how.get("layer"), how.get("obsm"), None)
    if names is not None and source_by_name(rows):
        # Opened whole, a frame must hold numbers only.
        refuse_missing(names, frame.column_labels(rows))
        source = open_source(rows, columns=list(names))
    else:
        source = open_source(rows)
    if names is not None and source.names is not None and source.names != names:
        opened = isinstance(rows, Source)
        # Of a column that is there but holds words, opening it says which.
        refuse_missing(names, [*source.names, *(() if opened else traits_of(source).left_out)])
        source = open_source(rows, columns=list(names))
    return source


def is_prepared(model: ModelColumns, rows: Any) -> bool:
    """Whether rows were opened by the model's own levels already."""
    if isinstance(rows, np.ndarray):
        return bool(rows.dtype.kind == "f" and rows.shape[1:] == (model.n_features,))
    return isinstance(rows, Source) and encoding_of(rows) == model.categories


def refuse_missing(wanted: tuple[str, ...], there: list[str]) -> None:
    missing = [name for name in wanted if name not in set(there)]
    if missing:
        extra = [name for name in there if name not in set(wanted)]
        raise MismatchError.missing_columns(missing, len(wanted), extra)


def source_by_name(rows: Any) -> bool:
    if isinstance(rows, Source) or not frame.accepts(rows):
        return False
    return frame.any_strings(frame.as_frame(rows).columns)
