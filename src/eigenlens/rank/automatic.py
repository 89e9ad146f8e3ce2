"""Automatic: the rule behind k="auto".

| table                  | rule                                                                  |
|------------------------|-----------------------------------------------------------------------|
| fewer than 22 columns  | small_table: the fall that stands out, 0 only where a test finds noise |
| these with missing     | the same; where no fall stands out, parallel analysis that permutes    |
| cells                  | the observed cells, of up to 20 000 cells                              |
| others                 | screenot: the best cut under noise learned from the table itself       |

Either way the answer is the numerical rank where the directions beyond it hold nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from eigenlens.document.verdict import Verdict
from eigenlens.errors import RankError
from eigenlens.rank.rule import Assumption, Question, Rule
from eigenlens.rank.screenot import ScreeNOT
from eigenlens.rank.small_table import SmallTable
from eigenlens.rank.spectrum import FEWEST_COLUMNS, Spectrum
from eigenlens.rank.threshold import refuse_few_rows

__all__ = ["Automatic"]


@dataclass(frozen=True)
class Automatic:
    """`widest`: as ScreeNOT's; `otherwise`: as SmallTable's."""

    widest: int | None = 1
    otherwise: Rule | None = None

    name = "auto"
    question: ClassVar[Question] = "denoising"
    assumes: ClassVar[tuple[Assumption, ...]] = ()
    needs_settled = True

    def first_guess(self, most: int) -> int:
        return most if most < FEWEST_COLUMNS else ScreeNOT().first_guess(most)

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        refuse_few_rows(self.name, spectrum.rows)
        return self.chosen(spectrum).choose(spectrum)

    def chosen(self, spectrum: Spectrum) -> Rule:
        return (
            SmallTable(otherwise=self.otherwise)
            if spectrum.is_small
            else ScreeNOT(widest=self.widest)
        )

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        return self.chosen(spectrum).out_of_reach(spectrum)
