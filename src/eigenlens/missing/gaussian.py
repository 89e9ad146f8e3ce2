"""The Gaussian engine: EM for a multivariate normal law, with a weak prior.

    maximize  -1/2 sum { log|S_OO| + r_O' S_OO^-1 r_O } - nu/2 { log|S| + tr T S^-1 }    (units)

The prior counts as nu rows of covariance T: of independent columns, or of the factors that the
low-rank engine finds. It acts on the prediction of the holes only: the expected covariance matrix
is not shrunk, so the prior vanishes with the holes.

Cost     2 n d^2 + sum |M|^3 per pass, O(d^2) memory; 5 to 40 passes, most of them over a sample.
Choose   up to some thousand columns.
Source   Dempster, Laird and Rubin 1977; Schafer 1997 (the prior).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.missing.column_noise import (
    ColumnFactors,
    learn_column_factors,
    learn_in_rounds,
)
from eigenlens.missing.fixed_point import FixedPoint, find_fixed_point
from eigenlens.missing.hidden import Candidate, HiddenTest
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellReader
from eigenlens.missing.pooling import weigh_by_errors
from eigenlens.missing.prior import Prior
from eigenlens.missing.sums import ExpectedSums, sum_mean_filled, sum_over
from eigenlens.sources.array import ArraySource

__all__ = ["Gaussian"]

# Priors tried: rows per column, and the share of them that have the covariance of factors.
TRIED = ((8.0, 1.0), (2.0, 1.0), (0.5, 1.0), (0.5, 0.0), (0.125, 0.0), (0.03125, 0.0))
SMALL_SHARE = 0.05  # of factors: less is not worth learning them
CERTAIN = 0.99  # the weight of a candidate that needs no pooling
MANY_ROWS = 50  # per column: the prior no longer matters
USUAL_PRIOR = 0.25
CAREFUL_PRIOR = 0.5  # where too few cells could be hidden to choose
ENOUGH_HIDDEN = 30
SAMPLE_ROWS = 5000
SAMPLE_PER_COLUMN = 20
ROUGH = 1e-3
ROUGH_PASSES = 60
FEW_PASSES = 10
AT_REST = 1e-5
SAMPLING_PART = 0.01


@dataclass(frozen=True)
class Gaussian:
    """`prior`: how many rows it counts as (None: pooled over some, by hidden cells).
    `toward_factors`: the share of these rows that have the covariance of the factors that the
    low-rank engine finds; the others are of independent columns. None: pooled like the prior, or
    0 where the prior is given.

    `tolerance`: the largest entry, in units of the columns' spreads, that one more step may move
    (None: 1 % of the sampling error of a correlation, at most 1e-5).
    """

    prior: float | None = None
    tolerance: float | None = None
    max_passes: int = 500
    toward_factors: float | None = None

    name = "gaussian"

    def __post_init__(self) -> None:
        if self.prior is not None and not self.prior > 0:
            raise OptionError.not_positive("prior", self.prior)
        if self.tolerance is not None and not self.tolerance > 0:
            raise OptionError.not_positive("tolerance", self.tolerance)
        if self.toward_factors is not None and not 0 <= self.toward_factors <= 1:
            raise OptionError.needs(
                SetOption("toward_factors", self.toward_factors),
                "a share from 0 to 1",
                Phrase("pass {}", SetOption("toward_factors", 0.5)),
            )

    def rehearse(self, reader: CellReader, test: HiddenTest) -> list[Candidate[Gaussian]]:
        """The law of the rows with hidden cells; where its prior is pooled, from those after it."""
        width = reader.source.shape[1]
        many, few = reader.observed.rows > MANY_ROWS * width, test.count < ENOUGH_HIDDEN
        prior = self.prior
        if prior is None and (many or few):
            prior = (USUAL_PRIOR if many else CAREFUL_PRIOR) * width
        if prior is not None:
            engine = replace(self, prior=prior, toward_factors=self.toward_factors or 0.0)
            factors = learn_in_rounds(test) if engine.toward_factors else None
            return [engine.judge(engine.learn(test, factors), test, factors)]
        return self.try_priors(width, test, learn_in_rounds(test))

    def try_priors(
        self, width: int, test: HiddenTest, factors: Sequence[ColumnFactors]
    ) -> list[Candidate[Gaussian]]:
        """First what is pooled: the geometric mean of their rows, and the mean share of factors."""
        tried: list[Candidate[Gaussian]] = []
        laws: list[Sequence[Normal]] = []
        for rows, share in TRIED:
            part = share if self.toward_factors is None else self.toward_factors
            engine = replace(self, prior=rows * width, toward_factors=part)
            laws.append(engine.learn(test, factors, laws[-1] if laws else None))
            tried.append(engine.judge(laws[-1], test, factors))
        weights = weigh_by_errors([test.residuals(one)[0] for one in laws])
        best = int(weights.argmax())
        if weights[best] > CERTAIN:
            return [tried[best], *tried]
        priors = np.array([one.engine.prior for one in tried], dtype=np.float64)
        share = float(weights @ [one.engine.toward_factors or 0.0 for one in tried])
        engine = replace(
            self,
            prior=float(np.exp(weights @ np.log(priors))),
            toward_factors=share if share > SMALL_SHARE else 0.0,
        )
        return [engine.judge(engine.learn(test, factors, laws[best]), test, factors), *tried]

    def learn(
        self,
        test: HiddenTest,
        factors: Sequence[ColumnFactors] | None,
        starts: Sequence[Normal] | None = None,
    ) -> list[Normal]:
        """In each round of hidden cells, from `starts` or from where the round before has ended."""
        rows, share = self.prior or USUAL_PRIOR, self.toward_factors or 0.0
        laws: list[Normal] = []
        for place, one in enumerate(test.rounds):
            if starts is not None:
                start = starts[place]
            else:
                start = laws[-1] if laws else first_normal(one.masked, rows)
            drawn = Prior(rows)
            if factors is not None and share:
                drawn = Prior.toward(rows, factors[place].covariance, share)
            steps = passes_over(one.masked)
            laws.append(find_fixed_point(start, steps, drawn, ROUGH, ROUGH_PASSES).law)
        return laws

    def judge(
        self,
        laws: Sequence[Normal],
        test: HiddenTest,
        factors: Sequence[ColumnFactors] | None,
    ) -> Candidate[Gaussian]:
        """With a name, and the error with which these laws predict hidden cells."""
        rows, share = self.prior or USUAL_PRIOR, self.toward_factors or 0.0
        name, options = f"gaussian, prior of {rows:.3g} rows", {"prior_rows": rows}
        if factors is not None and share:
            name += f", {share:.0%} toward factors"
            options["prior_factors"] = factors[0].loadings.rank
            options["prior_share_of_factors"] = share
        return Candidate(name, self, laws, options, test.error(laws))

    def solve(self, reader: CellReader, rng: np.random.Generator) -> FixedPoint[Normal]:
        """The law at rest; the way there leads over a sample where the table is long."""
        sample = sample_rows(reader, rng)
        prior, passes = self.prior_over(sample, ROUGH_PASSES)
        normal = first_normal(sample, prior.rows)
        if sample is not reader:
            steps = passes_over(sample)
            normal = find_fixed_point(normal, steps, prior, ROUGH / 10, ROUGH_PASSES).law
        tolerance = self.tolerance or min(AT_REST, SAMPLING_PART / np.sqrt(reader.observed.weight))
        found = find_fixed_point(normal, passes_over(reader), prior, tolerance, self.max_passes)
        return replace(found, passes_before=passes) if sample is reader else found

    def expect_roughly(self, reader: CellReader) -> tuple[Normal, ExpectedSums]:
        """The law and sums after a few steps from independent columns."""
        width = reader.source.shape[1]
        start = Normal(np.zeros(width), np.eye(width))
        prior, _ = self.prior_over(reader, FEW_PASSES)
        found = find_fixed_point(start, passes_over(reader), prior, ROUGH, FEW_PASSES)
        return found.law, found.sums

    def prior_over(self, reader: CellReader, most_passes: int) -> tuple[Prior, int]:
        """The prior, its factors learned from these rows, and the passes that took."""
        rows = self.prior or CAREFUL_PRIOR * reader.source.shape[1]
        if not self.toward_factors:
            return Prior(rows), 0
        factors = learn_column_factors(reader, most_passes)
        return Prior.toward(rows, factors.covariance, self.toward_factors), factors.passes


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
