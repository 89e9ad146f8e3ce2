"""The broken stick: keep directions that hold more than pieces of a stick broken at random.

Question  detection: is the first share larger than if the variance were shared out by chance?
Formula   t_k / tr C > b_k = (1/r) sum_{j=k}^{r} 1/j, up to the first k where it is not
Needs     leading eigenvalues down to the first that fails, and the total.
Right     with a moderate number of columns and components of similar size.
Wrong     behind one giant component; with r = d > n, which keeps everything, so r is the number of
          eigenvalues that can be other than zero.
Source    Frontier 1976; Jackson 1993, Stopping rules in principal components analysis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.errors import RankError
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum, count_words
from eigenlens.rank.threshold import refuse_short_spectrum, too_simple

__all__ = ["BrokenStick", "stick_lengths"]

FEW = 40  # eigenvalues, up to which all are looked at: some directions may hold nothing


@dataclass(frozen=True)
class BrokenStick:
    name = "broken_stick"
    question: ClassVar[Question] = "detection"
    assumes: ClassVar[tuple[Assumption, ...]] = ()
    needs_settled = False

    def first_guess(self, most: int) -> int:
        return most if most <= FEW else 10

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        simple = too_simple(self.name, spectrum)
        if simple is not None:
            return simple
        if 2 * spectrum.rank > spectrum.most:
            spectrum = spectrum.filled()  # columns that follow from others are no piece of it
        shares = spectrum.values / spectrum.total
        bars = stick_lengths(spectrum.most)[: len(shares)]
        failed = np.flatnonzero(shares <= bars)
        if failed.size == 0 and len(shares) < spectrum.most:
            return None
        rank = int(failed[0]) if failed.size else len(shares)
        near = slice(max(rank - 1, 0), rank + 1)
        evidence = {
            "threshold": float(bars[min(rank, len(bars) - 1)]) * spectrum.total * spectrum.unit,
            "margin": float(np.min(np.abs(shares[near] / bars[near] - 1))),
        }
        reason = f"{count_words(rank)} larger than the pieces of a stick broken at random"
        return Verdict(rank, self.name, reason, evidence)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        return refuse_short_spectrum(
            self.name, spectrum, "a share below its piece of the broken stick"
        )


def stick_lengths(count: int) -> Float64Array:
    """The expected lengths of `count` pieces of a stick of length 1, the longest first."""
    result: Float64Array = np.cumsum(1 / np.arange(count, 0, -1))[::-1] / count
    return result
