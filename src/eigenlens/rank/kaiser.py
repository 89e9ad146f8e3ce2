"""Kaiser's rule: keep the directions with more than the average variance.

Question  detection, as it is usually read: which directions are more than one column's worth?
Formula   the number of eigenvalues above tr C / d (above 1 for a correlation matrix), d counting
          columns that vary; eigenvalues that equal the average up to rounding are not above it
Needs     leading eigenvalues down to the average, and the total.
Right     to compare with what others report.
Wrong     nearly always: noise has eigenvalues on both sides of its average, so that about half the
          directions of pure noise are kept, and all of them where d > n.
Source    Kaiser 1960, The application of electronic computers to factor analysis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from eigenlens.document.verdict import Verdict
from eigenlens.errors import RankError
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum
from eigenlens.rank.threshold import count_above, refuse_short_spectrum, too_simple

__all__ = ["Kaiser"]


@dataclass(frozen=True)
class Kaiser:
    name = "kaiser"
    question: ClassVar[Question] = "detection"
    assumes: ClassVar[tuple[Assumption, ...]] = ("equal columns",)
    needs_settled = False

    def first_guess(self, most: int) -> int:
        return min(most, 25)

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        simple = too_simple(self.name, spectrum)
        if simple is not None:
            return simple
        average = spectrum.total / spectrum.varying
        words = f"{average * spectrum.unit:.4g}, the average variance"
        return count_above(self.name, spectrum, average, words)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        return refuse_short_spectrum(self.name, spectrum, "an eigenvalue below the average")
