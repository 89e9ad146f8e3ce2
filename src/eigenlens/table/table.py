"""Table: the prepared data as a linear map, one verb a pass.

    A = W^1/2 (X - 1 m') D^-1        (n, d)
    C = A'A / divisor                covariance (correlation where scaled, raw where not centered)

Products run on rows shifted by s; with e = m - s the true mean comes in afterwards,

    (X - 1m')' W (X - 1m') V = B'WB V - w e (e'V),      B = X - 1 s',  w = sum of weights.

The first pass of any kind also gathers the moments, so mean and total variance cost nothing. It
also shows whether the numbers fit: where squares overflow or are lost, the pass is made again in
float64, and then with every column in a power of two of its own (`units.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeVar

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.sources.traits import peek_rows
from eigenlens.table.column_sums import Sums
from eigenlens.table.learned import learned_from, refuse_no_variance
from eigenlens.table.prepared import PreparedData
from eigenlens.table.rows import Frame
from eigenlens.table.units import better_unit, multipliers, refuse_beyond_floats, wider_rows

__all__ = ["TableOperator"]

Result = TypeVar("Result")
Verb: TypeAlias = Callable[[Frame, Float64Array, Sums | None], Result]


class TableOperator(PreparedData):
    """What solvers multiply by."""

    # -- verbs: one pass each --------------------------------------------------------------

    def covariance_times(self, vectors: Float64Array) -> Float64Array:
        """C V."""
        self.chained = True
        product = self.reading(
            lambda frame, scale, tally: rescale_product(
                self.rows.gram_times(vectors * scale[:, None], frame, tally), scale
            ),
            power=2,
        )
        if self.preparation.center:
            offset = self.offset
            product -= np.outer(self.weight * offset, offset @ vectors)
        product /= self.reduced_divisor
        return product

    def covariance(self) -> Float64Array:
        """C itself, (d, d)."""
        gram = self.reading(
            lambda frame, scale, tally: rescale_product(self.rows.gram(frame, tally), scale, scale),
            power=2,
        )
        if self.preparation.center:
            offset = self.offset * math.sqrt(self.weight)
            gram -= np.outer(offset, offset)
        gram /= self.reduced_divisor
        return gram

    def project(self, vectors: Float64Array) -> Float64Array:
        """A V, (n, l)."""
        self.chained = True
        scores = self.reading(
            lambda frame, scale, tally: self.rows.times(vectors * scale[:, None], frame, tally),
            lengths=True,
            power=1,
        )
        if self.preparation.center:
            scores -= self.offset @ vectors
        heights = self.frame.heights
        return self.weighed(scores if heights is None else scores * heights[:, None])

    def pull_back(self, vectors: Float64Array) -> Float64Array:
        """A' U, (d, l)."""
        self.chained = True
        heights = self.frame.heights
        heavy = vectors if heights is None else vectors * heights[:, None]
        product = self.reading(
            lambda frame, scale, tally: rescale_product(
                self.rows.transposed_times(heavy, frame, tally), scale
            ),
            power=1,
        )
        if self.preparation.center:
            product -= np.outer(self.offset, heavy.sum(axis=0))
        return self.weighed(product)

    def inner_products_times(self, vectors: Float64Array) -> Float64Array:
        """A A' U / divisor, (n, l)."""
        self.chained = True
        product = self.reading(
            lambda frame, _, tally: self.rows.dual_times(vectors, frame, tally),
            lengths=True,
            power=2,
        )
        product /= self.reduced_divisor
        return product

    def inner_products(self) -> Float64Array:
        """A A' / divisor, (n, n)."""
        product = self.reading(
            lambda frame, _, tally: self.rows.inner_products(frame, tally), lengths=True, power=2
        )
        product /= self.reduced_divisor
        return product

    def triangle(self) -> Float64Array:
        """R with R'R = C, by orthogonal transformations of row blocks; the mean is found first."""
        offset = self.correction
        triangle = self.reading(lambda frame, *_: self.rows.triangle(offset, frame))
        triangle /= math.sqrt(self.reduced_divisor)
        return triangle

    def dual_triangle(self) -> Float64Array:
        """R with R'R = AA' / divisor, from column panels."""
        triangle = self.reading(
            lambda frame, _, tally: self.rows.dual_triangle(frame, tally), lengths=True, power=1
        )
        triangle /= math.sqrt(self.reduced_divisor)
        return triangle

    def prepared_rows(self) -> Iterator[FloatArray]:
        """A itself, block by block, each the caller's to overwrite; the mean is found first."""
        blocks = self.rows.rows_of_table(self.correction, self.frame)
        self.watch.began(self.meter.passes + 1, self.shape[0])
        weighed = (self.weighed(block) for block in blocks)
        return self.meter.counting(weighed, self.shape[0], self.source.stored_bytes)

    def sampled_rows(self, count: int) -> Float64Array:
        """Rows from all over, centered on their own mean and scaled: a small stand-in for A."""
        sample = peek_rows(self.source, count)
        self.meter.bytes_read += len(sample) * self.source.stored_bytes // self.shape[0]
        if self.preparation.center:
            sample -= sample.mean(axis=0)
        sample *= multipliers(self.shape[1], self.scale, None, self.unit)
        return sample

    # -- the pass --------------------------------------------------------------------------

    def measure(self) -> None:
        def gather(frame: Frame, scale: Float64Array, tally: Sums | None) -> None:
            if tally is not None:
                self.rows.measure(frame, tally)

        self.reading(gather)

    def reading(self, verb: Verb[Result], lengths: bool = False, power: int = 0) -> Result:
        """One pass; the first also gathers the moments and meets what is wrong with the numbers.

        Verbs that see whole rows gather their `lengths` too, the first time. What the verb gives
        goes with `power` of the table's unit, which the first pass may change.
        """
        self.meter.one_pass(self.source.stored_bytes)
        if self.learned is not None and (self.lengths is not None or not lengths):
            return self.watched(verb, None)
        tally = Sums(self.shape, lengths)
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            result = self.watched(verb, tally)
            learned = learned_from(tally, self) if self.learned is None else self.learned
            wider = wider_rows(self, learned)
        if wider is not None:
            self.rows = wider
            self.learned = self.lengths = None
            return self.reading(verb, lengths, power)
        first, self.learned = self.learned is None, learned
        if first and not self.each_column:
            refuse_no_variance(self)
            refuse_beyond_floats(self)
        change = better_unit(self) / self.unit
        if change != 1:
            self.unit *= change
        if tally.lengths is not None:
            self.lengths = tally.lengths / change**2
        if change != 1 and isinstance(result, np.ndarray):
            np.multiply(result, change**-power, out=result)
        return result

    def watched(self, verb: Verb[Result], tally: Sums | None) -> Result:
        found: Result = self.watch.one_pass(
            self.meter.passes,
            self.shape[0],
            lambda gathered: verb(self.frame, self.inverse_scale, gathered),
            tally,
        )
        return found

    def compute_in_double(self) -> None:
        """From now on every product in float64; what was gathered in float32 is forgotten."""
        self.rows = self.rows.in_double()
        self.learned = self.lengths = None


def rescale_product(
    product: Float64Array, rows: Float64Array, columns: Float64Array | None = None
) -> Float64Array:
    """In place: rows, and columns, of a product times the scales."""
    if (rows != 1).any():
        product *= rows[:, None]
    if columns is not None and (columns != 1).any():
        product *= columns
    return product
