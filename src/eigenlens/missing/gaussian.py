"""The Gaussian engine: EM for a multivariate normal law, with a weak prior.

    maximize  -1/2 sum { log|S_OO| + r_O' S_OO^-1 r_O } - nu/2 { log|S| + tr S^-1 }      (units)

The prior counts as nu rows of independent columns. It acts on the prediction of the holes only: the
expected covariance matrix is not shrunk, so the prior vanishes with the holes.

Cost     2 n d^2 + sum |M|^3 per pass, O(d^2) memory; 5 to 40 passes, most of them over a sample.
Choose   up to some thousand columns.
Source   Dempster, Laird and Rubin 1977; Schafer 1997 (the prior).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from eigenlens.errors import OptionError
from eigenlens.missing.fixed_point import FixedPoint, find_fixed_point
from eigenlens.missing.hidden import Candidate, HiddenTest
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellReader
from eigenlens.missing.sums import ExpectedSums, sum_mean_filled, sum_over
from eigenlens.sources.array import ArraySource

__all__ = ["Gaussian"]

PRIORS = (2.0, 0.5, 0.125, 0.03125)  # rows per column, tried from strong to weak
MANY_ROWS = 50  # per column: the prior no longer matters
USUAL_PRIOR = 0.25
CAREFUL_PRIOR = 0.5  # where too few cells could be hidden to choose
ENOUGH_HIDDEN = 30
WORSE = 1.03  # a prior this much worse than the best so far ends the search
SAMPLE_ROWS = 5000
SAMPLE_PER_COLUMN = 20
ROUGH = 1e-3
ROUGH_PASSES = 60
FEW_PASSES = 10
AT_REST = 1e-5
SAMPLING_PART = 0.01


@dataclass(frozen=True)
class Gaussian:
    """`prior`: how many rows it counts as (None: chosen by hidden cells).

    `tolerance`: the largest entry, in units of the columns' spreads, that one more step may move
    (None: 1 % of the sampling error of a correlation, at most 1e-5).
    """

    prior: float | None = None
    tolerance: float | None = None
    max_passes: int = 500

    name = "gaussian"

    def __post_init__(self) -> None:
        if self.prior is not None and not self.prior > 0:
            raise OptionError.not_positive("prior", self.prior)
        if self.tolerance is not None and not self.tolerance > 0:
            raise OptionError.not_positive("tolerance", self.tolerance)

    def rehearse(self, reader: CellReader, test: HiddenTest) -> list[Candidate[Gaussian]]:
        """Laws of the rows with hidden cells, from the strongest prior on while they improve."""
        priors = self.priors_to_try(reader, test)
        found: list[Candidate[Gaussian]] = []
        normal, best = first_normal(test.rounds[0].masked, priors[0]), np.inf
        for prior in priors:
            laws: list[Normal] = []
            for one in test.rounds:  # each begins where the one before has ended
                start = laws[-1] if laws else normal
                steps = passes_over(one.masked)
                laws.append(find_fixed_point(start, steps, prior, ROUGH, ROUGH_PASSES).law)
            normal = laws[0]
            name = f"gaussian, prior of {prior:.3g} rows"
            engine = replace(self, prior=prior)
            error = test.error(laws)
            found.append(Candidate(name, engine, laws, {"prior_rows": prior}, error))
            if error > WORSE * best:
                break
            best = min(best, error)
        return found

    def priors_to_try(self, reader: CellReader, test: HiddenTest) -> list[float]:
        width = reader.source.shape[1]
        if self.prior is not None:
            return [self.prior]
        if reader.observed.rows > MANY_ROWS * width:
            return [USUAL_PRIOR * width]
        if test.count < ENOUGH_HIDDEN:
            return [CAREFUL_PRIOR * width]
        return [part * width for part in PRIORS]

    def solve(self, reader: CellReader, rng: np.random.Generator) -> FixedPoint[Normal]:
        """The law at rest; the way there leads over a sample where the table is long."""
        prior = self.prior or CAREFUL_PRIOR * reader.source.shape[1]
        sample = sample_rows(reader, rng)
        normal = first_normal(sample, prior)
        if sample is not reader:
            rough = find_fixed_point(normal, passes_over(sample), prior, ROUGH / 10, ROUGH_PASSES)
            normal = rough.law
        tolerance = self.tolerance or min(AT_REST, SAMPLING_PART / np.sqrt(reader.observed.weight))
        return find_fixed_point(normal, passes_over(reader), prior, tolerance, self.max_passes)

    def expect_roughly(self, reader: CellReader) -> tuple[Normal, ExpectedSums]:
        """The law and sums after a few steps from independent columns."""
        width = reader.source.shape[1]
        start = Normal(np.zeros(width), np.eye(width))
        prior = self.prior or CAREFUL_PRIOR * width
        found = find_fixed_point(start, passes_over(reader), prior, ROUGH, FEW_PASSES)
        return found.law, found.sums


def passes_over(reader: CellReader) -> Callable[[Normal], ExpectedSums]:
    return lambda normal: sum_over(normal, reader)


def first_normal(reader: CellReader, prior: float) -> Normal:
    """The moments with every hole at the mean of its column."""
    filled = sum_mean_filled(reader)
    scatter = filled.scatter + prior * np.eye(len(filled.scatter))
    return Normal(np.zeros(len(scatter)), scatter / (filled.weight + prior))


def sample_rows(reader: CellReader, rng: np.random.Generator) -> CellReader:
    """The table itself where it is small, else some of its rows."""
    count, width = reader.source.shape
    wanted = max(SAMPLE_ROWS, SAMPLE_PER_COLUMN * width)
    if count <= 2 * wanted:
        return reader
    rows = np.sort(rng.choice(count, wanted, replace=False))
    cells = np.asarray(reader.source.sample(rows), dtype=np.float64)
    weights = None if reader.weights is None else reader.weights[rows]
    return CellReader(ArraySource(cells, slice(0, width)), reader.observed, weights)
