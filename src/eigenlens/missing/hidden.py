"""Hidden cells: known numbers left out on purpose, to see how well they are predicted.

They choose between engines and priors, and calibrate the errors of filled cells: with u = error /
standard error, intervals are widened by the 95 % quantile of |u| over 1.96, and never narrowed. A
hidden cell counts as much as its row resembles those that lack such a cell (`propensity.py`).

A twentieth of the cells is hidden at a time. A small table has too few of them for a choice or a
quantile, so others are hidden in further rounds, until there are 200 or the rounds run out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.completer import Completer
from eigenlens.missing.law import Law
from eigenlens.missing.observed import CellReader, observe_cells
from eigenlens.missing.propensity import resemblance_of_rows
from eigenlens.sources.array import ArraySource
from eigenlens.sources.traits import traits_of

__all__ = ["Candidate", "HiddenCells", "HiddenTest", "mask_some_cells"]

SAMPLE_ROWS = 5000
SHARE = 0.05
MOST_HIDDEN = 20_000
ENOUGH_FOR_QUANTILE = 200
MOST_ROUNDS = 12
LEAST_PER_COLUMN = 3  # cells a column keeps
ENOUGH_PER_COLUMN = 40  # hidden cells from which a column has a factor of its own
ENOUGH_ALIKE = 100  # cells of columns that lack some: the others do not count
ENOUGH = 20
MOST_COLUMNS, MOST_LEFT_OUT = 300, 50  # looked at where few cells of a column were hidden
NORMAL_95 = 1.959963984540054

BoolArray = npt.NDArray[np.bool_]
E = TypeVar("E", covariant=True)


@dataclass(frozen=True)
class Candidate(Generic[E]):
    """An engine with its options set, the law it learned in each round of hidden cells, and the
    error with which these predict them.
    """

    name: str
    engine: E
    laws: Sequence[Law]
    options: Mapping[str, float]
    error: float


@dataclass(frozen=True)
class HiddenCells:
    """How well cells that were hidden on purpose are predicted by the engine that was chosen.

    `calibration` (d,) multiplies standard errors, and is at least 1. `column_errors` (d,) are root
    mean squared errors in units of the columns' spreads; where few cells were hidden, what the law
    says they would be.
    """

    count: int
    error: float
    calibration: Float64Array
    column_errors: Float64Array


@dataclass(frozen=True)
class HiddenRound:
    """The cells hidden at a time, and a reader to which they are holes."""

    hidden: BoolArray
    masked: CellReader

    def residuals(self, cells: Float64Array, law: Law) -> tuple[Float64Array, Float64Array]:
        """Errors of the hidden cells, in units of the spreads and of their standard errors."""
        observed = self.masked.observed
        ones = np.ones(len(observed.center))
        support = np.maximum(observed.counts, 1.0)
        completer = Completer(law, observed.center, observed.spread, ones, support=support)
        completion = completer.complete(np.where(self.hidden, np.nan, cells))
        apart = (completion.rows - cells)[self.hidden]
        columns = np.nonzero(self.hidden)[1]
        # Columns that repeat each other are predicted without any error: but for the last digit.
        digits = EPS * (np.abs(observed.center) + observed.spread)[columns]
        errors = np.maximum(completion.errors[self.hidden], digits)
        return apart / observed.spread[columns], apart / errors


@dataclass(frozen=True)
class HiddenTest:
    """Some rows, and the cells hidden in them in each round."""

    cells: Float64Array
    rounds: Sequence[HiddenRound]

    @property
    def count(self) -> int:
        return sum(int(one.hidden.sum()) for one in self.rounds)

    @property
    def columns(self) -> npt.NDArray[np.intp]:
        """Of the hidden cells, round by round."""
        return np.concatenate([np.nonzero(one.hidden)[1] for one in self.rounds])

    def residuals(self, laws: Sequence[Law]) -> tuple[Float64Array, Float64Array]:
        """Of all hidden cells, each predicted by the law of its round."""
        pairs = [one.residuals(self.cells, law) for one, law in zip(self.rounds, laws, strict=True)]
        return np.concatenate([a for a, _ in pairs]), np.concatenate([b for _, b in pairs])

    def error(self, laws: Sequence[Law]) -> float:
        return root_mean_square(self.residuals(laws)[0])

    def judge(self, laws: Sequence[Law]) -> HiddenCells:
        """What the errors of the chosen laws teach."""
        width = self.cells.shape[1]
        columns = self.columns
        residuals, ratios = self.residuals(laws)
        overall = root_mean_square(residuals)
        lacking: BoolArray = np.atleast_1d(np.isnan(self.cells).any(axis=0))
        calibration = calibrate(ratios, columns, width, self.resemblance(laws[0]), lacking)
        own = np.array([root_mean_square(residuals[columns == j]) for j in range(width)])
        few = np.flatnonzero(np.bincount(columns, minlength=width) < ENOUGH)
        for column in few[:MOST_COLUMNS]:
            own[column] = calibration[column] * self.error_left_out(laws[0], int(column))
        return HiddenCells(
            count=self.count,
            error=overall,
            calibration=calibration,
            column_errors=np.nan_to_num(own, nan=np.nan_to_num(overall)),
        )

    def resemblance(self, law: Law) -> Float64Array:
        """Of the hidden cells: how much their rows resemble those that lack such a cell."""
        observed = self.rounds[0].masked.observed
        ones = np.ones(self.cells.shape[1])
        completer = Completer(law, observed.center, observed.spread, ones)
        completed = (completer.complete(self.cells).rows - observed.center) / observed.spread
        weights = resemblance_of_rows(completed, np.isnan(self.cells))
        return np.concatenate([weights[one.hidden] for one in self.rounds])

    def error_left_out(self, law: Law, column: int) -> float:
        """Where few cells of a column were hidden: what the law says of some of them, left out."""
        first = self.rounds[0]
        rows = np.flatnonzero(~np.isnan(self.cells[:, column]))[:MOST_LEFT_OUT]
        cells = np.where(first.hidden[rows], np.nan, self.cells[rows])
        cells[:, column] = np.nan
        observed = first.masked.observed
        units = (cells - observed.center) / observed.spread - law.mean
        holes = np.isnan(units)
        _, variances, _ = law.predict_holes(np.where(holes, 0.0, units), holes)
        return float(np.sqrt(variances[:, column].mean())) if len(rows) else np.nan


def mask_some_cells(reader: CellReader, rng: np.random.Generator) -> HiddenTest:
    """Hide cells in all rows, or in a sample of them."""
    count, width = reader.source.shape
    rows = np.sort(rng.choice(count, min(count, SAMPLE_ROWS), replace=False))
    cells = np.asarray(reader.source.sample(rows), dtype=np.float64)
    cells = cells[~np.isnan(cells).all(axis=1)]
    order = rng.random(cells.shape)
    together = traits_of(reader.source).together
    if together is not None:
        order = order[:, together]
    rounds: list[HiddenRound] = []
    hidden_cells = 0
    while not rounds or (hidden_cells < ENOUGH_FOR_QUANTILE and len(rounds) < MOST_ROUNDS):
        hidden = hide_cells(cells, order, len(rounds))
        source = ArraySource(np.where(hidden, np.nan, cells), slice(0, width))
        # The units stay those of the whole table: a column of the sample may hold one value only.
        observed = observe_cells(source).in_units_of(reader.observed)
        rounds.append(HiddenRound(hidden, CellReader(source, observed)))
        hidden_cells += int(hidden.sum())
    return HiddenTest(cells, rounds)


def hide_cells(cells: Float64Array, order: Float64Array, place: int) -> BoolArray:
    """Those of the observed cells whose turn it is; never the last one of a row, nor the last few
    of a column.
    """
    observed = ~np.isnan(cells)
    share = min(SHARE, MOST_HIDDEN / max(observed.sum(), 1))
    hidden: BoolArray = observed & (order >= place * share) & (order < (place + 1) * share)
    hidden[(observed & ~hidden).sum(axis=1) < 1] = False
    hidden[:, (observed & ~hidden).sum(axis=0) < LEAST_PER_COLUMN] = False
    return hidden


def root_mean_square(residuals: Float64Array) -> float:
    """NaN where nothing was hidden."""
    return float(np.sqrt(np.square(residuals).mean())) if residuals.size else np.nan


def calibrate(
    ratios: Float64Array,
    columns: npt.NDArray[np.intp],
    width: int,
    weights: Float64Array | None = None,
    lacking: BoolArray | None = None,
) -> Float64Array:
    """One factor per column: its own where enough cells were hidden, else that of all cells, or of
    all cells in columns that are `lacking` some.
    """
    heavy = np.ones(len(ratios)) if weights is None else weights
    factors = np.full(width, widening(ratios, heavy))
    if lacking is not None:
        alike = lacking[columns]
        if effective_count(heavy[alike]) >= ENOUGH_ALIKE:
            factors[lacking] = widening(ratios[alike], heavy[alike])
    order = np.argsort(columns, kind="stable")
    ends = np.cumsum(np.bincount(columns, minlength=width))
    for column, own in enumerate(np.split(order, ends[:-1])):
        if effective_count(heavy[own]) >= ENOUGH_PER_COLUMN:
            factors[column] = widening(ratios[own], heavy[own])
    return factors


def effective_count(weights: Float64Array) -> float:
    """As many cells of equal weight would say as much."""
    return float(weights.sum() ** 2 / np.square(weights).sum()) if weights.size else 0.0


def widening(ratios: Float64Array, weights: Float64Array) -> float:
    """By how much 95 % intervals must be widened to hold 95 % of the hidden cells."""
    count = effective_count(weights)
    if count < ENOUGH:
        return 1.0
    level = min(1.0, 0.95 * (count + 1) / count)
    order = np.argsort(np.abs(ratios))
    reached = np.cumsum(weights[order]) / weights.sum()
    place = min(int(np.searchsorted(reached, level - 1e-12)), len(order) - 1)
    return max(1.0, float(np.abs(ratios[order[place]])) / NORMAL_95)
