"""Generalized cross-validation: the k that would predict cells left out best.

Question  denoising: how many components predict a cell from the others?
Formula   the k from 0 to `largest` with the smallest n d V(k) / (f d - k (f + d - k))^2, V(k) the
          variance that k components leave, f = n - 1 if centered: cells less parameters
Needs     `largest` leading eigenvalues, and the total: nothing is left out in fact. Directions that
          hold nothing do not count among the d, so that V(k) does not vanish before its time.
Right     white noise, also with many more columns than rows.
Wrong     under any structure of the noise, where it runs to the largest k allowed.
Source    Josse and Husson 2012, Selecting the number of components in PCA using cross-validation
          approximations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum, count_words
from eigenlens.rank.tail_variance import RemainderRule, left_after

__all__ = ["GCV"]


@dataclass(frozen=True)
class GCV(RemainderRule):
    """`largest`: the largest k that is considered."""

    name = "gcv"
    question: ClassVar[Question] = "denoising"
    assumes: ClassVar[tuple[Assumption, ...]] = ("white noise",)

    def compare(self, spectrum: Spectrum, most: int) -> Verdict:
        k = np.arange(most + 1)
        freedom, d = spectrum.freedom, spectrum.columns
        # Shares of the cells that are free after k components; the common factor n d is dropped.
        free = np.maximum(1 - k * (freedom + d - k) / (freedom * d), 1e-300)
        log_error = np.log(left_after(spectrum, most) / spectrum.total) - 2 * np.log(free)
        rank = int(np.argmin(log_error))
        reason = f"{count_words(rank)} needed to predict cells from the others as well as possible"
        if rank == most:
            reason += f"; {most} is the most considered, a sign that the noise is not white"
        lead = float(np.expm1(np.min(np.delete(log_error, rank)) - log_error[rank]))
        evidence = {"error": float(np.exp(log_error[rank])), "margin": lead}
        return Verdict(rank, self.name, reason, evidence)
