"""Remainder: the variance that the first k components leave, for k = 0, 1, 2, ..."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, RankError
from eigenlens.rank.eigenvalue_drops import has_clear_drop
from eigenlens.rank.spectrum import NEGLIGIBLE_SHARE, Spectrum
from eigenlens.rank.threshold import refuse_few_rows, refuse_short_spectrum, too_simple

__all__ = [
    "RemainderRule",
    "exact_rank",
    "left_after",
    "most_considered",
    "noiseless",
    "without_noise",
]


@dataclass(frozen=True)
class RemainderRule:
    """The k from 0 to `largest` that does best by a criterion of what the components leave."""

    largest: int = 20

    name: ClassVar[str]
    needs_settled = False

    def __post_init__(self) -> None:
        if self.largest < 1:
            raise OptionError.not_whole("largest", self.largest, 1)

    def first_guess(self, most: int) -> int:
        # Few columns are listed whole: then it is known whether all of them hold something.
        return most if most <= 2 * self.largest else self.largest

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        refuse_few_rows(self.name, spectrum.rows)
        simple = noiseless(self.name, spectrum)
        if simple is not None:
            return simple
        spectrum = spectrum.filled()
        most = most_considered(spectrum, self.largest)
        return None if len(spectrum.values) < most else self.compare(spectrum, most)

    def compare(self, spectrum: Spectrum, most: int) -> Verdict:
        """The best of 0 to `most`, by the criterion."""
        raise NotImplementedError

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        most = most_considered(spectrum, self.largest)
        return refuse_short_spectrum(self.name, spectrum, f"{most} leading eigenvalues")


def left_after(spectrum: Spectrum, most: int) -> Float64Array:
    """V(0) ... V(most); never below what rounding leaves, so that it has a logarithm."""
    # Summed from the small end: what is left is then accurate also where it is a small part.
    sums = np.cumsum(spectrum.values[::-1])[::-1] + spectrum.tail
    left: Float64Array = np.append(sums, spectrum.tail)[: most + 1]
    return np.maximum(left, spectrum.floor_of_sums)


def most_considered(spectrum: Spectrum, largest: int) -> int:
    """The largest k worth a look: something must be left after it."""
    return min(largest, spectrum.most - 1)


def noiseless(name: str, spectrum: Spectrum) -> Verdict | None:
    """The answer of a rule that looks for noise, where there is none, or too little to look at."""
    return (
        too_simple(name, spectrum)
        or without_noise(name, spectrum)
        or too_simple(name, spectrum.filled())
    )


def without_noise(name: str, spectrum: Spectrum) -> Verdict | None:
    """The exact rank, where most directions hold nothing: there is no noise then."""
    rank, floor = filled_directions(spectrum)
    # Some columns may well follow from others; noise needs more than half of the directions.
    if rank is None or 2 * rank > spectrum.most:
        return None
    return by_rank(name, spectrum, rank, floor)


def exact_rank(name: str, spectrum: Spectrum) -> Verdict | None:
    """The same, and in a small table any rank below the number of columns.

    Unless some leading directions stand clear of the others that are filled: those are the answer,
    and columns that follow from others do not change it.
    """
    rank, floor = filled_directions(spectrum)
    if rank is None:
        return None
    below = rank < min(spectrum.most, spectrum.varying)
    if 2 * rank > spectrum.most:
        if not (spectrum.is_small and below):
            return None
        if has_clear_drop(spectrum.values[:rank], spectrum.freedom):
            return None
    return by_rank(name, spectrum, rank, floor)


def filled_directions(spectrum: Spectrum) -> tuple[int | None, float]:
    """How many hold something, None where that is not known, and the most the others may hold."""
    beyond = spectrum.most - np.arange(len(spectrum.values) + 1)
    floor = np.maximum(spectrum.floor_of_sums, spectrum.negligible * beyond)
    left = np.append(np.cumsum(spectrum.values[::-1])[::-1], 0.0) + spectrum.tail
    rank = int(np.count_nonzero(left[:-1] > floor[:-1]))
    if rank == len(spectrum.values) and spectrum.tail > floor[-1]:
        return None, 0.0  # what is not listed is more than rounding
    return rank, float(floor[rank])


def by_rank(name: str, spectrum: Spectrum, rank: int, floor: float) -> Verdict:
    what = "nothing but rounding"
    if float(spectrum.values[rank:].sum()) + spectrum.tail > spectrum.floor_of_sums:
        what = f"less than {NEGLIGIBLE_SHARE:g} of the variance of any column"
    reason = f"the table has rank {rank}: the other directions hold {what}, no noise"
    if spectrum.columns > spectrum.freedom:
        reason += "; rows that repeat others, as weights do, leave such a rank too"
    evidence = {"threshold": floor * spectrum.unit, "margin": 1.0, "rank": rank}
    return Verdict(rank, name, reason, evidence)
