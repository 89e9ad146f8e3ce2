"""Threshold: counting the eigenvalues above a bar, from as many as are known.

Listed values are lower bounds, so those above the bar are above it for certain. How many more may
be follows from the upper bounds where there are any, and else from the total: eigenvalues above the
bar that are not listed must fit into the variance that is not listed either.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import RankError
from eigenlens.rank.spectrum import Spectrum, kept
from eigenlens.verdict import Verdict

__all__ = ["counted", "highest", "nearest", "seen_too_little", "too_simple"]


def counted(
    name: str,
    spectrum: Spectrum,
    bar: float,
    words: str,
    evidence: Mapping[str, object] | None = None,
) -> Verdict | None:
    """How many exceed the bar; None where all that is listed does and more may follow."""
    rank = int(np.count_nonzero(spectrum.values > bar))
    if rank == len(spectrum.values) < spectrum.most:
        return None
    numbers = {"threshold": bar, "margin": nearest(spectrum.values, bar), **(evidence or {})}
    reason = f"{kept(rank)} above {words}"
    return Verdict(rank, name, reason, numbers, low=rank, high=highest(spectrum, bar))


def highest(spectrum: Spectrum, bar: float) -> int:
    """The most eigenvalues that can exceed the bar, whatever is not listed."""
    sure = int(np.count_nonzero(spectrum.values > bar))
    tops = spectrum.tops
    possible = int(np.count_nonzero(tops > bar))
    if spectrum.complete or (tops[-1] <= bar and possible == sure):
        return possible
    if spectrum.leftover is not None and spectrum.leftover <= bar:
        return possible
    room = spectrum.total - float(spectrum.values[:sure].sum())
    return min(spectrum.most, sure + int(room / bar)) if bar > 0 else spectrum.most


def nearest(values: Float64Array, bar: float) -> float:
    """How far the nearest eigenvalue is from the bar, relative to the bar."""
    return float(np.min(np.abs(values / bar - 1))) if bar > 0 and len(values) else 0.0


def too_simple(name: str, spectrum: Spectrum) -> Verdict | None:
    """The answer where there is nothing to choose: no variance at all, or one direction only."""
    if spectrum.total <= 0 or len(spectrum.values) == 0:
        return Verdict(0, name, "there may be no structure to find: all rows are equal")
    if spectrum.most == 1:
        return Verdict(1, name, "there is only one direction")
    return None


def seen_too_little(name: str, spectrum: Spectrum, need: str) -> RankError:
    return RankError.needs(
        f"k={name!r}",
        f"{need}, and the solver stopped with {len(spectrum.values)}",
        "Allow it more passes (max_passes=), pass solver='svd', or ask for a number of "
        "components or a fraction of the variance such as k=0.95.",
    )
