"""table_of: from a source and its preparation to a table, with the arithmetic chosen by a sample.

| what the sample shows                       | what follows                                     |
|---------------------------------------------|--------------------------------------------------|
| a mean clearly larger than the spread       | rows are shifted in the block before they are    |
|                                             | multiplied (dense data)                          |
| float32 values beyond 1e15 or under 1e-15   | products in float64                              |
| spread beyond 1e30 or under 1e-30           | the table is held in units of a power of two     |
| `scale="std"`                               | one pass first, for the standard deviations      |
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.dask.rows import DistributedSource
from eigenlens.sources.moments_only import MomentsSource
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import glance_at
from eigenlens.table.dask_table import SpreadRows
from eigenlens.table.dense import CACHE_BYTES, DenseRows
from eigenlens.table.gathered import gathered_table, typical_size
from eigenlens.table.preparation import Preparation, deviations
from eigenlens.table.rows import Rows
from eigenlens.table.shift import provisional_shift, rows_to_sample
from eigenlens.table.sparse import SparseRows
from eigenlens.table.table import NOTHING, Table
from eigenlens.table.watch import Watch

__all__ = ["table_of", "unit_for"]

SAFE_IN_SINGLE = 1e15  # float32 squares of larger numbers, or their sums, may overflow
LEAST_UNIT = 2.0**-511  # whose inverse has a square
SAFE_IN_DOUBLE = 1e30  # fourth powers of larger numbers may overflow, and bounds square variances


def table_of(
    source: Source,
    preparation: Preparation,
    block_bytes: int = CACHE_BYTES,
    watch: Watch | None = None,
) -> Table:
    """The table, ready to be multiplied by; blocks no larger than `block_bytes` or the cache."""
    watch = Watch() if watch is None else watch
    if isinstance(source, MomentsSource):
        size = typical_size(source.moments, preparation.center)
        return gathered_table(source, preparation, unit_for(size), watch)
    with np.errstate(over="ignore", invalid="ignore"):
        sample = glance_at(source, rows_to_sample(source.shape[1]))
        rows = rows_of(source, sample, preparation.center, block_bytes, watch)
        spread = magnitude(sample - sample.mean(axis=0) if preparation.center else sample)
    ones = np.ones(source.shape[1])
    if preparation.scale is None:
        return Table(source, preparation, rows, ones, unit_for(spread), watch)
    if isinstance(preparation.scale, np.ndarray):
        return Table(source, preparation, rows, 1.0 / preparation.scale, watch=watch)
    with np.errstate(over="ignore", invalid="ignore"):
        shifted = rows_of(source, sample, True, block_bytes, watch)
    return standardized(source, preparation, rows, shifted, watch)


def standardized(
    source: Source, preparation: Preparation, rows: Rows, shifted: Rows, watch: Watch
) -> Table:
    """Divide by the standard deviations, which a first pass finds."""
    # The deviations define the table, so they are found in float64 and from shifted rows, whatever
    # the products use: about their mean they are taken also where rows are not centered.
    ones = np.ones(source.shape[1])
    table = Table(source, preparation, shifted.in_double(), ones, watch=watch)
    moments = table.moments
    size = table.uncorrected_variances * table.divisor
    table.inverse_scale = 1.0 / deviations(source, moments, NOTHING * size)
    table.rows = rows
    if rows.shift is None:
        table.step = moments.mean
    return table


def rows_of(
    source: Source, sample: Float64Array, center: bool, block_bytes: int, watch: Watch
) -> Rows:
    block = min(block_bytes, CACHE_BYTES)
    if source.is_sparse and isinstance(source, DistributedSource):
        return SpreadRows(source, None, True, block_bytes, watch)
    if source.is_sparse:
        return SparseRows(source, block_bytes, watch)
    shift = provisional_shift(sample, source) if center else None
    size = magnitude(sample if shift is None else sample - shift)
    mild = 1 / SAFE_IN_SINGLE < size < SAFE_IN_SINGLE
    precise = source.dtype == np.float64 or not mild
    if isinstance(source, DistributedSource):
        return SpreadRows(source, shift, precise, block, watch)
    return DenseRows(source, shift, precise, block, watch)


def unit_for(spread: float) -> float:
    """A power of two to hold numbers of this size in, so that their fourth powers fit a float64."""
    ordinary = 1 / SAFE_IN_DOUBLE < spread < SAFE_IN_DOUBLE
    return 1.0 if ordinary else max(float(2.0 ** round(np.log2(spread))), LEAST_UNIT)


def magnitude(values: Float64Array) -> float:
    """The largest absolute value; 1 where nothing can be said."""
    largest = float(np.abs(values).max(initial=0.0))
    return largest if 0 < largest < np.inf else 1.0
