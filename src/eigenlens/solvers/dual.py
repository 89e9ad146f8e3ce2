"""Dual: few rows, many columns. Only inner products of rows are formed.

    K = AA' / divisor  (n, n),   K u = t u   =>   C (A'u) = t (A'u).

Cost     n^2 d flops and one pass, then as `covariance` with n for d; one pass for the components.
Choose   when n is much smaller than d: images, spectra, genomes.
Source   the trick behind eigenfaces (Sirovich and Kirby 1987) and kernel PCA.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.solvers.covariance import steps_on_matrix
from eigenlens.solvers.step import Ask, Steps
from eigenlens.table.sides import Side

__all__ = ["Dual"]


@dataclass(frozen=True)
class Dual:
    """`all_below` as in `Covariance`."""

    all_below: int | None = None

    name = "dual"
    forms_matrix = True

    def sided(self, shape: tuple[int, int]) -> bool:
        return True

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        yield from steps_on_matrix(side, ask, self.all_below, rng)
