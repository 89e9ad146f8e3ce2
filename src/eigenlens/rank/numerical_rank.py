"""The numerical rank: in how many directions the rows vary by more than rounding.

    rank = number of eigenvalues above    e sqrt(t_1 tr C) + s

e is the relative error that arithmetic may leave in the trace (`certificate/rounding.py`), s the
variance that storing the numbers in few digits adds to a direction: a plane far from the origin,
stored in float32, is a plane no more. Where only leading eigenvalues are known and something is
left beside them, the rank is at least one more than those; where products were made in float32, it
is at least the number of those above their floor.
"""

from __future__ import annotations

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.rank.spectrum import Spectrum

__all__ = ["numerical_rank"]

SHAPES = {0: "all rows are equal", 1: "the rows lie on a line", 2: "the rows lie in a plane"}


def numerical_rank(spectrum: Spectrum) -> Verdict:
    """A `Verdict` whose `low` and `high` differ where only a part of the spectrum is known."""
    known, of = spectrum.rank, spectrum.columns
    sure = spectrum.complete or len(spectrum.values) >= spectrum.most
    values = spectrum.values
    evidence = {
        "floor": spectrum.floor * spectrum.unit,
        "smallest": float(values[known - 1]) * spectrum.unit if known else None,
        "next": float(values[known]) * spectrum.unit if known < len(values) else None,
        "listed": int(np.count_nonzero(values > 0)),
        "columns": of,
    }
    if not sure:
        rank = known + 1  # what is not listed is more than rounding, so it is a direction or more
        reason = f"rank {rank} of {of} or more: {known} eigenvalues are known, and more is left"
        return Verdict(rank, "rounding", reason, evidence, low=rank, high=spectrum.most)
    if spectrum.coarse and known < spectrum.most:
        reason = (
            f"rank {known} of {of} or more: float32 products cannot tell the variance of the other "
            "directions from rounding"
        )
        return Verdict(known, "rounding", reason, evidence, low=known, high=spectrum.most)
    return Verdict(known, "rounding", shape_of(known, spectrum), evidence, low=known, high=known)


def shape_of(rank: int, spectrum: Spectrum) -> str:
    """ "rank 2 of 3: the rows lie in a plane"."""
    of = spectrum.columns
    if rank == of:
        return f"rank {rank} of {of}: the rows vary in every direction"
    if rank >= spectrum.most:
        return f"rank {rank} of {of}: the most that {spectrum.rows:.6g} rows can span"
    where = SHAPES.get(rank, f"the rows lie in a hyperplane of {rank} dimensions")
    if not spectrum.centered and rank:
        where += " through the origin"
    return f"rank {rank} of {of}: {where}"
