"""Cells: outlying cells become missing ones, and the Gaussian engine does the rest.

    minimize   sum over rows of { log|S_OO| + r_O' S_OO^-1 r_O }      units: robust scales
               + sum of penalties of the cells left out + nu { log|S| + tr S^-1 }

in turn over the cells left out (`screen.py`) and over mean and covariance (steps of EM): the
objective never rises. At most `limit` of each column is left out. What is returned is the table
with holes: its expected moments, filled cells with errors, everything that missing cells have.

Start    the correlation matrix of the wrapped cells; cells beyond four robust scales left out.
Cost     2 n d^2 per pass as for missing cells; long tables are solved on a sample first.
Bears    wrong cells in up to 25 % of each column, wherever they are.
Source   Raymaekers and Rousseeuw 2023 (cellMCD). Differs in the prior, and in rows that change
         several cells at once where that is better.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.missing.choose import refuse_unusable
from eigenlens.missing.expectation import Expectation
from eigenlens.missing.fixed_point import find_fixed_point
from eigenlens.missing.flagged import leave_out_flagged
from eigenlens.missing.gaussian import Gaussian
from eigenlens.missing.hidden import HiddenCells, calibrate, root_mean_square
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellReader, ObservedCells, observe_cells
from eigenlens.missing.prior import Prior
from eigenlens.robust.alternation import MOVED, Alternation
from eigenlens.robust.location import find_column_scales, wrap_deviations
from eigenlens.robust.screen import CellScreen, measure_cells
from eigenlens.sources.array import ArraySource
from eigenlens.sources.changed_cells import ChangedCells
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Source

__all__ = ["Cells", "CellwiseFit", "fit_cells"]

SAMPLE_ROWS, SAMPLE_PER_COLUMN = 2000, 20
LARGER, LONG = 5, 4  # times the sample, times that
PRIOR = 0.25  # rows per column
ROUNDS = 30
OF_SAMPLE = 0.25  # of the standard errors of a sample: its law need not stand more still
JUDGED_ROWS = 1000  # from which errors of the cells are taken
MOST_PASSES = 200
NARROW = 512  # columns up to which d x d matrices are soon inverted by one processor

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Cells:
    """`el.fit(data, robust="cells")`; `limit`: the largest share of a column that is left out."""

    limit: float = 0.25

    name = "cells"

    def __post_init__(self) -> None:
        if not 0 < self.limit <= 0.5:
            raise OptionError.needs(
                SetOption("limit", self.limit),
                "a share above 0 and up to 0.5",
                Phrase("pass for example {}", SetOption("limit", 0.25)),
            )


@dataclass(frozen=True, eq=False)
class CellwiseFit:
    """The flagged table, what is expected in it, and how the objective fell."""

    source: ChangedCells
    expectation: Expectation
    screen: CellScreen
    trail: tuple[float, ...]
    outlying: int
    changing: int

    @property
    def reader(self) -> CellReader:
        return CellReader(self.source, self.expectation.observed)

    def explain(self, limit: float) -> Verdict:
        rows, width = self.source.shape
        share = self.outlying / (rows * width)
        rest = "" if not self.changing else f"; {self.changing} cells still change sides"
        reason = (
            f"{self.outlying} cells ({share:.2%}) are further from what the other cells of their "
            f"row suggest than 1 in 100 ordinary ones, and are treated as missing{rest}; wrong "
            f"cells in up to {limit:.0%} of each column can be borne"
        )
        evidence = {
            "outlying_cells": self.outlying,
            "outlying_share": share,
            "objective": self.trail,
            "changing": self.changing,
            "column_limit": limit,
        }
        return Verdict("cells", "request", reason, evidence)


def fit_cells(
    source: Source, limit: float, refuses_missing: bool, rng: np.random.Generator
) -> CellwiseFit:
    """Alternate on a sample, then on all rows, and rest where the flags stay as they are."""
    observed = observe_cells(source)
    if refuses_missing and (observed.holes or observed.empty_rows):
        raise locate_not_finite(source)
    refuse_unusable(CellReader(source, observed))
    wanted = max(SAMPLE_ROWS, SAMPLE_PER_COLUMN * source.shape[1])
    sample = sample_cells(source, wanted, rng)
    law, screen, observed = first_law(sample, observed)
    prior = Prior(PRIOR * source.shape[1])
    # Between the passes too: idle helpers of BLAS would take turns with the threads of the passes.
    with one_blas_thread() if source.shape[1] <= NARROW else nullcontext():
        for rows in array_source(sample), *larger_samples(source, len(sample), rng):
            whole = Alternation(rows, observed, screen, prior, limit)
            is_sample = rows.shape[0] < source.shape[0]
            law = whole.run(law, ROUNDS, OF_SAMPLE / np.sqrt(rows.shape[0]) if is_sample else MOVED)
        tolerance = min(1e-5, 0.01 / np.sqrt(observed.rows))
        found = find_fixed_point(law, whole.sum, prior, tolerance, MOST_PASSES)
    choice = Verdict("gaussian", "outlying cells", "outlying cells are estimated from the others")
    hidden = judge_cells(sample, observed, found.law, screen)
    return CellwiseFit(
        leave_out_flagged(source, whole.flags),
        Expectation(choice, Gaussian(prior=prior.rows), whole.count_cells(), found, hidden, screen),
        screen,
        tuple(whole.trail),
        whole.flags.count,
        whole.changing,
    )


def larger_samples(source: Source, rows: int, rng: np.random.Generator) -> Iterator[Source]:
    """What follows a sample of so many rows: a larger one of long tables, and the whole table.

    A law that rests on five times the rows saves a pass or two over all of them.
    """
    if source.shape[0] >= LONG * LARGER * rows:
        yield array_source(sample_cells(source, LARGER * rows, rng))
    if source.shape[0] > rows:
        yield source


def array_source(cells: Float64Array) -> Source:
    return ArraySource(cells, slice(0, cells.shape[1]))


def sample_cells(source: Source, wanted: int, rng: np.random.Generator) -> Float64Array:
    count = source.shape[0]
    places = np.arange(count)
    if 2 * wanted < count:
        places = np.sort(rng.choice(count, wanted, replace=False))
    return np.asarray(source.sample(places), dtype=np.float64)


def first_law(
    sample: Float64Array, observed: ObservedCells
) -> tuple[Normal, CellScreen, ObservedCells]:
    """The correlation matrix of the wrapped cells; units are robust where a column has any."""
    scales = find_column_scales(sample)
    usable = scales.scale > 0
    observed = replace(
        observed,
        center=np.where(usable, scales.location, observed.center),
        spread=np.where(usable, scales.scale, observed.spread),
    )
    cells = (sample - observed.center) / observed.spread
    wrapped = np.where(np.isnan(cells), 0.0, wrap_deviations(cells))
    second = wrapped.T @ wrapped / len(wrapped)
    sizes = np.sqrt(np.diag(second))
    sizes = np.where(sizes > 0, sizes, 1.0)
    prior = PRIOR * sample.shape[1]
    covariance = len(sample) * second / np.outer(sizes, sizes)
    covariance[np.diag_indices_from(covariance)] += prior
    law = Normal(np.zeros(sample.shape[1]), covariance / (len(sample) + prior))
    return law, CellScreen.from_law(law, usable), observed


def judge_cells(
    sample: Float64Array, observed: ObservedCells, law: Normal, screen: CellScreen
) -> HiddenCells:
    """How well kept cells are predicted from the others of their row, one left out at a time."""
    sample = sample[:: max(1, len(sample) // JUDGED_ROWS)]
    deviations = (sample - observed.center) / observed.spread - law.mean
    absent = np.isnan(deviations)
    deviations[absent] = 0.0
    flags = screen.find(law, deviations, absent).flags
    seen = measure_cells(law, deviations, flags | absent)
    rows, columns = np.nonzero(~(flags | absent))
    residuals = seen.residuals[rows, columns]
    ratios = residuals / np.sqrt(seen.variances[rows, columns])
    width = sample.shape[1]
    squares, counts = (
        np.bincount(columns, residuals**2, width),
        np.bincount(columns, minlength=width),
    )
    own = np.sqrt(np.divide(squares, counts, where=counts > 0, out=np.full(width, np.nan)))
    overall = root_mean_square(residuals)
    return HiddenCells(
        count=len(residuals),
        error=overall,
        calibration=calibrate(ratios, columns, width),
        column_errors=np.nan_to_num(own, nan=np.nan_to_num(overall)),
    )
