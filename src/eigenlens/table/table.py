"""Table: the prepared data as a linear map, one verb a pass.

    A = W^1/2 (X - 1 m') D^-1        (n, d)
    C = A'A / divisor                covariance (correlation where scaled, raw where not centered)

Products run on rows shifted by s; with e = m - s the true mean comes in afterwards,

    (X - 1m')' W (X - 1m') V = B'WB V - w e (e'V),      B = X - 1 s',  w = sum of weights.

The first pass of any kind also gathers the moments, so mean and total variance cost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.errors import DataError
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import glance_at, rows_differ, traits_of
from eigenlens.table.meter import Meter
from eigenlens.table.preparation import Preparation
from eigenlens.table.rows import Frame, Rows
from eigenlens.table.tally import Tally
from eigenlens.table.watch import Watch

__all__ = ["Table"]

Result = TypeVar("Result")
ROUNDOFF = {4: 2.0**-24, 8: 2.0**-53}
LEAST_SQUARES = 1e-304  # float64 counts in steps of 5e-324: sums of less may have lost digits
NOTHING = 1e-13  # variance below this part of the second moment is rounding, not spread


class Table:
    """What solvers multiply by. Mutable only in what it has learned: moments and the meter.

    It holds the data divided by `unit`, a power of two that is 1 unless squares would overflow;
    variances here times unit^2 are in the units of the data.
    """

    def __init__(
        self,
        source: Source,
        preparation: Preparation,
        rows: Rows,
        inverse_scale: Float64Array,
        unit: float = 1.0,
        watch: Watch | None = None,
    ) -> None:
        self.source = source
        self.preparation = preparation
        self.rows = rows
        self.inverse_scale = inverse_scale / unit
        self.unit = unit
        self.watch = Watch() if watch is None else watch
        self.meter = Meter(traits_of(source).passes_to_open)
        self.chained = False  # whether products of products were made, or will be
        self.learned: Moments | None = None
        self.step: Float64Array | None = None
        self.lengths: Float64Array | None = None

    # -- facts -----------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @property
    def divisor(self) -> float:
        return self.preparation.divisor

    @property
    def most_components(self) -> int:
        return self.preparation.most_components(self.shape)

    @property
    def moments(self) -> Moments:
        """Weight, mean and squares about the mean, unscaled; a pass if none was made yet."""
        if self.learned is None:
            self.reading(self.measured)
        if self.learned is None:
            raise RuntimeError("moments are known after the first pass")
        return self.learned

    @property
    def offset(self) -> Float64Array:
        """e = m - s in the units of the table: what the products have yet to be corrected for.

        Kept as it was summed: far from the origin, m - s from the rounded m would have no digits.
        """
        if self.moments is None or self.step is None:
            raise RuntimeError("the offset is known after the first pass")
        return self.step * self.inverse_scale

    @property
    def feature_variances(self) -> Float64Array:
        """The diagonal of C."""
        centered = self.moments.squares * self.inverse_scale**2 / self.divisor
        if self.preparation.center:
            return centered
        return centered + self.offset**2 * (self.preparation.total_weight / self.divisor)

    @property
    def total_variance(self) -> float:
        """The trace of C, exact."""
        return float(self.feature_variances.sum())

    @property
    def uncorrected_variances(self) -> Float64Array:
        """The diagonal of B'WB / divisor: what rounding is relative to, entry by entry."""
        weight = self.preparation.total_weight
        return (self.moments.squares * self.inverse_scale**2 + weight * self.offset**2) / (
            self.divisor
        )

    @property
    def uncorrected_lengths(self) -> Float64Array:
        """The same for rows: the diagonal of W^1/2 B D^-2 B' W^1/2 / divisor."""
        if self.lengths is None:
            raise RuntimeError("row lengths are known after a pass over rows or panels")
        weights = self.preparation.weights
        return (self.lengths if weights is None else self.lengths * weights) / self.divisor

    @property
    def roundoff(self) -> float:
        """Relative rounding of what was computed: how far sums drift, times the unit roundoff."""
        drift = self.rows.drift if self.chained else self.rows.gram_drift
        return ROUNDOFF[self.rows.dtype.itemsize] * drift

    # -- verbs: one pass each --------------------------------------------------------------

    def covariance_times(self, vectors: Float64Array) -> Float64Array:
        """C V."""
        self.chained = True
        frame, scale = self.frame, self.inverse_scale[:, None]
        product = self.reading(lambda tally: self.rows.gram_times(vectors * scale, frame, tally))
        product *= scale
        if self.preparation.center:
            offset = self.offset
            product -= np.outer(self.preparation.total_weight * offset, offset @ vectors)
        product /= self.divisor
        return product

    def covariance(self) -> Float64Array:
        """C itself, (d, d)."""
        frame, scale = self.frame, self.inverse_scale
        gram = self.reading(lambda tally: self.rows.gram(frame, tally))
        gram *= scale[:, None]
        gram *= scale
        if self.preparation.center:
            offset = self.offset * math.sqrt(self.preparation.total_weight)
            gram -= np.outer(offset, offset)
        gram /= self.divisor
        return gram

    def project(self, vectors: Float64Array) -> Float64Array:
        """A V, (n, l)."""
        self.chained = True
        frame, scale = self.frame, self.inverse_scale[:, None]
        scores = self.reading(
            lambda tally: self.rows.times(vectors * scale, frame, tally), lengths=True
        )
        if self.preparation.center:
            scores -= self.offset @ vectors
        return scores if frame.heights is None else scores * frame.heights[:, None]

    def pull_back(self, vectors: Float64Array) -> Float64Array:
        """A' U, (d, l)."""
        self.chained = True
        frame = self.frame
        heavy = vectors if frame.heights is None else vectors * frame.heights[:, None]
        product = self.reading(lambda tally: self.rows.transposed_times(heavy, frame, tally))
        product *= self.inverse_scale[:, None]
        if self.preparation.center:
            product -= np.outer(self.offset, heavy.sum(axis=0))
        return product

    def inner_products_times(self, vectors: Float64Array) -> Float64Array:
        """A A' U / divisor, (n, l)."""
        self.chained = True
        frame = self.frame
        product = self.reading(
            lambda tally: self.rows.dual_times(vectors, frame, tally), lengths=True
        )
        product /= self.divisor
        return product

    def inner_products(self) -> Float64Array:
        """A A' / divisor, (n, n)."""
        frame = self.frame
        product = self.reading(lambda tally: self.rows.inner_products(frame, tally), lengths=True)
        product /= self.divisor
        return product

    def triangle(self) -> Float64Array:
        """R with R'R = C, by orthogonal transformations of row blocks; the mean is found first."""
        offset, frame = self.correction, self.frame
        triangle = self.reading(lambda _: self.rows.triangle(offset, frame))
        triangle /= math.sqrt(self.divisor)
        return triangle

    def prepared_rows(self) -> Iterator[FloatArray]:
        """A itself, block by block, each the caller's to overwrite; the mean is found first."""
        blocks = self.rows.rows_of_table(self.correction, self.frame)
        self.watch.began(self.meter.passes + 1, self.shape[0])
        return self.meter.counting(blocks, self.shape[0], self.source.stored_bytes)

    @property
    def correction(self) -> Float64Array:
        """What the shifted rows have yet to be shifted by, in the units of the data."""
        offset = self.offset / self.inverse_scale
        return offset if self.preparation.center else np.zeros_like(offset)

    def dual_triangle(self) -> Float64Array:
        """R with R'R = AA' / divisor, from column panels."""
        frame = self.frame
        triangle = self.reading(lambda tally: self.rows.dual_triangle(frame, tally), lengths=True)
        triangle /= math.sqrt(self.divisor)
        return triangle

    def sampled_rows(self, count: int) -> Float64Array:
        """Rows from all over, centered on their own mean and scaled: a small stand-in for A."""
        sample = glance_at(self.source, count)
        self.meter.bytes_read += len(sample) * self.source.stored_bytes // self.shape[0]
        if self.preparation.center:
            sample -= sample.mean(axis=0)
        sample *= self.inverse_scale
        return sample

    # -- the pass --------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        preparation = self.preparation
        return Frame(self.inverse_scale**2, preparation.weights, self.shape[0], preparation.center)

    def measured(self, tally: Tally | None) -> None:
        if tally is not None:
            self.rows.measure(self.frame, tally)

    def reading(self, verb: Callable[[Tally | None], Result], lengths: bool = False) -> Result:
        """One pass; the first also gathers the moments and meets what is wrong with the numbers.

        Verbs that see whole rows gather their `lengths` too, the first time.
        """
        self.meter.one_pass(self.source.stored_bytes)
        if self.learned is not None and (self.lengths is not None or not lengths):
            return self.watched(verb, None)
        tally = Tally(self.shape)
        with np.errstate(over="ignore", invalid="ignore"):
            result = self.watched(verb, tally)
            total = tally.squares.sum()
        if not np.isfinite(total):
            if self.rows.precise:
                raise locate_not_finite(self.source)
            self.rows = self.rows.in_double()  # perhaps only float32 squares overflowed
            return self.reading(verb, lengths)
        if self.learned is None:
            self.learned = self.moments_from(tally)
            self.step = tally.sums / self.preparation.total_weight
        if lengths:
            self.lengths = tally.lengths
        return result

    def watched(self, verb: Callable[[Tally | None], Result], tally: Tally | None) -> Result:
        found: Result = self.watch.one_pass(self.meter.passes, self.shape[0], verb, tally)
        return found

    def moments_from(self, tally: Tally) -> Moments:
        moments = tally.moments(self.preparation.total_weight, self.rows.shift)
        spread = moments.squares.sum() if self.preparation.center else tally.squares.sum()
        if tally.squares.sum() < LEAST_SQUARES and rows_differ(self.source):
            raise DataError.underflow()
        standardized = isinstance(self.preparation.scale, str)  # names its constant columns itself
        if not standardized and spread <= NOTHING * tally.squares.sum():
            if self.source.is_sparse and spread > 0:
                raise DataError.too_far(self.shape)
            raise DataError.constant_table(
                self.shape, self.preparation.center, self.preparation.weights is not None
            )
        return moments

    def compute_in_double(self) -> None:
        """From now on every product in float64; what was gathered in float32 is forgotten."""
        self.rows = self.rows.in_double()
        self.learned = self.step = self.lengths = None
