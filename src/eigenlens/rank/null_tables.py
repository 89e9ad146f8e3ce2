"""Null tables: tables with the noise of the data and none of their structure.

| null    | a twin is                                        | keeps                              |
|---------|--------------------------------------------------|------------------------------------|
| flip    | the data with a random sign for every entry      | every single size; rows, columns   |
| permute | every column in an order of its own              | the columns' distributions         |
| gauss   | normal numbers with the columns' variances       | the columns' variances             |

Signs and normal numbers come from a counter, so that a block of rows has the same ones however the
rows are read; a permutation needs all rows at once. Sparse tables are flipped where they are not
centered and permuted where they are, and stay sparse. Categories and counts are permuted by columns
of the data (`permuted_columns.py`), whatever null is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.errors import RankError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.rank.derived_rows import Change, TableBuffer, derive_rows, rows_of_prepared_table
from eigenlens.rank.permuted_columns import permuted_categories
from eigenlens.rank.quick_spectrum import raw_moments
from eigenlens.rank.repeated_rows import RepeatedRows, count_copies, repeated_rows
from eigenlens.sources.array import ArraySource
from eigenlens.sources.protocol import Source
from eigenlens.sources.sparse import SparseSource
from eigenlens.sources.traits import Inertia, traits_of
from eigenlens.table.preparation import Preparation
from eigenlens.table.workspace import Workspace

__all__ = ["NULLS", "NullTables", "null_tables_of", "usual_null"]

NULLS = ("flip", "permute", "gauss")
WORDS_PER_COUNT = 4  # what one step of the counter gives, of 64 bits each

# From a key, which tells twins apart, to a twin and how to look at it.
NullTables = Callable[[int], tuple[Source, Preparation]]


def usual_null(source: Source, preparation: Preparation) -> str:
    """Flips, but where they would fill a sparse table: less their mean no entries are 0. Of a table
    with missing cells the observed ones change places.
    """
    if traits_of(source).null_table is not None or isinstance(preparation.scale, Inertia):
        return "permute"
    return "permute" if source.is_sparse and preparation.center else "flip"


def null_tables_of(
    source: Source, preparation: Preparation, null: str, workspace: Workspace
) -> NullTables:
    """A maker of twins: each key gives another one."""
    own = traits_of(source).null_table
    if own is not None:
        return lambda key: (own(key), preparation)
    categorical = permuted_categories(source, preparation, workspace)
    if categorical is not None:
        return categorical
    if source.is_sparse and null == usual_null(source, preparation):
        return sparse_null_tables(source, preparation, null, workspace)
    table = rows_of_prepared_table(source, preparation, workspace)
    rows = repeated_rows(table, preparation.weights)
    if null == "permute":
        return permuted_tables(rows, workspace)
    plain, buffer = raw_moments(rows.shape[0], rows.weights), TableBuffer()
    deviations = np.sqrt(table.feature_variances * (table.divisor / plain.divisor))

    def twin(key: int) -> tuple[Source, Preparation]:
        change = random_flips(key) if null == "flip" else random_normals(key, deviations)
        return derive_rows(rows, workspace, change, rows.shape, buffer), plain

    return twin


# -- from a counter ------------------------------------------------------------------------


def random_flips(key: int) -> Change:
    # Eight signs for every byte, looked up at once.
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    signs = (1.0 - 2.0 * bits).astype(np.float32)

    def change(start: int, block: FloatArray) -> FloatArray:
        rows, columns = block.shape
        drawn = random_words(key, start, rows, -(-columns // 64)).view(np.uint8)[
            :, : -(-columns // 8)
        ]
        flipped: FloatArray = block * signs[drawn].reshape(rows, -1)[:, :columns]
        return flipped

    return change


def random_normals(key: int, deviations: Float64Array) -> Change:
    def change(start: int, block: FloatArray) -> FloatArray:
        from scipy.special import ndtri

        rows, columns = block.shape
        whole = random_words(key, start, rows, -(-columns // 2)).view(np.uint32)[:, :columns]
        drawn: FloatArray = (ndtri((whole + 0.5) / 2.0**32) * deviations).astype(block.dtype)
        return drawn

    return change


def random_words(key: int, start: int, rows: int, per_row: int) -> npt.NDArray[np.uint64]:
    """Random bits of some rows, (rows, at least per_row): the same however rows are grouped."""
    counts = -(-per_row // WORDS_PER_COUNT)
    generator = np.random.Philox(key=key).advance(start * counts)
    found = generator.random_raw(rows * counts * WORDS_PER_COUNT)
    return np.asarray(found, np.uint64).reshape(rows, counts * WORDS_PER_COUNT)


# -- all rows at once ----------------------------------------------------------------------


def permuted_tables(rows: RepeatedRows, workspace: Workspace) -> NullTables:
    needed = 2 * rows.shape[0] * rows.shape[1] * 8
    if needed > workspace.budget_bytes:
        raise RankError.needs(
            SetOption("k", "parallel:permute"),
            f"all rows in memory at once, {needed / 1e6:.0f} MB",
            Phrase(
                "pass {}, or {}",
                SetOption("k", "parallel:flip"),
                SetOption("memory", f"{needed / 1000000.0 + 1:.0f}MB"),
            ),
        )
    everything = np.vstack([np.array(piece) for piece in rows.pieces()])
    plain = raw_moments(rows.shape[0], rows.weights)

    def twin(key: int) -> tuple[Source, Preparation]:
        shuffled = np.random.default_rng(key).permuted(everything, axis=0)
        return ArraySource(shuffled, slice(0, rows.shape[1])), plain

    return twin


def sparse_null_tables(
    source: Source, preparation: Preparation, null: str, workspace: Workspace
) -> NullTables:
    """Entries keep their column, and either their row or their sign."""
    whole, preparation = sparse_copies(source, preparation, workspace)
    n = whole.shape[0]

    def permuted(key: int) -> tuple[Source, Preparation]:
        rng = np.random.default_rng(key)
        indices = np.concatenate(
            [random_positions(rng, n, count) for count in np.diff(whole.indptr)]
        )
        return sparse_source(whole, whole.data, indices), preparation

    def flipped(key: int) -> tuple[Source, Preparation]:
        signs = 1 - 2 * np.random.default_rng(key).integers(2, size=whole.nnz, dtype=np.int8)
        return sparse_source(whole, whole.data * signs, whole.indices), preparation

    return permuted if null == "permute" else flipped


def sparse_copies(
    source: Source, preparation: Preparation, workspace: Workspace
) -> tuple[Any, Preparation]:
    """All entries by columns, rows as often as their weights say, and how they are to be read."""
    from scipy import sparse

    weights, scale = preparation.weights, preparation.scale
    counts, parts = (None, None) if weights is None else count_copies(weights)
    times = 1.0 if parts is None else len(parts) / source.shape[0]
    needed = 2 * source.stored_bytes * max(times, 1.0)
    if needed > workspace.budget_bytes:
        raise RankError.needs(
            SetOption("k", "parallel"),
            f"all entries in memory at once, {needed / 1e6:.0f} MB",
            Phrase(
                "allow more with {}, or pass {}, which needs no null tables",
                Option("memory"),
                SetOption("k", "dpa"),
            ),
        )
    table = workspace.table(source, preparation)
    if scale is not None:
        scale = table.scale  # that of the data: a twin's own would be another
    workspace.meter.one_pass(source.stored_bytes)
    whole: Any = sparse.vstack(list(source.blocks(max(1, source.shape[0])))).tocsr()
    if counts is not None and parts is not None:
        whole = whole[np.repeat(np.arange(source.shape[0]), counts)]
        weights = None if np.all(parts == 1) else parts
    return whole.tocsc(), replace(preparation, weights=weights, scale=scale)


def sparse_source(like: Any, data: FloatArray, indices: Any) -> SparseSource:
    from scipy import sparse

    shuffled: Any = sparse.csc_array((data, indices, like.indptr), shape=like.shape)
    return SparseSource(shuffled.tocsr())


def random_positions(rng: np.random.Generator, rows: int, count: int) -> npt.NDArray[np.intp]:
    """Where the entries of one column go."""
    found = rng.choice(rows, size=int(count), replace=False, shuffle=True)
    return np.asarray(found, np.intp)
