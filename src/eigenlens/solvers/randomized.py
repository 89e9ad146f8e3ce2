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

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenlens.algebra.orthonormal import extend_basis
from eigenlens.algebra.ritz import ritz_of_image
from eigenlens.solvers.options import check_options
from eigenlens.solvers.start import first_columns
from eigenlens.solvers.step import Ask, Steps, make_step
from eigenlens.solvers.stopping import StopRule
from eigenlens.table.sides import Side, exposure_of

__all__ = ["Randomized"]


@dataclass(frozen=True)
class Randomized:
    """`power_passes`: the building passes of a round; its read-out comes on top.

    `stop`: looked at after each round, as in `Randomized(stop=WallClock(60))`. `start`: the first
    columns to begin with; None: random ones.
    """

    oversamples: int = 10
    power_passes: int = 4
    max_passes: int = 1000
    stop: StopRule | None = None
    start: Any = field(default=None, repr=False, compare=False)

    name = "randomized"
    forms_matrix = False

    def __post_init__(self) -> None:
        check_options(self, {"oversamples": 0, "power_passes": 1, "max_passes": 1})

    def sided(self, shape: tuple[int, int]) -> bool:
        return False

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        nothing = np.zeros((side.size, 0))
        width = min(ask.rank + self.oversamples, side.size)
        basis = extend_basis(nothing, first_columns(self.start, side.size, width, rng), rng)[0]
        passes = 0
        while passes < self.max_passes:
            round_passes = min(self.power_passes, self.max_passes - passes)
            for _ in range(round_passes):
                basis = extend_basis(nothing, side.apply(basis), rng)[0]
            passes += round_passes
            image = side.apply(basis)
            ritz = ritz_of_image(basis, image, exposure_of(side, basis))
            ask = yield make_step(ritz, ask, passes)
            missing = min(ask.rank + self.oversamples, side.size) - basis.shape[1]
            if missing > 0:
                fresh = rng.standard_normal((side.size, missing))
                basis = np.hstack([basis, extend_basis(basis, fresh, rng)[0]])
