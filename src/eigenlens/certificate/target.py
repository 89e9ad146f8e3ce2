"""Target: when an answer is good enough.

tolerance given   every eigenvalue certified within that relative error
tolerance None    numerical error under 1 % of the sampling error, for eigenvalues (standard
                  deviation about t sqrt(2/n)) and for the subspace (angle about
                  sqrt(t_k t_{k+1} / n) / (t_k - t_{k+1})): more would be digits of noise
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.rounding import Rounding
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError

__all__ = ["NEGLIGIBLE", "Noise", "Target", "noise_of", "target_for"]

NEGLIGIBLE = 0.01
ZERO_ROUNDINGS = 10  # an eigenvalue below so many rounding allowances is zero for all we know
SMALLEST_ANGLE = 3e-7  # nobody asks for less where the sampling error is zero


@dataclass(frozen=True)
class Noise:
    """What arithmetic cannot tell from zero: eigenvalues up to `values`, couplings to `spread`."""

    values: Float64Array
    spread: float


def noise_of(rounding: Rounding) -> Noise:
    values = np.maximum(ZERO_ROUNDINGS * rounding.values, 3 * rounding.trace)
    return Noise(values, float(np.linalg.norm(rounding.residuals)))


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
            return f"the numerical error left is proven under {NEGLIGIBLE:.0%} of it"
        return f"every eigenvalue is proven within the relative error {self.relative:.3g} asked for"

    def stopped(self, course: dict[str, Any], ended: str, met: bool, kind: str) -> Verdict:
        """Why no more passes were made, as a person would say it; `course`: how it went."""
        passes = course["passes"]
        after = f"after {passes} {'pass' if passes == 1 else 'passes'}"
        if kind == "heuristic":
            words = f"{ended}; certify='fast' asked for no proof of it"
            return Verdict(after, "guess", words, course)
        if met:
            return Verdict(after, self.name, self.words, course)
        words = f"{ended}, and the accuracy asked for was not proven by then"
        return Verdict(after, "limit", words, course)

    def met(self, ritz: Ritz, ceilings: Float64Array, noise: Noise) -> bool:
        """Whether the bounds prove it for all but the last of `ceilings`, which lies beyond."""
        rank = len(ceilings) - 1
        values = ritz.values[:rank]
        too_wide = ceilings[:-1] - values > self.relative * values
        if np.any(too_wide & (ceilings[:-1] > noise.values)):
            return False
        return not self.statistical or self.close(ritz, rank, float(ceilings[-1]), noise)

    def within_reach(self, ritz: Ritz, rank: int, noise: Noise) -> bool:
        """Whether proving it is worth a try: what needs no ceiling is met already."""
        if not self.statistical or ritz.size <= rank:
            return True
        return self.close(ritz, rank, float(ritz.values[rank]), noise)

    def close(self, ritz: Ritz, rank: int, beyond: float, noise: Noise) -> bool:
        """Angle under 1 % of its sampling error; where that is 1 or more nothing is asked."""
        value = float(ritz.values[rank - 1])
        spread = float(np.linalg.norm(ritz.coupling[:, :rank], 2))
        sampling = np.sqrt(max(value * beyond, 0.0) / self.weight)
        floor = SMALLEST_ANGLE * value + noise.spread
        return bool(
            value <= noise.values[-1]
            or value - beyond <= sampling
            or spread <= NEGLIGIBLE * sampling + floor
        )


def target_for(tolerance: float | None, weight: float) -> Target:
    if tolerance is None:
        return Target(NEGLIGIBLE * float(np.sqrt(2 / weight)), weight, statistical=True)
    if isinstance(tolerance, bool) or not isinstance(tolerance, Real) or not tolerance > 0:
        raise OptionError.not_positive("tolerance", tolerance)
    return Target(float(tolerance), weight, statistical=False)
