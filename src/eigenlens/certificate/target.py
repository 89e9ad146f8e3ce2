"""Target: when an answer is good enough.

    tolerance given   every eigenvalue certified within that relative error
    tolerance None    numerical error under 1 % of the sampling error, for eigenvalues (standard
                      deviation about t sqrt(2/n)) and for the subspace (angle about
                      sqrt(t_k t_{k+1} / n) / (t_k - t_{k+1})): more would be digits of noise
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError

__all__ = ["NEGLIGIBLE", "Target", "target_for"]

NEGLIGIBLE = 0.01
ZERO = 1e-13  # eigenvalues below this part of the largest have no relative error to speak of


@dataclass(frozen=True)
class Target:
    relative: float
    weight: float
    statistical: bool

    @property
    def name(self) -> str:
        return "sampling error" if self.statistical else "tolerance"

    @property
    def words(self) -> str:
        """What it means that the target is met."""
        if self.statistical:
            return f"the numerical error left is proven to be under {NEGLIGIBLE:.0%} of it"
        return f"every eigenvalue is proven within the relative error {self.relative:.3g} asked for"

    def met(self, values: Float64Array, ceilings: Float64Array, spread: float) -> bool:
        """Whether the bounds prove it: `ceilings` has one entry more, `spread` is |F_k|."""
        allowed = self.relative * values + ZERO * values.max(initial=0.0)
        if np.any(ceilings[:-1] - values > allowed):
            return False
        return not self.statistical or self.close(spread, float(values[-1]), float(ceilings[-1]))

    def within_reach(self, ritz: Ritz, rank: int) -> bool:
        """Whether proving it is worth a try: what needs no ceiling is met already."""
        if not self.statistical or ritz.size <= rank:
            return True
        spread = float(np.linalg.norm(ritz.coupling[:, :rank], 2))
        return self.close(spread, float(ritz.values[rank - 1]), float(ritz.values[rank]))

    def close(self, spread: float, value: float, beyond: float) -> bool:
        """Angle under 1 % of its sampling error; where that is 1 or more nothing is asked."""
        gap = value - beyond
        sampling = np.sqrt(max(value * beyond, 0.0) / self.weight)
        floor = ZERO**0.5 * value
        return bool(gap <= sampling or spread <= NEGLIGIBLE * sampling + floor)


def target_for(tolerance: float | None, weight: float) -> Target:
    if tolerance is None:
        return Target(NEGLIGIBLE * float(np.sqrt(2 / weight)), weight, statistical=True)
    if isinstance(tolerance, bool) or not tolerance > 0:
        raise OptionError.not_positive("tolerance", tolerance)
    return Target(float(tolerance), weight, statistical=False)
