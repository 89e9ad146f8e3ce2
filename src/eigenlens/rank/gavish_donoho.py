"""Gavish and Donoho's hard threshold: the best cut where the noise is white.

Question  denoising: which truncation is closest to the table without its noise?
Formula   keep singular values of the table above w sqrt(N) sigma, where N is the larger side, b the
          smaller over the larger, w^2 = 2 (b + 1) + 8 b / (b + 1 + sqrt(b^2 + 14 b + 1));
          sigma, if not given, is the median singular value over that of white noise, sqrt(N m_b)
Needs     with `sigma` leading eigenvalues down to the cut; without it the larger half of all, and
          all where some directions may hold nothing: a fit asks for all.
Right     white noise; its worst case is 3/5 of that of the truncation at the true rank.
Wrong     under any structure of the noise, where it keeps far too many.
Source    Gavish and Donoho 2014, The optimal hard threshold for singular values is 4/sqrt(3).
Differs   the median is that of all eigenvalues that there can be, never of a truncated list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, RankError
from eigenlens.rank.marchenko_pastur import marchenko_pastur_median
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum
from eigenlens.rank.tail_variance import noiseless
from eigenlens.rank.threshold import count_above, refuse_few_rows, refuse_short_spectrum

__all__ = ["GavishDonoho", "threshold_coefficient"]


@dataclass(frozen=True)
class GavishDonoho:
    """`sigma` is the standard deviation of the noise, in the units of the data, after scaling."""

    sigma: float | None = None

    name = "gavish_donoho"
    question: ClassVar[Question] = "denoising"
    assumes: ClassVar[tuple[Assumption, ...]] = ("white noise",)
    needs_settled = True

    def __post_init__(self) -> None:
        if self.sigma is not None and not self.sigma > 0:
            raise OptionError.not_positive("sigma", self.sigma)

    def first_guess(self, most: int) -> int:
        return min(most, 10) if self.sigma is not None else most

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        refuse_few_rows(self.name, spectrum.rows)
        simple = noiseless(self.name, spectrum)
        if simple is not None:
            return simple
        spectrum = spectrum.filled()
        verdict = self.cut(spectrum)
        if self.sigma is not None or verdict is None or len(spectrum.values) == spectrum.most:
            return verdict
        # Some of the directions that are not listed may hold nothing, which moves the median.
        last = max(float(spectrum.values[-1]), spectrum.floor)
        fewest = len(spectrum.values) + int(np.ceil(spectrum.tail / last))
        other = self.cut(spectrum.within(min(fewest, spectrum.most)))
        return verdict if other is not None and other.value == verdict.value else None

    def cut(self, spectrum: Spectrum) -> Verdict | None:
        unit = float(np.sqrt(spectrum.unit))
        sigma = estimate_sigma(spectrum) if self.sigma is None else self.sigma / unit
        if sigma is None:
            return None
        larger = max(spectrum.freedom, spectrum.columns)
        cut_off = float(threshold_coefficient(spectrum.aspect) * np.sqrt(larger) * sigma)
        words = f"the cut for white noise of standard deviation {sigma * unit:.4g}"
        if self.sigma is None:
            words += ", which the median tells"
        bar = float(cut_off / np.sqrt(spectrum.freedom)) ** 2
        evidence = {"sigma": sigma * unit, "cut_off": cut_off * unit}
        return count_above(self.name, spectrum, bar, words, evidence)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        half = spectrum.most // 2 + 1
        need = f"the {half} largest of {spectrum.most} eigenvalues"
        if self.sigma is not None:
            need = "an eigenvalue below the cut"
        return refuse_short_spectrum(self.name, spectrum, need)


def threshold_coefficient(aspect: float) -> float:
    """w of the formula: 4/sqrt(3) for a square table, sqrt(2) for a very thin one."""
    b = aspect
    return float(np.sqrt(2 * (b + 1) + 8 * b / (b + 1 + np.sqrt(b * b + 14 * b + 1))))


def estimate_sigma(spectrum: Spectrum) -> float | None:
    """sigma from the median singular value; None where the median is not listed."""
    half = spectrum.most // 2
    if len(spectrum.values) <= half:
        return None
    roots = np.sqrt(spectrum.values * spectrum.freedom)
    # Values fall, so the median needs no sorting: the middle one, or the middle two.
    middle = roots[half] if spectrum.most % 2 else (roots[half - 1] + roots[half]) / 2
    larger = max(spectrum.freedom, spectrum.columns)
    return float(middle / np.sqrt(larger * marchenko_pastur_median(spectrum.aspect)))
