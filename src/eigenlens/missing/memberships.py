"""Memberships: what an engine that has seen contrasts says about missing categories.

An engine learns the law of numbers and contrasts (`contrasts.py`). Here it becomes a law of numbers
and indicators, so that whatever fills, projects and judges rows with missing numbers does the same
for missing categories: the indicators of a column are holes together, and what is expected of them,
its memberships, sums to 1. A membership is a linear prediction: a little below 0 or above 1 for
rows that are very sure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.missing.completer import Completer
from eigenlens.missing.contrasts import Contrasts, ContrastSource
from eigenlens.missing.expectation import Expectation
from eigenlens.missing.law import Conditional, ExpectedBlock, Law
from eigenlens.missing.sums import ExpectedSums

__all__ = ["MembershipExpectation", "MembershipLaw", "as_engine_sees", "expect_memberships"]

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class MembershipLaw:
    """`inner`: the law of numbers and contrasts. Deviations here are those of indicators."""

    inner: Law
    contrasts: Contrasts

    @cached_property
    def mean(self) -> Float64Array:
        found: Float64Array = self.contrasts.back @ self.inner.mean
        return found

    @property
    def condition_number(self) -> float:
        return self.inner.condition_number

    def holes_of_contrasts(self, holes: BoolArray) -> BoolArray:
        """Which contrasts a row lacks: all of a column, where it lacks any of its indicators."""
        first, encoding = self.contrasts.numbers, self.contrasts.encoding
        lacking = np.logical_or.reduceat(holes, encoding.starts[:-1], axis=1)
        spread = np.repeat(lacking, np.diff(self.contrasts.starts), axis=1)
        return np.concatenate([holes[:, :first], spread], axis=1)

    def inner_rows(
        self, deviations: Float64Array, holes: BoolArray
    ) -> tuple[Float64Array, BoolArray]:
        lacking = self.holes_of_contrasts(holes)
        turned = self.contrasts.turn(deviations)
        turned[lacking] = 0.0
        return turned, lacking

    def condition(self, deviations: Float64Array, holes: BoolArray) -> Iterator[Conditional]:
        for part in self.inner.condition(*self.inner_rows(deviations, holes)):
            yield from self.spread_out(part)

    def spread_out(self, part: Conditional) -> Iterator[Conditional]:
        """The same holes as indicators; patterns that lack equally many of these stay together."""
        patterns = part.columns[np.unique(part.member, return_index=True)[1]]
        lacking = np.zeros((len(patterns), self.contrasts.width), dtype=bool)
        np.put_along_axis(lacking, patterns, True, axis=1)
        indicators = self.indicators_of(lacking)
        counts = indicators.sum(axis=1)
        for count in np.unique(counts).tolist():
            chosen = np.flatnonzero(counts == count)
            columns = np.nonzero(indicators[chosen])[1].reshape(len(chosen), count)
            among = np.isin(part.member, chosen)
            member = np.searchsorted(chosen, part.member[among])
            back = self.contrasts.back[columns[:, :, None], patterns[chosen][:, None, :]]
            yield Conditional(
                part.rows[among],
                columns[member],
                np.einsum("rij,rj->ri", back[member], part.expected[among]),
                back @ part.covariance[chosen] @ back.transpose(0, 2, 1),
                member,
                part.distance[among],
                part.log_determinant[chosen],
            )

    def indicators_of(self, lacking: BoolArray) -> BoolArray:
        """Of patterns of missing contrasts."""
        first, encoding = self.contrasts.numbers, self.contrasts.encoding
        columns = np.repeat(lacking[:, self.contrasts.starts[:-1]], encoding.levels_of, axis=1)
        return np.concatenate([lacking[:, :first], columns], axis=1)

    def predict_holes(
        self, deviations: Float64Array, holes: BoolArray
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        expected, variances = np.zeros((2, *holes.shape))
        distances = np.zeros(len(holes))
        for part in self.condition(deviations, holes):
            places = part.rows[:, None], part.columns
            expected[places], variances[places] = part.expected, part.variances
            distances[part.rows] = part.distance
        return expected, variances, distances

    def complete(
        self, deviations: Float64Array, holes: BoolArray, weights: Float64Array
    ) -> ExpectedBlock:
        back = self.contrasts.back
        found = self.inner.complete(*self.inner_rows(deviations, holes), weights)
        return ExpectedBlock(
            found.completed @ back.T, back @ found.spread @ back.T, found.deviances
        )


@dataclass(frozen=True)
class MembershipExpectation(Expectation):
    """What was learned of contrasts, told of indicators. `origin`: numbers were read less it."""

    contrasts: Contrasts | None = None
    origin: Float64Array | None = None

    def moments_of(self, sums: ExpectedSums) -> Moments:
        found = super().moments_of(sums)
        if self.contrasts is None or self.origin is None:
            return found
        return self.contrasts.moments_of_levels(found, self.origin)

    def drift_of(self, drift: float) -> float:
        """Roundings of the moments, where those of the contrasts are off by `drift` of them."""
        if self.contrasts is None:
            return drift
        return self.contrasts.drift_of_levels(super().moments_of(self.fixed_point.sums), drift)

    @property
    def completer(self) -> Completer:
        plain = super().completer
        if self.contrasts is None or self.origin is None:
            return plain
        first, encoding = self.contrasts.numbers, self.contrasts.encoding
        levels = encoding.levels_of
        support = np.ones(self.contrasts.width) if plain.support is None else plain.support
        widest = np.maximum.reduceat(plain.calibration, self.contrasts.starts[:-1])
        law = MembershipLaw(plain.law, self.contrasts)
        return Completer(
            law,
            np.concatenate([plain.center[:first] + self.origin, self.contrasts.shares]),
            np.concatenate([plain.spread[:first], np.ones(int(levels.sum()))]),
            np.concatenate([plain.calibration[:first], np.repeat(widest, levels)]),
            None,
            spread_to_levels(support, self.contrasts),
        )


def expect_memberships(expectation: Expectation, source: ContrastSource) -> MembershipExpectation:
    """What an engine has learned of these rows. Errors of hidden cells are those of whole columns:
    the mean square over the contrasts of each.
    """
    contrasts, hidden = source.contrasts, expectation.hidden
    counts = np.diff(contrasts.starts)
    squares = np.add.reduceat(np.square(hidden.column_errors), contrasts.starts[:-1])
    errors = np.repeat(np.sqrt(squares / counts), contrasts.encoding.levels_of)
    whole = np.concatenate([hidden.column_errors[: contrasts.numbers], errors])
    return MembershipExpectation(
        expectation.choice,
        expectation.engine,
        expectation.observed,
        expectation.fixed_point,
        replace(hidden, column_errors=whole),
        expectation.screen,
        expectation.uncertain,
        contrasts,
        source.origin,
    )


def as_engine_sees(completer: Completer, rows: Float64Array) -> tuple[Completer, Float64Array]:
    """Rows of a model and what fills them, with contrasts in the place of indicators."""
    law = completer.law
    if not isinstance(law, MembershipLaw):
        return completer, rows
    first, width = law.contrasts.numbers, law.contrasts.width
    center, spread, ones = np.zeros(width), np.ones(width), np.ones(width)
    center[:first], spread[:first] = completer.center[:first], completer.spread[:first]
    return Completer(law.inner, center, spread, ones), law.contrasts.encode(rows)


def spread_to_levels(numbers: Float64Array, contrasts: Contrasts) -> Float64Array:
    """Something that all contrasts of a column have in common, for its indicators."""
    first: IntArray = contrasts.starts[:-1]
    levels = np.repeat(numbers[first], contrasts.encoding.levels_of)
    return np.concatenate([numbers[: contrasts.numbers], levels])
