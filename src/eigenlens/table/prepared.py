"""PreparedData: rows, scale, weights and units of a table, and what its first pass has learned.

Everything that is known without another pass: moments, variances, and what was rounded.
"""

from __future__ import annotations

import hashlib
import math
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.learned import Learned
from eigenlens.table.meter import Meter
from eigenlens.table.pass_observer import PassObserver
from eigenlens.table.preparation import Preparation
from eigenlens.table.roundings import Roundings
from eigenlens.table.rows import Frame, RowStorage
from eigenlens.table.shift import RowSample
from eigenlens.table.terms import roundings_of, total_rounding_of
from eigenlens.table.units import multipliers, weight_exponent

__all__ = ["PreparedData"]

# Computed from the attributes, and kept until one of them is set: a proof asks for each many times.
DERIVED = {
    "inverse_scale",
    "squared_scale",
    "offset",
    "feature_variances",
    "total_variance",
    "uncorrected_variances",
    "tallied_variances",
    "roundings",
    "frame",
    "mean_in_units",
    "kept",
}
FACTS = ("learned", "lengths")  # what passes find, and what is derived of it
OF_FACTS = DERIVED - {"inverse_scale", "squared_scale", "frame"}


class PreparedData:
    """Mutable only in what it has learned: moments, units, the meter.

    It holds the data divided by `unit`, a power of two that is 1 unless squares would overflow;
    variances here times unit^2 are in the units of the data. `rows` may hold every column in a
    power of two of its own besides; `inverse_scale` is what turns those into the table. Weights
    are divided by a power of two too, so that the largest is near 1.
    """

    def __init__(
        self,
        source: Source,
        preparation: Preparation,
        rows: RowStorage,
        scale: Float64Array | None = None,
        unit: float = 1.0,
        watch: PassObserver | None = None,
    ) -> None:
        self.source = source
        self.preparation = preparation
        self.rows = rows
        self.scale = scale  # of the columns, to divide by; None: all 1
        self.scale_error = 0.0  # relative, of scales that were computed
        self.unit = unit
        self.watch = PassObserver() if watch is None else watch
        self.meter = Meter()
        self.each_column = False  # whether columns matter one by one, whatever their size
        self.chained = False  # whether products of products were made, or will be
        self.learned: Learned | None = None
        self.sample: RowSample | None = None  # rows looked at before the first pass
        self.lengths: Float64Array | None = None
        weights = preparation.weights
        self.weight_exponent = 0 if weights is None else weight_exponent(weights)
        self.weights = None if weights is None else np.ldexp(weights, -self.weight_exponent)

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if name in own:  # nothing was derived of what has not been there
            if own[name] is value:
                return  # the same object again: what was derived stays
            for derived in (OF_FACTS if name in FACTS else DERIVED) & own.keys():
                del own[derived]
        own[name] = value

    # -- facts -----------------------------------------------------------------------------

    @cached_property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @property
    def divisor(self) -> float:
        return self.preparation.divisor

    @cached_property
    def reduced_divisor(self) -> float:
        """The divisor in the units of the weights that products are made with."""
        return math.ldexp(self.preparation.divisor, -self.weight_exponent)

    @cached_property
    def weight(self) -> float:
        """The sum of the weights that products are made with."""
        return math.ldexp(self.preparation.total_weight, -self.weight_exponent)

    @cached_property
    def inverse_scale(self) -> Float64Array:
        """What a column of the rows, as they are multiplied, is multiplied by."""
        return multipliers(self.shape[1], self.scale, self.rows.exponents, self.unit)

    @cached_property
    def squared_scale(self) -> Float64Array:
        """Its squares: what sums of squares are multiplied by."""
        with np.errstate(over="ignore", under="ignore"):  # refused as a sum (`units.py`)
            return np.square(self.inverse_scale)

    @property
    def most_components(self) -> int:
        return self.preparation.most_components(self.shape)

    @property
    def directions(self) -> int:
        """How many directions the table can vary in.

        Missing cells vary around what is expected of them: in any direction, however few rows.
        """
        if traits_of(self.source).informative_share < 1:
            return self.shape[1]
        return self.preparation.directions(self.shape)

    @property
    def facts(self) -> Learned:
        """What the first pass has learned; a pass if none was made yet."""
        if self.learned is None:
            self.measure()
        if self.learned is None:
            raise RuntimeError("moments are known after the first pass")
        return self.learned

    def measure(self) -> None:
        """A pass for the moments alone."""
        raise NotImplementedError

    @property
    def moments(self) -> Moments:
        """Weight, mean and squares about the mean in the units of the data, unscaled."""
        facts = self.facts
        mean, tail = facts.mean
        with np.errstate(over="ignore", under="ignore"):
            squares = np.ldexp(facts.squares, self.weight_exponent)
            if facts.exponents is not None:
                squares = np.ldexp(squares, 2 * facts.exponents)
            squares = np.minimum(squares, np.finfo(np.float64).max)
        return Moments(self.preparation.total_weight, mean, squares, None, tail)

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What others have derived of it, for as long as it stays as it is."""
        return {}

    @cached_property
    def mean_in_units(self) -> Float64Array:
        """The mean of the data, divided by the scale and by the unit of the table."""
        return multipliers(self.shape[1], self.scale, None, self.unit, self.facts.mean[0])

    @property
    def digest(self) -> bytes:
        """Of the sums of the first pass: the data decide it, and nobody before they are read."""
        facts = self.facts
        sums = np.concatenate([facts.step, facts.tallied])
        return hashlib.blake2b(sums.tobytes(), digest_size=32).digest()

    @cached_property
    def offset(self) -> Float64Array:
        """e = m - s in the units of the table: what the products have yet to be corrected for.

        Kept as it was summed: far from the origin, m - s from the rounded m would have no digits.
        """
        return self.facts.step * self.inverse_scale

    @cached_property
    def feature_variances(self) -> Float64Array:
        """The diagonal of C."""
        return self.of_columns(self.facts.squares, corrected=self.preparation.center)

    @cached_property
    def total_variance(self) -> float:
        """The trace of C, exact but for `total_rounding`."""
        return float(self.feature_variances.sum())

    @cached_property
    def uncorrected_variances(self) -> Float64Array:
        """The diagonal of B'WB / divisor: what rounding is relative to, entry by entry."""
        return self.of_columns(self.facts.squares, corrected=False)

    @cached_property
    def tallied_variances(self) -> Float64Array:
        """The same about the shift of the sums: what rows that are centered first are rounded to.

        A triangle and the total variance are made of such rows.
        """
        found: Float64Array = self.facts.tallied * self.squared_scale / self.reduced_divisor
        return found if self.preparation.center else np.maximum(found, self.uncorrected_variances)

    def of_columns(self, squares: Float64Array, corrected: bool) -> Float64Array:
        """Squares about the mean as variances of the table, or about the shift."""
        with np.errstate(over="ignore", invalid="ignore"):  # refused as a sum (`units.py`)
            found: Float64Array = squares * self.squared_scale
            if not corrected:
                found = found + self.weight * self.offset**2
            return found / self.reduced_divisor

    @property
    def uncorrected_lengths(self) -> Float64Array:
        """The same for rows: the diagonal of W^1/2 B D^-2 B' W^1/2 / divisor."""
        if self.lengths is None:
            raise RuntimeError("row lengths are known after a pass over rows or panels")
        lengths = self.lengths if self.weights is None else self.lengths * self.weights
        return lengths / self.reduced_divisor

    @cached_property
    def roundings(self) -> Roundings:
        """Everything that was rounded on the way to the products, by name."""
        return roundings_of(self)

    @property
    def roundoff(self) -> float:
        """Relative rounding of what was computed: how far sums drift, times the unit roundoff."""
        return self.roundings.relative

    @property
    def total_rounding(self) -> float:
        """How far the total variance may be off: its sums are made apart from the products."""
        return total_rounding_of(self)

    @cached_property
    def frame(self) -> Frame:
        return Frame(self.squared_scale, self.weights, self.shape[0], self.preparation.center)

    @property
    def correction(self) -> Float64Array:
        """What the rows, as they are multiplied, have yet to be shifted by."""
        step = self.facts.step
        return step if self.preparation.center else np.zeros_like(step)

    def weighed(self, product: AnyArray) -> AnyArray:
        """A product that weights enter once, with the weights as they were given."""
        root = 2.0 ** (self.weight_exponent / 2)
        return product if root == 1 else product * product.dtype.type(root)
