"""Orthogonal iteration: the power method with a whole basis at once.

    V  <-  orthonormal(C V),   rotated to Ritz vectors at every step.

Cost     one pass over the rows and O(p l^2) work per step.
Error    falls by (t[l+1] / t[k])^2 per step, so slow decay means many passes.
Choose   when memory allows one block of vectors and no more, and reading the data is cheap.
Source   Golub and Van Loan, Matrix Computations, section 8.2.
Differs  from the textbook: we keep `extra` spare columns and report residuals.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenlens.algebra.orthonormal import extend_basis, orthonormal_basis
from eigenlens.algebra.ritz import ritz_of_image
from eigenlens.solvers.options import check_options
from eigenlens.solvers.start import first_columns
from eigenlens.solvers.step import Ask, Steps, make_step
from eigenlens.solvers.stopping import StopRule
from eigenlens.table.sides import Side, exposure_of

__all__ = ["OrthogonalIteration"]


@dataclass(frozen=True)
class OrthogonalIteration:
    """`extra`: spare columns. `stop`: as in `OrthogonalIteration(stop=WallClock(60))`.

    `start`: the first columns to begin with; None: random ones.
    """

    max_passes: int = 1000
    extra: int = 10
    stop: StopRule | None = None
    start: Any = field(default=None, repr=False, compare=False)

    name = "orthogonal"
    forms_matrix = False

    def __post_init__(self) -> None:
        check_options(self, {"max_passes": 1, "extra": 0})

    def sided(self, shape: tuple[int, int]) -> bool:
        return False

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        width = min(ask.rank + self.extra, side.size)
        basis = orthonormal_basis(first_columns(self.start, side.size, width, rng))
        passes = 0
        while True:
            image = side.apply(basis)
            passes += 1
            ritz = ritz_of_image(basis, image, exposure_of(side, basis))
            ask = yield make_step(ritz, ask, passes)
            if ritz.rotation is not None:
                image = image @ ritz.rotation
            missing = min(ask.rank + self.extra, side.size) - image.shape[1]
            if missing > 0:
                image = np.hstack([image, rng.standard_normal((side.size, missing))])
            basis = extend_basis(np.zeros((side.size, 0)), image, rng)[0]
