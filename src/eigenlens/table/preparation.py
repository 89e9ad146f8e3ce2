"""Preparation: how a row of the data becomes a row of the table, checked before anything is read.

A = W^1/2 (X - 1 m') D^-1,    C = A'A / divisor,    divisor = sum(w) - 1, or sum(w) if raw,
and sum(w) for categories and counts, whose inertias are defined so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import DataError, OptionError, ScaleError, WeightsError
from eigenlens.errors.phrasing import Option, SetOption
from eigenlens.sources.device.arrays import host_array
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import Inertia, traits_of

__all__ = [
    "Preparation",
    "ScaleLike",
    "is_learned_scale",
    "leave_shares",
    "prepare",
    "real_numbers",
    "scale_by_shares",
    "standard_deviations",
]

ScaleLike = Literal["std"] | Inertia | Float64Array | None


@dataclass(frozen=True)
class Preparation:
    """What was decided about centering, scaling and weights, for a source of a known shape."""

    center: bool
    scale: ScaleLike
    weights: Float64Array | None
    total_weight: float

    @cached_property
    def weight_less_one(self) -> float:
        """What variances about a mean are divided by; rounded once.

        Where weights sum to little more than 1, the rounded sum less 1 would have few digits.
        """
        return self.total_weight - 1 if self.weights is None else sum_less_one(self.weights)

    def reweighted(self, weights: Float64Array | None, total: float) -> Preparation:
        """Where rows were left out: `weights` of the others, or moments of so much weight."""
        found = replace(self, weights=weights, total_weight=total)
        less_one = self.center or isinstance(self.scale, str)
        if self.weights is not None and less_one and not isinstance(self.scale, Inertia):
            refuse_little_weight(found.weight_less_one, len(self.weights), total)
        return found

    @property
    def given_scale(self) -> Float64Array | None:
        """The numbers to divide by, where they were given; others follow from the table."""
        return self.scale if isinstance(self.scale, np.ndarray) else None

    @property
    def divisor(self) -> float:
        return self.scale_divisor if self.center else self.total_weight

    @property
    def scale_divisor(self) -> float:
        """What squared deviations are divided by: inertias are divided by the whole weight."""
        return self.total_weight if isinstance(self.scale, Inertia) else self.weight_less_one

    def most_components(self, shape: tuple[int, int]) -> int:
        """How many components may be asked for: the directions a table of this shape can have."""
        n, d = shape
        return min(n - 1, d) if self.center else min(n, d)

    def directions(self, shape: tuple[int, int]) -> int:
        """How many directions its rows can vary in: those of weight 0 are not there."""
        n = shape[0] if self.weights is None else int(np.count_nonzero(self.weights))
        return self.most_components((n, shape[1]))


def prepare(source: Source, center: bool, scale: object, weights: object) -> Preparation:
    """Check the options against the source's shape and names."""
    n = source.shape[0]
    if not isinstance(center, bool | np.bool_):
        raise OptionError.unknown("center", center, (True, False))
    if center and n < 2:
        raise DataError.one_row(source.shape)
    inertia = traits_of(source).inertia
    if inertia is not None:
        return prepare_inertia(source, inertia, bool(center), scale, weights)
    # Variances and standard deviations divide by the sum of weights less one.
    less_one = center or isinstance(scale, str)
    heavy = None if weights is None else check_weights(weights, n, less_one)
    total = float(n) if heavy is None else float(np.sum(heavy, dtype=np.longdouble))
    return Preparation(bool(center), check_scale(scale, source), heavy, total)


def prepare_inertia(
    source: Source, inertia: Inertia, center: bool, scale: object, weights: object
) -> Preparation:
    """Categories and counts: centered, and scaled by shares."""
    if not center:
        raise OptionError.needs(
            SetOption("center", False),
            "a table of numbers only",
            "omit it: categories are centered",
        )
    if scale is not None and not (isinstance(scale, str) and scale == "std"):
        raise OptionError.needs(
            Option("scale"),
            "a table of numbers only: beside categories numbers are standardized",
            "omit it",
        )
    if weights is not None and inertia.row_weights is not None:
        raise OptionError.needs(
            Option("weights"), "rows that are no counts: counts weigh by their sums", "omit it"
        )
    given = inertia.row_weights if weights is None else weights
    heavy = None if given is None else check_weights(given, source.shape[0], False)
    total = float(source.shape[0] if heavy is None else np.sum(heavy, dtype=np.longdouble))
    return Preparation(True, inertia, heavy, total)


def is_learned_scale(scale: ScaleLike) -> bool:
    """Whether the scale follows from the table, and a pass has to find it."""
    return isinstance(scale, str | Inertia)


def leave_shares(scale: ScaleLike, shift: Float64Array | None) -> Float64Array | None:
    """The shift of sums, without that of shares: the sum of a rare level has all its digits."""
    if shift is None or not isinstance(scale, Inertia) or scale.shares is not None:
        return shift
    return np.where(scale.is_share, 0.0, shift)


def scale_by_shares(
    preparation: Preparation, deviations: Float64Array, means: Float64Array
) -> Float64Array:
    """The deviations; for shares p the roots of p, times the number of columns in MCA."""
    scale = preparation.scale
    if not isinstance(scale, Inertia):
        return deviations
    shares = np.maximum(means, 0.0) if scale.shares is None else scale.shares
    return np.where(scale.is_share, np.sqrt(shares * scale.divided_by), deviations)


def standard_deviations(
    source: Source, squares: Float64Array, divisor: float, negligible: Float64Array | float
) -> Float64Array:
    """The standard deviations, to divide by; columns whose squares are negligible are an error."""
    constant = np.flatnonzero(squares <= negligible)
    if constant.size:
        names = column_names(source)
        raise ScaleError.constant_columns([names[column] for column in constant])
    found: Float64Array = np.sqrt(squares / divisor)
    return found


def sum_less_one(weights: Float64Array) -> float:
    return float(np.sum(weights, dtype=np.longdouble) - 1)


def check_weights(weights: object, n: int, less_one: bool) -> Float64Array:
    heavy = real_numbers(weights)
    if heavy is None:
        raise WeightsError.not_numbers(weights, n)
    if len(heavy) != n:
        raise WeightsError.wrong_length(len(heavy), n)
    if not np.isfinite(heavy).all():
        raise WeightsError.not_finite(int((~np.isfinite(heavy)).sum()))
    negative = np.flatnonzero(heavy < 0)
    if negative.size:
        raise WeightsError.negative(int(negative.size), int(negative[0]))
    if not heavy.any():
        raise WeightsError.all_zero()
    if not (heavy / n).sum() <= np.finfo(np.float64).max / n:
        raise WeightsError.too_large()
    if less_one:
        refuse_little_weight(sum_less_one(heavy), n, float(heavy.sum()))
    return heavy


def refuse_little_weight(less_one: float, n: int, total: float) -> None:
    """Weights that were divided by their sum add up to 1 but for rounding, above or below."""
    if less_one <= n * EPS:
        raise WeightsError.too_little(total)


def check_scale(scale: object, source: Source) -> ScaleLike:
    if scale is None:
        return None
    if isinstance(scale, str):
        if scale != "std":
            raise OptionError.unknown("scale", scale, ("std", None, "an array"))
        return "std"
    if isinstance(scale, bool):
        raise OptionError.unknown("scale", scale, ("std", None, "an array"))
    given = real_numbers(scale)
    if given is None:
        raise ScaleError.not_numbers(scale, source.shape[1])
    if len(given) != source.shape[1]:
        raise ScaleError.wrong_length(len(given), source.shape[1])

    names = column_names(source)

    def named(bad: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Iterable[str]:
        return [names[column] for column in np.flatnonzero(bad)]

    if not np.isfinite(given).all():
        raise ScaleError.not_finite(named(~np.isfinite(given)))
    if (given == 0).any():
        raise ScaleError.zero(named(given == 0))
    if (given < 0).any():
        raise ScaleError.negative(named(given < 0))
    return given


def real_numbers(given: object) -> Float64Array | None:
    """A flat float64 copy, or None where the entries are not real numbers."""
    try:
        array = np.asarray(host_array(given))
        return None if array.dtype.kind == "c" else array.astype(np.float64).ravel()
    except (TypeError, ValueError):
        return None


def column_names(source: Source) -> tuple[str, ...]:
    """For messages: positions where columns have no names."""
    return source.names or tuple(str(column) for column in range(source.shape[1]))
