"""Deterministic parallel analysis: keep what lies above the edge of noise with these variances.

Question  detection: which directions cannot be noise whose columns vary as much as these do?
Formula   the number of eigenvalues above U + q u: U is the upper edge of the generalized
          Marchenko-Pastur law of the columns' variances, u the unit by which the largest eigenvalue
          of noise varies around it, and q the Tracy-Widom quantile of `level` (`noise_edge.py`)
Needs     leading eigenvalues down to the edge, and the columns' variances. No random numbers.
Right     under noise of different strength in every column, and for more columns than rows.
Wrong     behind one giant component, whose variance counts as noise in the columns (shadowing);
          with rows of very different strength or following one another, where noise reaches
          further; it also keeps directions that are detectable but too noisy to be of use.
Source    Dobriban and Owen 2019, Deterministic parallel analysis.
Differs   U alone is exceeded by noise in one table of six; with q u in one of twenty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.rank.noise_edge import generalized_edge, tracy_widom
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum
from eigenlens.rank.tail_variance import exact_rank
from eigenlens.rank.threshold import count_above, refuse_few_rows, refuse_short_spectrum, too_simple

__all__ = ["DPA", "LEVEL", "beyond_edge"]

LEVEL = 0.05


@dataclass(frozen=True)
class DPA:
    """`level`: how often pure noise may be taken for structure."""

    level: float = LEVEL

    name = "dpa"
    question: ClassVar[Question] = "detection"
    assumes: ClassVar[tuple[Assumption, ...]] = ("equal rows", "independent rows", "light tails")
    needs_settled = False

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise OptionError.needs(
                SetOption("level", self.level),
                "a probability between 0 and 1",
                Phrase("pass {}", SetOption("level", 0.05)),
            )

    def first_guess(self, most: int) -> int:
        return min(most, 10)

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        refuse_few_rows(self.name, spectrum.rows)
        simple = too_simple(self.name, spectrum) or exact_rank(self.name, spectrum)
        return simple or beyond_edge(self.name, spectrum, self.level)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        return refuse_short_spectrum(self.name, spectrum, "an eigenvalue below the edge of noise")


def beyond_edge(name: str, spectrum: Spectrum, level: float) -> Verdict | None:
    """How many eigenvalues noise with these variances would reach once in 1 / level tables."""
    columns, words = spectrum.variances, "with the variances of these columns"
    if columns is None:
        columns = np.full(spectrum.columns, spectrum.total / spectrum.columns)
        words = "with columns taken as equal, since their variances are not known"
    columns = columns[columns > 0]  # what does not vary holds no noise either
    edge, unit = generalized_edge(columns, spectrum.freedom)
    bar = edge + tracy_widom(level) * unit
    words = f"{bar * spectrum.unit:.4g}, the edge of noise {words}"
    evidence = {"edge": edge * spectrum.unit, "unit": unit * spectrum.unit}
    return count_above(name, spectrum, bar, words, evidence)
