"""A number of components given by the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from eigenlens.document.verdict import Verdict
from eigenlens.errors import NotReached, RankError
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum

__all__ = ["Count"]


@dataclass(frozen=True)
class Count:
    count: int

    name = "count"
    question: ClassVar[Question] = "request"
    assumes: ClassVar[tuple[Assumption, ...]] = ()
    needs_settled = False

    def first_guess(self, most: int) -> int:
        return self.count

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        if len(spectrum.values) < self.count:
            return None
        filled = spectrum.rank
        if filled >= self.count or not spectrum.complete:
            return Verdict(self.count, self.name, "so many were asked for")
        empty = self.count - filled
        reason = (
            f"so many were asked for, but the table has rank {filled}: the last {empty} hold "
            f"nothing but rounding"
        )
        return Verdict(self.count, self.name, reason, {"rank": filled, "empty": empty})

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        return NotReached.not_found(self.count, len(spectrum.values))
