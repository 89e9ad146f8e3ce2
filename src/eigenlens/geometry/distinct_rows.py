"""Survey: one look at all rows before their distances are measured.

Finds      the smallest and largest number of every column, a number for every row that only equal
           rows share, and whether anything is not finite.
Gives      `DistinctRows`: which they are, and how a row is brought to the unit box. Distances do
           not depend on the center, and ratios of them not on the unit, so the middle of the range
           and its half width serve: no square can overflow or vanish, whatever the scale.

Equal rows are told by 64-bit sums of mixed bits: a false match among a million distinct rows has a
probability of about 1e-8.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.errors import ChunkError, DataError, ScaleError
from eigenlens.geometry.neighbors import NumberedRows
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Block, Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.preparation import check_scale, column_names

__all__ = ["MIN_DISTINCT_ROWS", "DistinctRows", "read_distinct_rows"]

MIN_DISTINCT_ROWS = 10
BLOCK_ENTRIES = 1 << 20


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Distinct rows of a source, seen in the unit box."""

    source: Source
    center: Float64Array | None  # None: rows are sparse and stay where they are
    unit: Float64Array  # (d,), divided by
    reach: float  # the largest half range, in the units distances are told in
    distinct: IntArray  # numbers of the rows that are the first of their kind, ascending

    @property
    def n_rows(self) -> int:
        return len(self.distinct)

    def sample(self, numbers: IntArray) -> NumberedRows:
        """These rows, dense."""
        rows = np.asarray(self.source.sample(numbers), dtype=np.float64)
        return NumberedRows(numbers, self.ready(rows))

    def blocks(self) -> Iterator[NumberedRows]:
        """All distinct rows, in order."""
        for start, block in number_source_blocks(self.source):
            low, high = np.searchsorted(self.distinct, [start, start + block.shape[0]])
            numbers = self.distinct[low:high]
            if len(numbers):
                whole = len(numbers) == block.shape[0]
                rows = block if whole else block[numbers - start]
                yield NumberedRows(numbers, self.ready(rows))

    def ready(self, rows: Block) -> Any:
        if not isinstance(rows, np.ndarray):
            from scipy.sparse import csr_array

            return csr_array(rows.astype(np.float64).multiply(1 / self.unit))
        if self.center is None:
            return rows / self.unit
        return (rows - self.center) / self.unit


def read_distinct_rows(source: Source, scale: object = None) -> DistinctRows:
    """Read all rows once, twice with scale="std"; refuse what has no distances to speak of."""
    n, d = source.shape
    if traits_of(source).remote:
        raise ChunkError.far_away("finding neighbors")
    if d == 1:
        raise DataError.one_column(n)
    if n < MIN_DISTINCT_ROWS:
        raise DataError.too_few_rows(n, MIN_DISTINCT_ROWS)
    wanted = check_scale(scale, source)
    lows, highs, marks = column_ranges(source)
    _, first = np.unique(marks, return_index=True)
    distinct = np.sort(first)
    refuse_repeated(n, len(distinct))
    if source.is_sparse:
        center, half = None, np.maximum(np.abs(lows), np.abs(highs))
    else:
        center, half = 0.5 * lows + 0.5 * highs, 0.5 * highs - 0.5 * lows
    if wanted is None:
        unit = np.ones(d)
    elif not isinstance(wanted, np.ndarray):
        unit = scaled_deviations(source, center, half, column_names(source))
    else:
        unit = wanted
    reach = float(np.max(half / unit))
    return DistinctRows(source, center, unit * reach, reach, distinct)


def refuse_repeated(n: int, distinct: int) -> None:
    if distinct == 1:
        raise DataError.equal_rows(n)
    if distinct < n - distinct:
        raise DataError.mostly_repeated(n, distinct)
    if distinct < MIN_DISTINCT_ROWS:
        raise DataError.too_few_rows(distinct, MIN_DISTINCT_ROWS)


def number_source_blocks(source: Source) -> Iterator[tuple[int, Block]]:
    start = 0
    for block in source.blocks(max(1, BLOCK_ENTRIES // source.shape[1])):
        yield start, block
        start += block.shape[0]


def column_ranges(source: Source) -> tuple[Float64Array, Float64Array, Any]:
    """Smallest and largest number per column, and a mark per row."""
    n, d = source.shape
    lows, highs = np.full(d, np.inf), np.full(d, -np.inf)
    marks = np.empty(n, dtype=np.uint64)
    keys = mix_bits(np.arange(1, d + 1, dtype=np.uint64))
    for start, block in number_source_blocks(source):
        low, high = block.min(axis=0), block.max(axis=0)
        if not isinstance(block, np.ndarray):
            low, high = low.toarray().ravel(), high.toarray().ravel()
        lows, highs = np.minimum(lows, low), np.maximum(highs, high)
        marks[start : start + block.shape[0]] = row_hashes(block, keys)
    # np.minimum hands on a NaN; an infinite number is an end of its column.
    if not (np.isfinite(lows).all() and np.isfinite(highs).all()):
        raise locate_not_finite(source)
    return lows, highs, marks


def row_hashes(block: Block, keys: Any) -> Any:
    """The sum over a row's entries other than 0 of their bits, mixed with the column's key."""
    if isinstance(block, np.ndarray):
        values = np.ascontiguousarray(block, dtype=np.float64)
        mixed_bits = mix_bits(values.view(np.uint64) ^ keys)
        mixed_bits[values == 0] = 0  # also -0.0
        return mixed_bits.sum(axis=1, dtype=np.uint64)
    rows = block.tocsr()
    values = rows.data.astype(np.float64)
    mixed_bits = mix_bits(values.view(np.uint64) ^ keys[rows.indices])
    mixed_bits[values == 0] = 0
    sums = np.concatenate([[np.uint64(0)], np.cumsum(mixed_bits, dtype=np.uint64)])
    return sums[rows.indptr[1:]] - sums[rows.indptr[:-1]]  # wraps around both times


def mix_bits(bits: Any) -> Any:
    """Every bit depends on every other (Stafford's mixing, as in splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def scaled_deviations(
    source: Source, center: Float64Array | None, half: Float64Array, names: tuple[str, ...]
) -> Float64Array:
    """Standard deviations, summed in units of the half range; constant columns are an error."""
    constant = np.flatnonzero(half == 0)
    if constant.size:
        raise ScaleError.constant_columns([names[column] for column in constant])
    n = source.shape[0]
    total, squares = np.zeros(len(half)), np.zeros(len(half))
    for _, block in number_source_blocks(source):
        if isinstance(block, np.ndarray):
            part = (block - (0.0 if center is None else center)) / half
            total += part.sum(axis=0)
            squares += np.square(part).sum(axis=0)
        else:
            part = block.astype(np.float64).multiply(1 / half)
            total += np.asarray(part.sum(axis=0)).ravel()
            squares += np.asarray(part.multiply(part).sum(axis=0)).ravel()
    spread = (squares - total**2 / n) / (n - 1)
    constant = np.flatnonzero(spread <= 0)
    if constant.size:
        raise ScaleError.constant_columns([names[column] for column in constant])
    found: Float64Array = half * np.sqrt(spread)
    return found
