"""Kritchman and Nadler's tests: one eigenvalue after the other against white noise.

Question  detection: which directions exceed what white noise of this strength could reach?
Formula   for k = 0, 1, ...: t_{k+1} > s2 (mu + q sigma), up to the first k where it is not, with
          the center mu and the unit sigma of the largest eigenvalue of white noise in d - k
          columns, q the Tracy-Widom quantile of `level`, and s2 the noise variance that solves
              s2 = (tr C - rho_1 - ... - rho_k) / (d - k),
              rho_j^2 - rho_j (t_j + s2 - s2 (d - k) / n) + t_j s2 = 0   (the larger root):
          eigenvalues are too large by what they take from the noise
Needs     leading eigenvalues down to the first that fails, and the total.
Right     white noise: the level is exact, and no giant hides the rest.
Wrong     under any structure of the noise, where it runs away.
Source    Kritchman and Nadler 2008, Determining the number of components in a factor model from
          limited noisy data; Johnstone 2001 for mu and sigma.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.rank.noise_edge import tracy_widom
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum, count_words
from eigenlens.rank.tail_variance import most_considered, noiseless
from eigenlens.rank.threshold import refuse_few_rows, refuse_short_spectrum

__all__ = ["KritchmanNadler", "iterate_noise_variance"]

ROUNDS = 100


@dataclass(frozen=True)
class KritchmanNadler:
    """`level` of each test, `largest` k that is considered."""

    level: float = 0.005
    largest: int = 20

    name = "kritchman_nadler"
    question: ClassVar[Question] = "detection"
    assumes: ClassVar[tuple[Assumption, ...]] = ("white noise",)
    needs_settled = False

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise OptionError.needs(
                SetOption("level", self.level),
                "a probability between 0 and 1",
                Phrase("pass {}", SetOption("level", 0.005)),
            )
        if self.largest < 1:
            raise OptionError.not_whole("largest", self.largest, 1)

    def first_guess(self, most: int) -> int:
        return most if most <= 2 * self.largest else 10

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        refuse_few_rows(self.name, spectrum.rows)
        simple = noiseless(self.name, spectrum)
        if simple is not None:
            return simple
        spectrum = spectrum.filled()
        most = most_considered(spectrum, self.largest)
        scale = float(spectrum.values[0])
        values, total = spectrum.values / scale, spectrum.total / scale
        quantile = tracy_widom(self.level)
        margin, bar = np.inf, 0.0
        for rank in range(most + 1):
            if rank == most or (rank == len(values) == spectrum.most):
                break
            if rank == len(values):
                return None
            s2 = iterate_noise_variance(values[:rank], total, spectrum.freedom, spectrum.columns)
            center, unit = largest_of_noise(spectrum.freedom, spectrum.columns - rank)
            bar = s2 * (center + quantile * unit)
            margin = min(margin, abs(float(values[rank]) / bar - 1) if bar > 0 else np.inf)
            if values[rank] <= bar:
                break
        reason = f"{count_words(rank)} larger than white noise could be"
        if rank == most:
            reason += f"; {most} is the most considered, a sign that the noise is not white"
        threshold = bar * scale * spectrum.unit
        evidence = {"threshold": threshold, "margin": float(margin), "level": self.level}
        return Verdict(rank, self.name, reason, evidence)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        return refuse_short_spectrum(self.name, spectrum, "an eigenvalue that noise could reach")


def largest_of_noise(rows: float, columns: int) -> tuple[float, float]:
    """Center and unit of the largest eigenvalue of white noise of variance 1."""
    one, two = np.sqrt(rows - 0.5), np.sqrt(columns - 0.5)
    center = (one + two) ** 2 / rows
    unit = (one + two) / rows * (1 / one + 1 / two) ** (1 / 3)
    return float(center), float(unit)


def iterate_noise_variance(signal: Float64Array, total: float, rows: float, columns: int) -> float:
    """s2 of the formula, by iteration from the average of what the signal leaves."""
    rest = columns - len(signal)
    s2 = max(total - float(signal.sum()), 0.0) / rest
    for _ in range(ROUNDS):
        middle = signal + s2 - s2 * rest / rows
        inside = np.square(middle) - 4 * signal * s2
        if np.any(inside < 0):  # a value inside the noise has no root: stop with what there is
            return s2
        clean = (middle + np.sqrt(inside)) / 2
        found = max(total - float(clean.sum()), 0.0) / rest
        if abs(found - s2) <= 1e-10 * found:
            return found
        s2 = found
    return s2
