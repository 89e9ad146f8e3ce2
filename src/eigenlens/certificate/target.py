"""Target: when an answer is good enough.

tolerance given   every eigenvalue certified within that relative error, rounding included
tolerance None    numerical error under 1 % of the sampling error, for eigenvalues (standard
                  deviation about t sqrt(2/n)) and for the subspace (angle about
                  sqrt(t_k t_{k+1} / n) / (t_k - t_{k+1})): more would be digits of noise.
                  Rounding alone may take up to 10 % of the sampling error: nobody can see it, and
                  float32 products then need not be made again in float64. It is part of the bounds,
                  and `sampling_share` and the verdict say how much it is.
"""

from __future__ import annotations

import math
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
ROUNDING_NEGLIGIBLE = 0.1  # of the sampling error, by rounding alone
ZERO_ROUNDINGS = 10  # an eigenvalue below so many rounding allowances is zero for all we know
SMALLEST_ANGLE = 3e-7  # nobody asks for less where the sampling error is zero


@dataclass(frozen=True)
class Noise:
    """What arithmetic cannot tell from zero, and what it adds to what it can.

    Eigenvalues up to `values` and couplings up to `spread` may be nothing. `widths` and
    `spread_width` are what rounding adds to the bounds of the leading eigenvalues and to couplings.
    """

    values: Float64Array
    spread: float
    widths: Float64Array
    spread_width: float


def noise_of(rounding: Rounding, widths: Float64Array, precise: bool) -> Noise:
    """`precise`: products were made in float64; what float32 cannot tell from zero, float64 may."""
    spread = float(np.linalg.norm(rounding.residuals))
    if not precise:
        return Noise(np.zeros(1), 0.0, widths, spread)
    values = np.maximum(ZERO_ROUNDINGS * rounding.values, 3 * rounding.trace)
    return Noise(values, spread, widths, spread)


@dataclass(frozen=True)
class Target:
    relative: float
    weight: float
    statistical: bool

    @property
    def name(self) -> str:
        return "sampling error" if self.statistical else "tolerance"

    @property
    def rounding_relative(self) -> float:
        """The largest relative error of an eigenvalue that may be left to rounding."""
        if not self.statistical:
            return self.relative
        return ROUNDING_NEGLIGIBLE * math.sqrt(2 / self.weight)

    @property
    def closeness(self) -> tuple[float, float]:
        """Residuals relative to the last value that are small enough, and a gap that needs none."""
        sampling = math.sqrt(1 / self.weight) if self.statistical else 0.0
        return NEGLIGIBLE * sampling, sampling

    def words(self, ritz: Ritz, ceilings: Float64Array) -> str:
        """What it means that the target is met."""
        if not self.statistical:
            return (
                f"every eigenvalue is proven within the relative error {self.relative:.3g} "
                "asked for"
            )
        values = ritz.values[: len(ceilings) - 1]
        sampling = math.sqrt(2 / self.weight) * values
        with np.errstate(over="ignore"):  # beside a value of 1e-300 any error is infinite
            shares = np.divide(
                ceilings[:-1] - values, sampling, out=np.zeros_like(values), where=sampling > 0
            )
        share = max(np.ceil(100 * float(np.minimum(shares, 1.0).max(initial=0.0))), 1.0)
        words = f"the numerical error is proven to be below {share:.0f}% of the sampling error"
        return words + (", most of it float32 rounding" if share > 100 * NEGLIGIBLE else "")

    def stopped(self, course: dict[str, Any], ended: str, met: str | None, kind: str) -> Verdict:
        """Why no more passes were made, as a person would say it; `course`: how it went.

        `met`: what is proven, in words; None: less than was asked for.
        """
        passes = course["passes"]
        after = f"after {passes} {'pass' if passes == 1 else 'passes'}"
        if kind == "heuristic":
            words = f"{ended}; certify='fast' asked for no proof of it"
            return Verdict(after, "guess", words, course)
        if met is not None:
            return Verdict(after, self.name, met, course)
        words = f"{ended}, and the accuracy asked for was not proven by then"
        return Verdict(after, "limit", words, course)

    def met(self, ritz: Ritz, ceilings: Float64Array, noise: Noise) -> bool:
        """Whether the bounds prove it for all but the last of `ceilings`, which lies beyond."""
        rank = len(ceilings) - 1
        values = ritz.values[:rank]
        allowed = self.relative * values
        if self.statistical:
            allowed = allowed + np.minimum(noise.widths[:rank], self.rounding_relative * values)
        too_wide = ceilings[:-1] - values > allowed
        if (too_wide & (ceilings[:-1] > noise.values)).any():
            return False
        return not self.statistical or self.close(ritz, rank, float(ceilings[-1]), noise)

    def within_reach(self, ritz: Ritz, rank: int, noise: Noise) -> bool:
        """Whether proving it is worth a try: what needs no ceiling is met already."""
        if not self.statistical or ritz.size <= rank:
            return True
        return self.close(ritz, rank, float(ritz.values[rank]), noise)

    def close(self, ritz: Ritz, rank: int, beyond: float, noise: Noise) -> bool:
        """Angle under 1 % of its sampling error; where that is 1 or more nothing is asked.

        As with eigenvalues, rounding may add up to 10 %.
        """
        value = float(ritz.values[rank - 1])
        spread = ritz.coupling_norm(rank)
        sampling = math.sqrt(max(value * beyond, 0.0) / self.weight)
        floor = SMALLEST_ANGLE * value + noise.spread
        floor += min(noise.spread_width, ROUNDING_NEGLIGIBLE * sampling)
        return bool(
            value <= noise.values[-1]
            or value - beyond <= sampling
            or spread <= NEGLIGIBLE * sampling + floor
        )


def target_for(tolerance: float | None, weight: float) -> Target:
    if tolerance is None:
        return Target(NEGLIGIBLE * math.sqrt(2 / weight), weight, statistical=True)
    if isinstance(tolerance, bool) or not isinstance(tolerance, Real) or not tolerance > 0:
        raise OptionError.not_positive("tolerance", tolerance, 1e-6)
    return Target(float(tolerance), weight, statistical=False)
