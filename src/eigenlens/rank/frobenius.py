"""The smallest k whose squared eigenvalues hold a given fraction of their total.

The total of the squares, |C|_F^2, is known exactly only with the whole spectrum; from a part of it
and the trace it is bracketed, and so is k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.errors import RankError
from eigenlens.rank.spectrum import Spectrum, held_by
from eigenlens.verdict import Verdict

__all__ = ["Frobenius"]


@dataclass(frozen=True)
class Frobenius:
    fraction: float = 0.9

    name = "frobenius"

    def __post_init__(self) -> None:
        if not 0 < self.fraction < 1:
            raise RankError.fraction_out_of_range(self.fraction)

    def first_guess(self, most: int) -> int:
        return min(most, 10)

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        squares = np.cumsum(np.square(spectrum.values))
        low_total, high_total = spectrum.squares_total()
        certain = np.flatnonzero(squares >= self.fraction * high_total * (1 - 1e-14))
        if certain.size == 0:
            return None
        high = int(certain[0]) + 1
        possible = np.cumsum(np.square(spectrum.tops)) >= self.fraction * low_total * (1 - 1e-14)
        low = int(np.flatnonzero(possible)[0]) + 1
        share = float(squares[high - 1] / high_total)
        reason = f"{held_by(high)} at least {share:.2%} of the squared eigenvalues"
        evidence = {"squares": share, "asked": self.fraction}
        return Verdict(high, self.name, reason, evidence, low=low, high=high)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        reached = float(np.square(spectrum.values).sum() / spectrum.squares_total()[1])
        return RankError.fraction_not_proven(self.fraction, reached, len(spectrum.values))
