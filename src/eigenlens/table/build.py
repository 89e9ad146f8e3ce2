"""table_of: from a source and its preparation to a table, with the arithmetic chosen by a sample.

| what the sample shows                       | what follows                                     |
|---------------------------------------------|--------------------------------------------------|
| a mean so large beside the spread that the  | rows are shifted in the block before they are    |
| accuracy asked for would suffer             | multiplied (dense data)                          |
| float32 values beyond 1e15 or under 1e-15,  | products in float64                              |
| or weights of very different sizes          |                                                  |
| spread beyond 1e30 or under 1e-30           | the table is held in units of a power of two     |
| `scale="std"`, categories, counts           | one pass first, for deviations and shares        |

Rows with more weight are more likely in the sample. What it did not show the first pass will
(`units.py`).
"""

from __future__ import annotations

import math

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.dask.rows import DistributedSource
from eigenlens.sources.dense_copy import dense_copy
from eigenlens.sources.device.rows import is_on_device
from eigenlens.sources.moments_only import MomentsSource
from eigenlens.sources.protocol import Source
from eigenlens.sources.wide_numbers import shifted_exactly
from eigenlens.table.dask_table import DaskRows
from eigenlens.table.dense import CACHE_BYTES, DenseRows
from eigenlens.table.device_memory import BlockLimit
from eigenlens.table.device_rows import DeviceRows
from eigenlens.table.learned import ZERO_VARIANCE_SHARE
from eigenlens.table.moments_table import largest_deviation, table_of_moments
from eigenlens.table.pass_observer import PassObserver
from eigenlens.table.preparation import (
    Preparation,
    is_learned_scale,
    leave_shares,
    scale_by_shares,
    standard_deviations,
)
from eigenlens.table.rows import RowStorage
from eigenlens.table.shift import RowSample, provisional_shift, sample_of
from eigenlens.table.sparse import SparseRows
from eigenlens.table.table import TableOperator
from eigenlens.table.units import SMALLEST_UNIT, better_unit, unit_for, wider_rows

__all__ = ["build_table", "unit_for"]

SAFE_IN_SINGLE = 1e15  # float32 squares of larger numbers, or their sums, may overflow
KEPT_SAMPLE_BYTES = 1 << 20
EVEN_WEIGHTS = 1e6  # float32 sums of rows whose weights differ by more would lose the light ones


def build_table(
    source: Source,
    preparation: Preparation,
    block_bytes: int = CACHE_BYTES,
    watch: PassObserver | None = None,
    accuracy: float = 0.0,
) -> TableOperator:
    """The table, ready to be multiplied by; blocks no larger than `block_bytes` or the cache.

    `accuracy`: the error that may be left to rounding of the smallest eigenvalue asked for, in
    parts of the average variance of a column; 0: as little as can.
    """
    watch = PassObserver() if watch is None else watch
    if isinstance(source, MomentsSource):
        size = largest_deviation(source.moments, preparation.center)
        return table_of_moments(source, preparation, unit_for(size), watch)
    exact = shifted_exactly(source)  # whose deviations have all their digits
    source = exact if preparation.center else source
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        sample = sample_of(dense_copy(source) or source, preparation.weights)
        shift, alike = None, preparation.scale is not None
        if preparation.center:
            shift = provisional_shift(sample, source, accuracy, each_column=alike)
            shift = leave_shares(preparation.scale, shift)
        rows = choose_storage(source, sample, preparation, shift, block_bytes, watch, accuracy)
        if is_learned_scale(preparation.scale):
            seen = sample if exact is source else sample_of(exact, preparation.weights)
            own = leave_shares(preparation.scale, provisional_shift(seen, exact))
            shifted = choose_storage(exact, seen, preparation, own, block_bytes, watch)
            measuring = TableOperator(exact, preparation, shifted.in_double(), watch=watch)
            return standardize_table(source, preparation, rows, measuring)
        given = preparation.given_scale
        middle = sample.moments[0] * sample.moments[1] if preparation.center else 0.0
        size = sample.size_about(middle, 1.0 if given is None else given)
        unit = unit_for(size, rows.precise)
    table = TableOperator(source, preparation, rows, given, unit, watch)
    table.sample = sample if sample.rows.nbytes <= KEPT_SAMPLE_BYTES else None
    return table


def standardize_table(
    source: Source, preparation: Preparation, rows: RowStorage, measuring: TableOperator
) -> TableOperator:
    """Divide by the standard deviations, which a first pass finds.

    The deviations define the table, so they are found in float64 and from shifted rows, whatever
    the products use: about their mean they are taken also where rows are not centered.
    """
    measuring.each_column = True
    facts, exponents = measuring.facts, measuring.rows.exponents
    weight = math.ldexp(preparation.scale_divisor, -measuring.weight_exponent)
    negligible = ZERO_VARIANCE_SHARE * facts.tallied
    found = standard_deviations(source, facts.squares, weight, negligible)
    scale = found if exponents is None else np.ldexp(found, exponents)
    scale = scale_by_shares(preparation, scale, facts.mean[0])
    rows = rows if exponents is None else rows.in_units(exponents)
    table = TableOperator(source, preparation, rows, scale, watch=measuring.watch)
    table.meter = measuring.meter
    hazard = float((facts.tallied / facts.squares).max())
    table.scale_error = measuring.roundoff * hazard + SMALLEST_UNIT[8] / float(scale.min())
    table.learned = facts.about(rows) if preparation.center else facts.about_origin()
    wider = wider_rows(table, table.learned)
    if wider is None:
        table.unit = better_unit(table)
    else:  # whose columns are in other units than those of the sums: the next pass finds them anew
        table.rows, table.learned = wider, None
    return table


def choose_storage(
    source: Source,
    sample: RowSample,
    preparation: Preparation,
    shift: Float64Array | None,
    block_bytes: int,
    watch: PassObserver,
    accuracy: float = 0.0,
) -> RowStorage:
    block = min(block_bytes, CACHE_BYTES)
    source = dense_copy(source) or source
    if source.is_sparse and isinstance(source, DistributedSource):
        return DaskRows(source, None, True, block_bytes, watch, shift)
    if source.is_sparse:
        return SparseRows(source, block_bytes, watch, shift)
    if is_on_device(source):
        return DeviceRows(source, shift, BlockLimit(block_bytes, accuracy), watch)
    size = sample.size_about(0.0 if shift is None else shift)
    mild = 1 / SAFE_IN_SINGLE < size < SAFE_IN_SINGLE and are_even(preparation.weights)
    precise = source.dtype == np.float64 or not mild
    if isinstance(source, DistributedSource):
        return DaskRows(source, shift, precise, block, watch)
    return DenseRows(source, shift, precise, block, watch)


def are_even(weights: Float64Array | None) -> bool:
    """Whether float32 can hold all weights at once, zeros aside."""
    if weights is None:
        return True
    some = weights[weights > 0]
    return bool(some.max() <= EVEN_WEIGHTS * some.min())
