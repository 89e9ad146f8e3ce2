"""Randomized: the range finder of Halko, Martinsson and Tropp, with a fixed number of passes.

    V = orthonormal((C)^q W),  W random with `oversamples` spare columns;  then Rayleigh-Ritz.

Cost     `power_passes` passes and one to read out; 4 n d l flops each.
Error    (t[l+1] / t[k])^(2q): whole directions are missed on slow spectra, and the certificate
         says so.
Choose   to compare with others; block Krylov does better with the same passes.
Source   Halko, Martinsson and Tropp 2011, algorithms 4.4 and 5.3.
Differs  from common implementations: one fused pass does the work of two, and orthonormalization
         happens at every pass.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.orthonormal import extend
from eigenlens.algebra.ritz import ritz_of_image
from eigenlens.errors import OptionError
from eigenlens.solvers.step import Ask, Steps, step_of
from eigenlens.table.sides import Side

__all__ = ["Randomized"]


@dataclass(frozen=True)
class Randomized:
    """`power_passes` are the building passes; the read-out comes on top."""

    oversamples: int = 10
    power_passes: int = 4
    max_passes: int = 1000

    name = "randomized"

    def __post_init__(self) -> None:
        if self.oversamples < 0:
            raise OptionError.not_positive("oversamples", self.oversamples)
        if not self.power_passes > 0:
            raise OptionError.not_positive("power_passes", self.power_passes)
        if not self.max_passes > 0:
            raise OptionError.not_positive("max_passes", self.max_passes)

    def sided(self, shape: tuple[int, int]) -> bool:
        return False

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        nothing = np.zeros((side.size, 0))
        width = min(ask.rank + self.oversamples, side.size)
        basis = extend(nothing, rng.standard_normal((side.size, width)), rng)[0]
        passes = 0
        while True:
            for _ in range(self.power_passes):
                basis = extend(nothing, side.apply(basis), rng)[0]
            passes += self.power_passes
            ritz = ritz_of_image(basis, side.apply(basis))
            ask = yield step_of(ritz, ask, passes)
            missing = min(ask.rank + self.oversamples, side.size) - basis.shape[1]
            if missing > 0:
                fresh = rng.standard_normal((side.size, missing))
                basis = np.hstack([basis, extend(basis, fresh, rng)[0]])
