"""Remainder: the variance that the first k components leave, for k = 0, 1, 2, ..."""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.rank.spectrum import Spectrum
from eigenlens.rank.threshold import too_simple

__all__ = ["left_after", "most_considered", "noiseless", "without_noise"]


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
    """The exact rank, where most directions hold nothing but rounding: there is no noise then."""
    floor = spectrum.floor_of_sums
    left = np.cumsum(spectrum.values[::-1])[::-1] + spectrum.tail
    rank = int(np.count_nonzero(left > floor))
    if rank == len(spectrum.values) and spectrum.tail > floor:
        return None  # what is not listed is more than rounding
    # Some columns may well follow from others; noise needs more than half of the directions.
    if 2 * rank > spectrum.most:
        return None
    reason = f"the table has rank {rank}: the other directions hold nothing but rounding, no noise"
    if spectrum.columns > spectrum.freedom:
        reason += "; rows that repeat others, as weights do, leave such a rank too"
    evidence = {"threshold": floor * spectrum.unit, "margin": 1.0, "rank": rank}
    return Verdict(rank, name, reason, evidence)
