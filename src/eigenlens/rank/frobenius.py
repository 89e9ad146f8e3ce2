"""The smallest k whose squared eigenvalues hold a given fraction of their total.

Question  compression: how few directions keep so much of the covariance matrix itself?
Formula   min k with t_1^2 + ... + t_k^2 >= f |C|_F^2, the error of C in the Frobenius norm
Needs     leading eigenvalues and the total. |C|_F^2 is known exactly only with the whole spectrum;
          from a part of it and the trace it is bracketed, and so is k.
Right     where few directions dominate and C is what is to be kept.
Wrong     as an answer to what is signal; and behind one giant, which holds all the squares alone.
Source    Eckart and Young 1936 for the error of C.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import NotReached, RankError
from eigenlens.rank.fraction import count_with_equals
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum, held_words
from eigenlens.rank.threshold import refuse_short_spectrum

__all__ = ["Frobenius"]


@dataclass(frozen=True)
class Frobenius:
    fraction: float = 0.9

    name = "frobenius"
    question: ClassVar[Question] = "compression"
    assumes: ClassVar[tuple[Assumption, ...]] = ()
    needs_settled = False

    def __post_init__(self) -> None:
        if not 0 < self.fraction < 1:
            raise RankError.fraction_out_of_range(self.fraction)

    def first_guess(self, most: int) -> int:
        return min(most, 10)

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        spectrum = in_units_of_the_largest(spectrum)
        squares = np.cumsum(np.square(spectrum.values))
        low_total, high_total = spectrum.squares_total()
        certain = np.flatnonzero(squares >= self.fraction * high_total * (1 - 1e-14))
        if certain.size == 0:
            return None
        high = int(certain[0]) + 1
        possible = np.cumsum(np.square(spectrum.tops)) >= self.fraction * low_total * (1 - 1e-14)
        low = int(np.flatnonzero(possible)[0]) + 1
        share = float(squares[high - 1] / high_total)
        before = float(squares[high - 2] / high_total) if high > 1 else 0.0
        margin = max(min(share - self.fraction, self.fraction - before) / self.fraction, 0.0)
        reason = f"{held_words(high)} at least {share:.2%} of the squared eigenvalues"
        evidence = {"squares": share, "asked": self.fraction, "margin": margin}
        return Verdict(high, self.name, reason, evidence, low=low, high=high)

    def forecast(self, spectrum: Spectrum) -> int:
        """As if every value not seen yet were as large as the last one."""
        spectrum = in_units_of_the_largest(spectrum)
        squares = np.square(spectrum.values)
        missing = self.fraction * spectrum.squares_total()[0] - float(squares.sum())
        return count_with_equals(spectrum, missing, float(squares[-1]))

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        spectrum = in_units_of_the_largest(spectrum)
        reached = float(np.square(spectrum.values).sum() / spectrum.squares_total()[1])
        if spectrum.shown == "solver":
            return NotReached.fraction_not_proven(self.fraction, reached, len(spectrum.values))
        need = (
            f"components that hold {self.fraction:.6g} of the squared eigenvalues, "
            f"where these hold {reached:.6g}"
        )
        return refuse_short_spectrum(f"{self.name}:{self.fraction:.6g}", spectrum, need)


def in_units_of_the_largest(spectrum: Spectrum) -> Spectrum:
    """Squares of very large or small eigenvalues would leave the range of numbers."""
    unit = float(spectrum.values[0])
    if not unit > 0:
        return spectrum
    return replace(
        spectrum,
        values=spectrum.values / unit,
        total=spectrum.total / unit,
        leftover=None if spectrum.leftover is None else spectrum.leftover / unit,
        coupling=spectrum.coupling / unit / unit,
        ceilings=None if spectrum.ceilings is None else spectrum.ceilings / unit,
    )
