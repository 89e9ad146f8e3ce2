"""The gap: cut where the spectrum falls most steeply, and say so where it falls nowhere.

Question  detection: where do the large eigenvalues end?
Formula   growth ratio: the k from 0 to `largest` with the largest ln(1 + m_k) / ln(1 + m_{k+1}),
          m_k = t_k / V(k), V(k) the variance that k components leave; a mock eigenvalue
          t_0 = tr C / ln r stands before the first, so that k = 0 can win (r eigenvalues in all).
          With r of ten or fewer, where V has too few terms, the eigenvalue ratio t_k / t_{k+1}.
Gap       the drop ln t_k - ln t_{k+1} stands out if it is at least twice each of the next five
          (of the last five before, where none follow). Smooth spectra never pass: for powers
          i^-a two drops in a row have the ratio ln 2 / ln 1.5 = 1.71 at most, for geometric
          ones 1. If it does not, or k = 0: no gap, any cut-off is arbitrary.
Needs     `largest` + 6 leading eigenvalues, and the total.
Right     strong components of similar size; ratios do not care for the structure of the noise.
Wrong     weak components, or of very different size: the steepest fall is then not the last.
Source    Ahn and Horenstein 2013, Eigenvalue ratio test for the number of factors.
Differs   they always name a number; whether it stands out is our question.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import format_ratio
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, RankError
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum
from eigenlens.rank.tail_variance import exact_rank, left_after
from eigenlens.rank.threshold import refuse_short_spectrum, too_simple

__all__ = ["Gap", "eigenvalue_ratios", "growth_ratios"]

FEW = 10  # eigenvalues, up to which the sums behind growth ratios have too few terms
NEIGHBORS = 5
STANDS_OUT = 2.0
MOST_PROMINENT = 1e6  # beside a spectrum that is flat; a number that files can hold


@dataclass(frozen=True)
class Gap:
    """`largest`: the largest k that is considered."""

    largest: int = 20

    name = "gap"
    question: ClassVar[Question] = "detection"
    assumes: ClassVar[tuple[Assumption, ...]] = ()
    needs_settled = True

    def __post_init__(self) -> None:
        if self.largest < 1:
            raise OptionError.not_whole("largest", self.largest, 1)

    def first_guess(self, most: int) -> int:
        return min(most, self.largest + 1 + NEIGHBORS)

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        simple = too_simple(self.name, spectrum)
        if simple is not None:
            return simple
        exact = exact_rank(self.name, spectrum) if spectrum.is_small else None
        if exact is not None:
            return fall_to_nothing(exact)
        if 2 * spectrum.rank > spectrum.most:
            # A column that follows from others is no gap; an exact rank below half of all is.
            spectrum = spectrum.filled()
        few = spectrum.most <= FEW
        most = min(self.largest, spectrum.most - (1 if few else 2))
        if len(spectrum.values) < min(most + 1 + NEIGHBORS, spectrum.most):
            return None
        growth, ratios = growth_ratios(spectrum, most), eigenvalue_ratios(spectrum, most)
        chooser = ratios if few else growth
        rank = int(np.argmax(chooser))
        drops = log_drops(spectrum)
        times = drop_prominence(drops, rank) if rank else 0.0
        evidence = {
            "growth_ratio": None if few else float(growth[rank]),
            "eigenvalue_ratio": float(ratios[rank]),
            "rank_by_eigenvalue_ratio": int(np.argmax(ratios)),
            "stands_out": bool(times >= STANDS_OUT),
            "prominence": times,
            "threshold": STANDS_OUT,
            "margin": abs(times / STANDS_OUT - 1),
        }
        return Verdict(rank, self.name, gap_reason(rank, float(ratios[rank]), times), evidence)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        need = f"{min(self.largest + 1 + NEIGHBORS, spectrum.most)} leading eigenvalues"
        return refuse_short_spectrum(self.name, spectrum, need)


def fall_to_nothing(exact: Verdict) -> Verdict:
    """An exact rank is a gap like no other."""
    evidence = {
        **exact.evidence,
        "stands_out": exact.value > 0,
        "prominence": MOST_PROMINENT,
        "threshold": STANDS_OUT,
    }
    return replace(exact, evidence=evidence)


def gap_reason(rank: int, ratio: float, times: float) -> str:
    if rank == 0:
        return (
            "no gap: any cut-off is arbitrary; no eigenvalue stands out from the rest, "
            "and there may be no structure to find"
        )
    fall = f"eigenvalue {rank} is {format_ratio(ratio)} times the next"
    if times < STANDS_OUT:
        return (
            f"no gap: any cut-off is arbitrary; {fall}, the steepest fall there is, "
            f"but the spectrum falls nearly as steeply beside it"
        )
    return f"{fall}, a fall {times:.3g} times as steep as any of those that follow"


def growth_ratios(spectrum: Spectrum, most: int) -> Float64Array:
    """For k = 0 ... most; needs most + 2 <= r, so that something is left after k + 1."""
    count = min(most + 1, len(spectrum.values), spectrum.most - 1)
    left = left_after(spectrum, count)
    shares = floor_at_rounding(spectrum)[:count] / left[1:]
    logs = np.log1p(np.append(1 / np.log(max(spectrum.most, 2)), shares))
    return ratio_of_next(logs)


def eigenvalue_ratios(spectrum: Spectrum, most: int) -> Float64Array:
    """For k = 0 ... most."""
    mock = spectrum.total / np.log(max(spectrum.most, 2))
    return ratio_of_next(np.append(mock, floor_at_rounding(spectrum)[: most + 1]))


def ratio_of_next(values: Float64Array) -> Float64Array:
    result: Float64Array = values[:-1] / np.maximum(values[1:], np.finfo(np.float64).tiny)
    return result


def floor_at_rounding(spectrum: Spectrum) -> Float64Array:
    """Values that are nothing but rounding count as that: all alike, and never zero."""
    result: Float64Array = np.maximum(spectrum.values, spectrum.floor)
    return result


def log_drops(spectrum: Spectrum) -> Float64Array:
    """ln t_k - ln t_{k+1}, for k = 1, 2, ... at the indices 0, 1, ..."""
    drops: Float64Array = -np.diff(np.log(floor_at_rounding(spectrum)))
    return drops


def drop_prominence(drops: Float64Array, rank: int) -> float:
    """The drop after `rank` over the largest of its neighbors."""
    here = rank - 1
    beside = drops[here + 1 : here + 1 + NEIGHBORS]
    if beside.size == 0:
        beside = drops[max(here - NEIGHBORS, 0) : here]
    most, drop = float(beside.max(initial=0.0)), float(drops[here])
    return drop / max(most, drop / MOST_PROMINENT) if drop > 0 else 0.0
