"""Expectation: what an engine has learned about a table with holes.

The moments in it are those of the rows as expected given their observed cells:

    C* = sum w E[(x - mean)(x - mean)' | observed] / (sum w - 1)

C* is positive semidefinite and, without holes, the covariance matrix. A source of these moments is
fitted like any other, so every bound of the certificate holds for C*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.missing.completer import Completer, OutlierScreen
from eigenlens.missing.fixed_point import FixedPoint
from eigenlens.missing.hidden import HiddenCells
from eigenlens.missing.law import Law
from eigenlens.missing.observed import ObservedCells
from eigenlens.missing.sums import ExpectedSums

__all__ = ["Expectation", "moments_in_data_units"]


@dataclass(frozen=True)
class Expectation:
    """`engine`, with its options as they were chosen; `choice` says why it, `hidden` how well it
    predicts.
    """

    choice: Verdict
    engine: Any
    observed: ObservedCells
    fixed_point: FixedPoint[Law]
    hidden: HiddenCells
    screen: OutlierScreen | None = None
    uncertain: int = 0  # cells of less than full weight

    @property
    def moments(self) -> Moments:
        """Weight, mean and scatter of the expected rows, in the units of the data."""
        return self.moments_of(self.fixed_point.sums)

    @property
    def next_moments(self) -> Moments:
        """What the moments would be after one more step of the engine."""
        return self.moments_of(self.fixed_point.next_sums)

    def moments_of(self, sums: ExpectedSums) -> Moments:
        return moments_in_data_units(self.fixed_point.law.mean, sums, self.observed)

    @property
    def completer(self) -> Completer:
        observed = self.observed
        return Completer(
            self.fixed_point.law,
            observed.center,
            observed.spread,
            self.hidden.calibration,
            self.screen,
            np.maximum(observed.counts, 1.0),
        )


def moments_in_data_units(
    mean: Float64Array, sums: ExpectedSums, observed: ObservedCells
) -> Moments:
    """From sums about `mean`, in the units of the engine."""
    spread = observed.spread
    scatter = sums.covariance * sums.weight * np.outer(spread, spread)
    center = observed.center + spread * (mean + sums.shift)
    return Moments(sums.weight, center, np.diag(scatter).copy(), scatter)
