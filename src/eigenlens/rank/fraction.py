"""The smallest k whose components hold a given fraction of the total variance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.errors import RankError
from eigenlens.rank.spectrum import Spectrum, held_by
from eigenlens.verdict import Verdict

__all__ = ["Fraction"]


@dataclass(frozen=True)
class Fraction:
    """Ritz values never exceed true eigenvalues, so what they reach is reached for certain."""

    fraction: float
    because: str = ""

    name = "fraction"

    def __post_init__(self) -> None:
        if not 0 < self.fraction < 1:
            raise RankError.fraction_out_of_range(self.fraction)

    def first_guess(self, most: int) -> int:
        return min(most, 10)

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        captured = np.cumsum(spectrum.values) / spectrum.total
        # A full spectrum holds everything, whatever rounding makes of the last digit.
        goal = min(self.fraction, captured[-1]) if spectrum.complete else self.fraction
        reached = np.flatnonzero(captured >= goal)
        if reached.size == 0:
            return None
        rank = int(reached[0]) + 1
        share = float(captured[rank - 1])
        reason = (
            f"{held_by(rank)} {share:.2%} of the variance, "
            f"at least the {100 * self.fraction:.6g}% asked for{self.because}"
        )
        possible = np.cumsum(spectrum.tops) >= goal * spectrum.total
        low = min(int(np.argmax(possible)) + 1, rank)  # fewer cannot hold it, proven by ceilings
        evidence = {"captured": share, "asked": self.fraction}
        return Verdict(rank, self.name, reason, evidence, low=low, high=rank)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        reached = float(spectrum.values.sum() / spectrum.total)
        return RankError.fraction_not_proven(self.fraction, reached, len(spectrum.values))
