"""Twins: tables with the noise of the data and none of their structure.

| null    | a twin is                                        | keeps                              |
|---------|--------------------------------------------------|------------------------------------|
| flip    | the data with a random sign for every entry      | every single size; rows, columns   |
| permute | every column in an order of its own              | the columns' distributions         |
| gauss   | normal numbers with the columns' variances       | the columns' variances             |

Signs and normal numbers come from a counter, so that a block of rows has the same ones however the
rows are read; a permutation needs all rows at once. Sparse tables are permuted, and stay sparse.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.errors import RankError
from eigenlens.rank.derived import Change, derived, prepared
from eigenlens.rank.look import Room, raw
from eigenlens.sources.array import ArraySource
from eigenlens.sources.protocol import Source
from eigenlens.sources.sparse import SparseSource
from eigenlens.table.build import table_of
from eigenlens.table.preparation import Preparation
from eigenlens.table.table import Table

__all__ = ["NULLS", "Twins", "twins_of"]

NULLS = ("flip", "permute", "gauss")
WORDS_PER_COUNT = 4  # what one step of the counter gives, of 64 bits each

# From a key, which tells twins apart, to a twin and how to look at it.
Twins = Callable[[int], tuple[Source, Preparation]]


def twins_of(source: Source, preparation: Preparation, null: str, room: Room) -> Twins:
    """A maker of twins: each key gives another one."""
    if null == "permute" and source.is_sparse and preparation.weights is None:
        return sparse_twins(source, preparation, room)
    if null == "permute":
        return permuted_twins(table_of(source, preparation, room.block_bytes), room)
    table = prepared(source, preparation, room)
    plain = raw(table.shape[0])
    if null == "flip":
        return lambda key: (derived(table, room, flips(key)), plain)
    deviations = np.sqrt(table.feature_variances)
    return lambda key: (derived(table, room, normals(key, deviations)), plain)


def flips(key: int) -> Change:
    def change(start: int, block: FloatArray) -> FloatArray:
        rows, columns = block.shape
        bits = np.unpackbits(words(key, start, rows, -(-columns // 64)).view(np.uint8), axis=1)
        signs = 1 - 2 * bits[:, :columns].astype(np.int8)
        return block * signs

    return change


def normals(key: int, deviations: Float64Array) -> Change:
    def change(start: int, block: FloatArray) -> FloatArray:
        from scipy.special import ndtri

        rows, columns = block.shape
        whole = words(key, start, rows, -(-columns // 2)).view(np.uint32)[:, :columns]
        drawn: FloatArray = (ndtri((whole + 0.5) / 2.0**32) * deviations).astype(block.dtype)
        return drawn

    return change


def words(key: int, start: int, rows: int, per_row: int) -> npt.NDArray[np.uint64]:
    """Random bits of some rows, (rows, at least per_row): the same however rows are grouped."""
    counts = -(-per_row // WORDS_PER_COUNT)
    generator = np.random.Philox(key=key).advance(start * counts)
    found = generator.random_raw(rows * counts * WORDS_PER_COUNT)
    return np.asarray(found, np.uint64).reshape(rows, counts * WORDS_PER_COUNT)


def permuted_twins(table: Table, room: Room) -> Twins:
    needed = 2 * table.shape[0] * table.shape[1] * 8
    if needed > room.budget_bytes:
        raise RankError.needs(
            "null 'permute'",
            f"all rows in memory at once, {needed / 1e6:.0f} MB",
            f"Pass k='parallel:flip', or memory='{needed / 1e6 + 1:.0f}MB'.",
        )
    rows = np.vstack([np.array(block) for block in table.prepared_rows()])
    plain = raw(table.shape[0])

    def twin(key: int) -> tuple[Source, Preparation]:
        shuffled = np.random.default_rng(key).permuted(rows, axis=0)
        return ArraySource(shuffled, slice(0, rows.shape[1])), plain

    return twin


def sparse_twins(source: Source, preparation: Preparation, room: Room) -> Twins:
    from scipy import sparse

    if source.stored_bytes * 2 > room.budget_bytes:
        raise RankError.needs(
            "null 'permute'",
            f"all entries in memory at once, {2 * source.stored_bytes / 1e6:.0f} MB",
            "Allow more with memory=, or pass k='dpa', which needs no twins.",
        )
    whole = sparse.vstack(list(source.blocks(max(1, source.shape[0])))).tocsc()

    def twin(key: int) -> tuple[Source, Preparation]:
        rng = np.random.default_rng(key)
        indices = np.concatenate([places(rng, source.shape[0], n) for n in np.diff(whole.indptr)])
        shuffled: Any = sparse.csc_array((whole.data, indices, whole.indptr), shape=source.shape)
        return SparseSource(shuffled.tocsr()), preparation

    return twin


def places(rng: np.random.Generator, rows: int, count: int) -> npt.NDArray[np.intp]:
    """Where the entries of one column go."""
    found = rng.choice(rows, size=int(count), replace=False, shuffle=True)
    return np.asarray(found, np.intp)
