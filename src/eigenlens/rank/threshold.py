"""Threshold: counting the eigenvalues above a bar, from as many as are known.

Listed values are lower bounds, so those above the bar are above it for certain. How many more may
be follows from the upper bounds where there are any, and else from the total: eigenvalues above the
bar that are not listed must fit into the variance that is not listed either.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.errors import NotReached, RankError
from eigenlens.rank.spectrum import Spectrum, count_words

__all__ = [
    "count_above",
    "count_above_at_most",
    "refuse_few_rows",
    "refuse_short_spectrum",
    "relative_distance",
    "too_simple",
]

FEWEST_ROWS = 10  # fewer say nothing about noise


def count_above(
    name: str,
    spectrum: Spectrum,
    bar: float,
    words: str,
    evidence: Mapping[str, object] | None = None,
) -> Verdict | None:
    """How many exceed the bar; None where all that is listed does and more may follow.

    A tie with the bar, up to rounding, is none of them: equal eigenvalues are all kept or none.
    """
    above = max(bar, 0.0) + spectrum.floor
    rank = int(np.count_nonzero(spectrum.values > above))
    if rank == len(spectrum.values) < spectrum.most:
        return None
    numbers = {
        "threshold": bar * spectrum.unit,
        "margin": relative_distance(spectrum.values, bar),
        **(evidence or {}),
    }
    reason = f"{count_words(rank)} above {words}"
    return Verdict(rank, name, reason, numbers, low=rank, high=count_above_at_most(spectrum, above))


def count_above_at_most(spectrum: Spectrum, bar: float) -> int:
    """The most eigenvalues that can exceed the bar, whatever is not listed."""
    sure = int(np.count_nonzero(spectrum.values > bar))
    tops = spectrum.tops
    possible = int(np.count_nonzero(tops > bar))
    if spectrum.complete or (tops[-1] <= bar and possible == sure):
        return possible
    if spectrum.leftover is not None and spectrum.leftover <= bar:
        return possible
    workspace = spectrum.total - float(spectrum.values[:sure].sum())
    return min(spectrum.most, sure + int(workspace / bar)) if bar > 0 else spectrum.most


def relative_distance(values: Float64Array, bar: float) -> float:
    """How far the nearest eigenvalue is from the bar, relative to the bar."""
    return float(np.min(np.abs(values / bar - 1))) if bar > 0 and len(values) else 0.0


def too_simple(name: str, spectrum: Spectrum) -> Verdict | None:
    """The answer where there is nothing to choose: no variance at all, or one direction only."""
    if spectrum.total <= 0 or len(spectrum.values) == 0:
        return Verdict(0, name, "there may be no structure to find: all rows are equal")
    if spectrum.most == 1:
        return Verdict(1, name, "there is only one direction")
    return None


def refuse_few_rows(name: str, rows: float) -> None:
    """For rules that tell noise from structure; `rows` counts weights."""
    if rows < FEWEST_ROWS:
        raise RankError.few_rows(name, rows, FEWEST_ROWS)


def refuse_short_spectrum(name: str, spectrum: Spectrum, need: str) -> RankError:
    """What the rule needs, whose eigenvalues are too few for it, and where to get more."""
    count = len(spectrum.values)
    short, instead = {
        "solver": (
            f"and the solver stopped with {count}",
            "Allow it more passes (max_passes=), pass solver='svd', or ask for a number of "
            "components or a fraction of the variance such as k=0.95.",
        ),
        "model": (
            f"and the model holds {count}",
            f"Pass the data instead of the model, or a model with more components, such as "
            f"k={min(max(2 * count, 30), spectrum.most)}.",
        ),
        "look": (
            f"and of so large a table {count} were looked at",
            f"eigenlens.fit(data, k={name!r}) looks at as many as it takes.",
        ),
    }[spectrum.shown]
    kind = NotReached if spectrum.shown == "solver" else RankError
    return kind.needs(f"k={name!r}", f"{need}, {short}", instead)
