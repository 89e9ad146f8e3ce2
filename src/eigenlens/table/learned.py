"""Learned: what the first pass finds out about every column.

    step      the mean less the shift of the products
    squares   sum of w (x - mean)^2
    tallied   sum of w (x - t)^2, about the shift t that the sums were made with

All in the units that `rows` hold their columns in, with weights as products have them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from eigenlens.algebra.precision import LARGEST_EXACT
from eigenlens.algebra.two_sum import sum_with_tail
from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.errors import DataError
from eigenlens.sources.traits import rows_differ, traits_of
from eigenlens.table.column_sums import Sums
from eigenlens.table.rows import RowStorage

if TYPE_CHECKING:
    from eigenlens.table.prepared import PreparedData

__all__ = ["ZERO_VARIANCE_SHARE", "Learned", "learned_from", "refuse_no_variance"]

ZERO_VARIANCE_SHARE = 1e-13  # variance below this part of the second moment is rounding, not spread


@dataclass(frozen=True)
class Learned:
    step: Float64Array
    squares: Float64Array
    tallied: Float64Array
    tally_step: Float64Array  # the mean less the shift of the sums
    shift: Float64Array | None  # of the sums, in the units of the data
    anchors: tuple[Float64Array, ...]  # what else the mean is the sum of, in the units of the data
    exponents: IntArray | None  # of the units of the columns; None: all as in the data

    @cached_property
    def mean(self) -> tuple[Float64Array, Float64Array]:
        """The mean in the units of the data, and what it lacks for being rounded."""
        step = self.tally_step
        if self.exponents is not None:
            step = np.ldexp(step, self.exponents)
        return sum_with_tail([*self.anchors, *([] if self.shift is None else [self.shift]), step])

    def about_origin(self) -> Learned:
        """The same, for products of rows that are not shifted at all."""
        return replace(self, step=in_units(self.mean[0], self.exponents))

    def about(self, rows: RowStorage) -> Learned:
        """The same, for products of rows with another shift: sparse rows are never shifted."""
        ours, theirs = self.shift, rows.shift
        if ours is theirs:
            return self
        moved = np.zeros_like(self.step) if ours is None else ours
        moved = moved if theirs is None else moved - theirs
        return replace(self, step=self.tally_step + in_units(moved, self.exponents))


def learned_from(tally: Sums, table: PreparedData) -> Learned:
    weight, rows = table.weight, table.rows
    step = tally.sums / weight
    squares = np.maximum(tally.squares - weight * step**2, 0.0)
    anchors = (*traits_of(table.source).origin, *rows.tails)
    found = Learned(step, squares, tally.squares, step, rows.tally_shift, anchors, rows.exponents)
    return found.about(rows)


def in_units(values: Float64Array, exponents: IntArray | None) -> Float64Array:
    return values if exponents is None else np.ldexp(values, -exponents)


def refuse_no_variance(table: PreparedData) -> None:
    """An error where the rows are equal, or all zero, or so to the last digit."""
    preparation, learned = table.preparation, table.facts
    tallied = float(learned.tallied.sum())
    spread = float(learned.squares.sum()) if preparation.center else tallied
    if spread > ZERO_VARIANCE_SHARE * tallied:
        return
    if tallied == 0 and rows_differ(table.source) and preparation.weights is None:
        raise DataError.underflow()
    largest = float(np.abs(table.moments.mean).max())
    if largest > LARGEST_EXACT and not traits_of(table.source).float_stored:
        raise DataError.beyond_exact(largest)
    if table.source.is_sparse and spread > 0:
        raise DataError.too_far(table.shape)
    raise DataError.constant_table(table.shape, preparation.center, preparation.weights is not None)
