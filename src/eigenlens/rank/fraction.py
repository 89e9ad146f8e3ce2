"""The smallest k whose components hold a given fraction of the total variance.

Question  compression: how few directions keep so much of the variance?
Formula   min k with t_1 + ... + t_k >= f (t_1 + ... + t_d)
Needs     leading eigenvalues and the total: the sum of what is not listed is known, too.
Right     where the error that may be made is given: lossy coding, a budget.
Wrong     as an answer to what is signal: in noise it keeps most directions, because they hold most
          of the variance (about 80 of 100 columns of pure noise hold 90 %).
Source    Jolliffe 2002, Principal Component Analysis, section 6.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import NotReached, RankError
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum, held_words
from eigenlens.rank.threshold import refuse_short_spectrum

__all__ = ["Fraction", "count_with_equals"]


@dataclass(frozen=True)
class Fraction:
    """Ritz values never exceed true eigenvalues, so what they reach is reached for certain."""

    fraction: float

    name = "fraction"
    question: ClassVar[Question] = "compression"
    assumes: ClassVar[tuple[Assumption, ...]] = ()
    needs_settled = False

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
            f"{held_words(rank)} {share:.2%} of the variance, "
            f"at least the {100 * self.fraction:.6g}% asked for"
        )
        possible = np.cumsum(spectrum.tops) >= goal * spectrum.total
        low = min(int(np.argmax(possible)) + 1, rank)  # fewer cannot hold it, proven by ceilings
        before = float(captured[rank - 2]) if rank > 1 else 0.0
        margin = float(min(share - goal, goal - before) / goal)
        evidence = {"captured": share, "asked": self.fraction, "margin": margin}
        return Verdict(rank, self.name, reason, evidence, low=low, high=rank)

    def forecast(self, spectrum: Spectrum) -> int:
        """As if every value not seen yet were as large as the last one: fewer cannot hold it."""
        missing = self.fraction * spectrum.total - float(spectrum.values.sum())
        return count_with_equals(spectrum, missing, float(spectrum.values[-1]))

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        reached = float(spectrum.values.sum() / spectrum.total)
        if spectrum.shown == "solver":
            return NotReached.fraction_not_proven(self.fraction, reached, len(spectrum.values))
        need = (
            f"components that hold {self.fraction:.6g} of the variance, "
            f"where these hold {reached:.6g}"
        )
        return refuse_short_spectrum(f"{self.name}:{self.fraction:.6g}", spectrum, need)


def count_with_equals(spectrum: Spectrum, missing: float, each: float) -> int:
    """How many values there would be if so many of this size made up for what is missing."""
    known = len(spectrum.values)
    most = spectrum.most - known
    return known + (most if missing >= most * each else max(int(missing / each), 0))
