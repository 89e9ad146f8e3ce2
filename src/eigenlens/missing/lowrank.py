"""The low-rank engine: a factor law learned from the observed cells.

Cost     q^2 per observed cell and pass; the expected covariance matrix, once, n q d^2.
Choose   where d is large beside n, where most cells are missing, or for graded cell weights.
         Hidden cells choose between it and the Gaussian engine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.missing.factor_law import FactorLaw
from eigenlens.missing.fixed_point import FixedPoint
from eigenlens.missing.hidden import Candidate, HiddenTest
from eigenlens.missing.observed import CellReader, ObservedCells
from eigenlens.missing.sums import ExpectedSums, sum_mean_filled, sum_over
from eigenlens.missing.variational import Loadings, improve_loadings, start_loadings

__all__ = ["MOST_FACTORS", "LowRank"]

MOST_FACTORS = 20  # factors that are not needed empty themselves
ROUGH, ROUGH_STEPS = 1e-3, 60
FEW_STEPS = 10
AT_REST = 1e-6


@dataclass(frozen=True)
class LowRank:
    """`rank`: factors to begin with. `prior=False` gives maximum likelihood, for comparisons.

    `tolerance`: the largest relative change of the law's covariance that one more step may make.
    """

    rank: int | None = None
    prior: bool = True
    tolerance: float = AT_REST
    max_passes: int = 2000

    name = "lowrank"

    def __post_init__(self) -> None:
        if self.rank is not None and not self.rank > 0:
            raise OptionError.not_positive("rank", self.rank)
        if not self.tolerance > 0:
            raise OptionError.not_positive("tolerance", self.tolerance)

    def rehearse(self, reader: CellReader, test: HiddenTest) -> list[Candidate[LowRank]]:
        """The law of the rows with hidden cells."""
        found: list[LearnedFactors] = []
        for one in test.rounds:  # each begins where the one before has ended
            start = found[-1].loadings if found else None
            found.append(self.learn(one.masked, ROUGH, ROUGH_STEPS, start))
        rank, laws = found[0].loadings.rank, [one.law for one in found]
        name, error = f"lowrank, {rank} factors", test.error(laws)
        return [Candidate(name, self, laws, {"factors": rank}, error)]

    def solve(self, reader: CellReader, rng: np.random.Generator) -> FixedPoint[FactorLaw]:
        """The law at rest, the sums it expects, and those of one more step."""
        found = self.learn(reader, self.tolerance, self.max_passes)
        following, bound = improve_loadings(found.loadings, reader)
        sums = sum_over(found.law, reader)
        next_sums = sum_over(following.law, reader)
        return FixedPoint(
            law=found.law,
            sums=sums,
            next_sums=next_sums,
            trail=(*found.trail, max(bound, found.trail[-1])),
            move=found.move,
            rate=found.rate,
            passes=found.passes + 3,
            at_rest=found.move <= self.tolerance,
        )

    def expect_roughly(self, reader: CellReader) -> tuple[FactorLaw, ExpectedSums]:
        """The law and sums after a few steps."""
        law = self.learn(reader, ROUGH, FEW_STEPS).law
        return law, sum_over(law, reader)

    def learn(
        self,
        reader: CellReader,
        tolerance: float,
        max_passes: int,
        start: Loadings | None = None,
    ) -> LearnedFactors:
        loadings = self.start(reader) if start is None else start
        trail: list[float] = []
        moves: list[float] = []
        for _ in range(max_passes):
            following, bound = improve_loadings(loadings, reader)
            trail.append(max(bound, trail[-1]) if trail else bound)
            moves.append(change(loadings, following))
            loadings = following
            if moves[-1] <= tolerance:
                break
        rate = min(moves[-1] / moves[-2], 1.0) if len(moves) > 1 and moves[-2] > 0 else 0.0
        return LearnedFactors(loadings, tuple(trail), moves[-1], rate, len(moves))

    def start(self, reader: CellReader) -> Loadings:
        rank = min(self.rank or MOST_FACTORS, *most_factors(reader.observed))
        return start_loadings(mean_filled(reader), 1.0 - reader.observed.share, rank, self.prior)


@dataclass(frozen=True)
class LearnedFactors:
    loadings: Loadings
    trail: tuple[float, ...]
    move: float
    rate: float
    passes: int

    @property
    def law(self) -> FactorLaw:
        return self.loadings.law


def most_factors(observed: ObservedCells) -> tuple[int, int]:
    return max(len(observed.counts) - 1, 1), max(observed.rows - 2, 1)


def mean_filled(reader: CellReader) -> Float64Array:
    """Second moments of the table with every hole at the mean of its column."""
    return sum_mean_filled(reader).scatter / reader.observed.weight


def change(one: Loadings, other: Loadings) -> float:
    """By how much W W' + s2 I changed, relative to it, from matrices as small as the rank."""
    a, b = one.weights, other.weights
    inner, old, new = b.T @ a, a.T @ a, b.T @ b
    apart = np.square(old).sum() + np.square(new).sum() - 2 * np.square(inner).sum()
    noise = abs(other.noise - one.noise) * np.sqrt(len(a))
    moved = np.abs(other.mean - one.mean).max(initial=0.0)
    size = np.sqrt(np.square(new).sum()) + other.noise * np.sqrt(len(a))
    return float(max((np.sqrt(max(apart, 0.0)) + noise) / size, moved))
