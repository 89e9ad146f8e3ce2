"""Gathered rows: gone, but for their number, mean and scatter matrix S.

    B'B V = S V       with the mean as shift, so that nothing is left to correct

All that C = S / divisor says can be had from it: products and C itself. What needs the rows, their
inner products or their scores, is an error that says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import Float64Array, FloatArray, IntArray
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.errors.remedies import PythonCode
from eigenlens.sources.moments_only import MomentsSource
from eigenlens.table.column_sums import Sums
from eigenlens.table.pass_observer import PassObserver
from eigenlens.table.preparation import (
    Preparation,
    is_learned_scale,
    scale_by_shares,
    standard_deviations,
)
from eigenlens.table.roundings import UNIT_ROUNDOFF
from eigenlens.table.rows import Frame
from eigenlens.table.table import TableOperator

__all__ = ["MomentsRows", "largest_deviation", "table_of_moments"]


@dataclass(frozen=True)
class MomentsRows:
    moments: Moments
    center: bool
    drift: float

    precise = lossless = True
    exponents = None
    dtype = np.dtype(np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.moments.weight), len(self.moments.mean)

    @property
    def shift(self) -> Float64Array | None:
        return self.moments.mean if self.center else None

    @property
    def tally_shift(self) -> Float64Array | None:
        return self.shift

    @property
    def tails(self) -> tuple[Float64Array, ...]:
        return (self.moments.known_tail,) if self.center else ()

    @property
    def gram_drift(self) -> float:
        return self.drift

    def in_double(self) -> MomentsRows:
        return self

    def in_units(self, exponents: IntArray) -> MomentsRows:
        raise RuntimeError("rows that are gone are as they were summed")

    def largest_magnitudes(self, frame: Frame) -> Float64Array:
        return np.full(self.shape[1], np.inf)

    def undisturbed(self) -> AbstractContextManager[None]:
        return nullcontext()

    # -- what the scatter tells ------------------------------------------------------------

    def measure(self, frame: Frame, tally: Sums) -> None:
        moments = self.moments
        tally.squares += moments.squares
        if not self.center:
            tally.sums += moments.weight * moments.mean
            tally.squares += moments.weight * moments.mean**2

    def gram_times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        if tally is not None:
            self.measure(frame, tally)
        moments = self.moments
        product: Float64Array = moments.second_moment(centered=True) @ vectors
        if not self.center:
            product += np.outer(moments.weight * moments.mean, moments.mean @ vectors)
        return product

    def gram(self, frame: Frame, tally: Sums | None) -> Float64Array:
        if tally is not None:
            self.measure(frame, tally)
        return self.moments.second_moment(self.center).copy()

    # -- what it does not ------------------------------------------------------------------

    def times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        raise refuse_rows_gone("their scores")

    def transposed_times(
        self, vectors: Float64Array, frame: Frame, tally: Sums | None
    ) -> Float64Array:
        raise refuse_rows_gone("combining them")

    def dual_times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        raise refuse_rows_gone("their inner products")

    def rows_of_table(self, offset: Float64Array, frame: Frame) -> Iterator[FloatArray]:
        raise refuse_rows_gone("a decomposition of the rows themselves")

    def triangle(self, offset: Float64Array, frame: Frame) -> Float64Array:
        raise refuse_rows_gone("a decomposition of the rows themselves")

    def inner_products(self, frame: Frame, tally: Sums | None) -> Float64Array:
        raise refuse_rows_gone("their inner products")

    def dual_triangle(self, frame: Frame, tally: Sums | None) -> Float64Array:
        raise refuse_rows_gone("their inner products")


def refuse_rows_gone(what: str) -> OptionError:
    return OptionError.needs(
        what,
        "complete rows that can be read again, and only their moments are known",
        PythonCode("pass a callable in the place of an iterator, which is read only once"),
        Phrase(
            "choose a solver that needs only the covariance matrix: {}, 'krylov', 'lanczos', "
            "'power', 'orthogonal' or 'randomized'",
            SetOption("solver", "covariance"),
        ),
    )


def table_of_moments(
    source: MomentsSource,
    preparation: Preparation,
    unit: float = 1.0,
    watch: PassObserver | None = None,
) -> TableOperator:
    """The table of rows that are gone; `unit` is that of a table without a scale."""
    if preparation.weights is not None:
        raise OptionError.needs(
            Option("weights"),
            "the rows, and this stream could be read only once",
            PythonCode(
                "pass a callable that returns a fresh iterator at each call: "
                "eigenlens.fit(lambda: blocks(), ...)"
            ),
        )
    moments, scale = source.moments, preparation.given_scale
    rows = MomentsRows(moments, preparation.center, source.drift)
    if not is_learned_scale(preparation.scale):
        return TableOperator(
            source, preparation, rows, scale, unit if scale is None else 1.0, watch
        )
    # Shifted by themselves, constant columns are zero.
    found = standard_deviations(source, moments.squares, preparation.scale_divisor, 0.0)
    scale = scale_by_shares(preparation, found, moments.mean)
    table = TableOperator(source, preparation, rows, scale, 1.0, watch)
    table.scale_error = UNIT_ROUNDOFF[8] * source.drift
    return table


def largest_deviation(moments: Moments, center: bool) -> float:
    """The largest deviation of a column, or root mean square where rows are not centered."""
    squares = moments.squares / moments.weight
    largest = float(np.sqrt((squares if center else squares + moments.mean**2).max(initial=0.0)))
    return largest if largest > 0 else 1.0
