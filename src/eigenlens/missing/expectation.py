"""Expectation: what an engine has learned about a table with holes.

The moments in it are those of the rows as expected given their observed cells:

    C* = sum w E[(x - mean)(x - mean)' | observed] / (sum w - 1)

C* is positive semidefinite and, without holes, the covariance matrix. A source of these moments is
fitted like any other, so every bound of the certificate holds for C*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.document.verdict import Verdict
from eigenlens.missing.completer import Completer
from eigenlens.missing.fixed_point import FixedPoint
from eigenlens.missing.hidden import HiddenCells
from eigenlens.missing.law import Law
from eigenlens.missing.observed import ObservedCells
from eigenlens.missing.sums import ExpectedSums

__all__ = ["Expectation"]


@dataclass(frozen=True)
class Expectation:
    """`choice` says which engine found it and why, `hidden` how well it predicts."""

    choice: Verdict
    observed: ObservedCells
    fixed_point: FixedPoint[Law]
    hidden: HiddenCells

    @property
    def moments(self) -> Moments:
        """Weight, mean and scatter of the expected rows, in the units of the data."""
        return self.moments_of(self.fixed_point.sums)

    @property
    def next_moments(self) -> Moments:
        """What the moments would be after one more step of the engine."""
        return self.moments_of(self.fixed_point.next_sums)

    def moments_of(self, sums: ExpectedSums) -> Moments:
        spread = self.observed.spread
        mean = self.fixed_point.law.mean + sums.shift
        scatter = sums.covariance * sums.weight * np.outer(spread, spread)
        squares = np.diag(scatter).copy()
        return Moments(sums.weight, self.observed.center + spread * mean, squares, scatter)

    @property
    def completer(self) -> Completer:
        observed = self.observed
        return Completer(
            self.fixed_point.law, observed.center, observed.spread, self.hidden.calibration
        )
