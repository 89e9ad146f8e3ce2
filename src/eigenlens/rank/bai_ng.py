"""Bai and Ng's criterion: the number of pervasive factors of a large panel.

Question  detection: how many factors move nearly all columns?
Formula   the k from 0 to `largest` with the smallest ln V(k) + k (n + d) / (n d) ln min(n, d),
          V(k) the variance that k components leave (their IC_p2)
Needs     `largest` leading eigenvalues, and the total. Directions that hold nothing do not count
          among the d.
Right     large panels with few strong factors.
Wrong     moderate factors are missed; rows that follow one another are taken for factors.
Source    Bai and Ng 2002, Determining the number of factors in approximate factor models.
Differs   k = 0 is a possible answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum, count_words
from eigenlens.rank.tail_variance import RemainderRule, left_after

__all__ = ["BaiNg"]


@dataclass(frozen=True)
class BaiNg(RemainderRule):
    """`largest`: the largest k that is considered."""

    name = "bai_ng"
    question: ClassVar[Question] = "detection"
    assumes: ClassVar[tuple[Assumption, ...]] = ("independent rows",)

    def compare(self, spectrum: Spectrum, most: int) -> Verdict:
        n, d = spectrum.rows, spectrum.columns
        penalty = (n + d) / (n * d) * np.log(min(n, d))
        criteria = np.log(left_after(spectrum, most)) + penalty * np.arange(most + 1)
        rank = int(np.argmin(criteria))
        reason = (
            f"{count_words(rank)} strong enough to count as a factor in a panel of {n:.6g} x {d}"
        )
        if rank == most:
            reason += f"; {most} is the most considered, more might be"
        lead = float(np.min(np.delete(criteria, rank)) - criteria[rank])
        # A factor is worth it when it lowers ln V by the penalty.
        drops = -np.diff(np.log(left_after(spectrum, most)))
        near = drops[max(rank - 1, 0) : rank + 1]
        evidence = {
            "threshold": float(penalty),
            "margin": float(np.min(np.abs(near / penalty - 1))),
            "lead": lead,
        }
        return Verdict(rank, self.name, reason, evidence)
