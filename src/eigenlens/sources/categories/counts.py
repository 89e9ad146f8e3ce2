"""A table of counts as the profiles of its rows: correspondence analysis is their PCA.

    profile    n_ij / n_i.       weight  n_i.       scale  sqrt(c_j), c_j the share of column j

Weights are the sums of the rows where these are whole numbers: a row counts as often as it has
cases. Other tables (percentages, masses) give the same axes, with weights that sum to the number
of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray, IntArray
from eigenlens.errors.categories import CategoryError
from eigenlens.sources.categories.encoding import Encoding
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Block, Source
from eigenlens.sources.traits import Inertia, Traits, blocks_from, keep_within, traits_of

__all__ = ["ProfileSource", "profiles_of", "row_sums_of"]

ROWS_AT_ONCE = 1 << 14
NAMED = 5


@dataclass(frozen=True, eq=False)
class ProfileSource:
    """`sums`: of the rows of `counts`; `weights`: how often each row counts."""

    counts: Source
    sums: Float64Array
    weights: Float64Array
    names: tuple[str, ...]
    shares: Float64Array | None = None  # of the columns, in the whole table

    dtype = np.dtype(np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return self.counts.shape

    @property
    def is_sparse(self) -> bool:
        return self.counts.is_sparse

    @property
    def stored_bytes(self) -> int:
        return self.counts.stored_bytes

    @cached_property
    def traits(self) -> Traits:
        own = traits_of(self.counts)
        everywhere = np.ones(self.shape[1], dtype=bool)
        inertia = Inertia(everywhere, 1.0, self.weights, self.shares)
        return replace(
            own, in_place=False, inertia=inertia, glance=None, find_bad_values=None,
            within=self.within, computed=self.roundings,
        )  # fmt: skip

    @property
    def roundings(self) -> float:
        """One for the quotient; sums of whole numbers are exact, others are rounded too."""
        whole = bool((self.sums == np.floor(self.sums)).all())
        return 2.0 if whole else 2.0 + self.shape[1]

    @property
    def encoding(self) -> Encoding:
        return Encoding("ca", self.names)

    def within(self, budget_bytes: int) -> ProfileSource:
        return replace(self, counts=keep_within(self.counts, budget_bytes))

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        stored = traits_of(self.counts).is_stored
        first = start if stored else 0
        for block in blocks_from(self.counts, rows_per_block, first):
            rows = slice(first, first + block.shape[0])
            first = rows.stop
            yield divide_by_sums(block, self.sums[rows])

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        for panel in self.counts.panels(columns_per_panel):
            yield divide_by_sums(panel, self.sums)

    def sample(self, indices: IntArray) -> FloatArray:
        rows: FloatArray = divide_by_sums(self.counts.sample(indices), self.sums[indices])
        return rows

    def __repr__(self) -> str:
        return f"ProfileSource({self.counts!r})"


def divide_by_sums(block: Block, sums: Float64Array) -> Any:
    if isinstance(block, np.ndarray):
        return block.astype(np.float64) / sums[:, None]
    return block.astype(np.float64).multiply(1.0 / sums[:, None]).asformat(block.format)


def profiles_of(counts: Source) -> ProfileSource:
    """The profiles; an error where a count is negative, or a row or column is empty."""
    names = counts.names or tuple(f"x{place}" for place in range(counts.shape[1]))
    sums, below, whole = row_sums_of(counts, names)
    total = float(sums.sum())
    weights = sums if whole and total > 1 else sums * (counts.shape[0] / total)
    return ProfileSource(counts, sums, weights, names, below / total)


def row_sums_of(
    counts: Source, names: tuple[str, ...], columns_too: bool = True
) -> tuple[Float64Array, Float64Array, bool]:
    """The sums of the rows and of the columns, and whether all counts are whole numbers."""
    sums, below, whole, first = [], np.zeros(counts.shape[1]), True, 0
    for block in counts.blocks(ROWS_AT_ONCE):
        values = block if isinstance(block, np.ndarray) else block.data
        if not np.isfinite(values).all():
            if np.isnan(values).any() and isinstance(block, np.ndarray):
                raise missing_counts(block, first, names)
            raise locate_not_finite(counts)
        if values.size and float(values.min()) < 0:
            raise CategoryError.negative_counts(*first_negative(block, first, names))
        whole = whole and bool((values == np.floor(values)).all())
        sums.append(np.asarray(block.sum(axis=1), dtype=np.float64).ravel())
        below += np.asarray(block.sum(axis=0), dtype=np.float64).ravel()
        first += block.shape[0]
    found = np.concatenate(sums)
    empty_rows, empty_columns = np.flatnonzero(found == 0), np.flatnonzero(below == 0)
    if empty_rows.size or (columns_too and empty_columns.size):
        listed = [names[place] for place in empty_columns.tolist()] if columns_too else []
        raise CategoryError.empty_counts(empty_rows.tolist(), listed)
    return found, below, whole


def missing_counts(block: Any, first: int, names: tuple[str, ...]) -> CategoryError:
    rows, columns = (np.unique(place) for place in np.nonzero(np.isnan(block)))
    return CategoryError.missing_counts((rows + first).tolist(), [names[j] for j in columns])


def first_negative(block: Any, first: int, names: tuple[str, ...]) -> tuple[int, str, float]:
    dense = block if isinstance(block, np.ndarray) else block.toarray()
    row, column = (int(place[0]) for place in np.nonzero(dense < 0))
    return first + row, names[column], float(dense[row, column])
