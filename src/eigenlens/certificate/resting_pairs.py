"""Resting pairs: on how many of the Ritz pairs of a span a bound on eigenvalues is best argued."""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.table.sides import Side, prefers_single_columns

__all__ = ["likely_leftover", "pairs_enough", "resting_pairs"]

COUPLED = 0.1  # of the last eigenvalue asked for
FAR_BELOW = 0.8  # of the same: what lies there leaves room for couplings


def resting_pairs(ritz: Ritz, rank: int, side: Side) -> Ritz:
    """The Ritz pairs to argue from: those that hardly couple to the outside, and some at least.

    With trailing pairs the argument must fear the worst of their couplings; without them more is
    left outside. Pairs that couple by a tenth of the last eigenvalue asked for, all together, leave
    about the widest margin between what is left and what would be too much (six spans of counts and
    scaled counts of 700 cells, k = 10 to 50: within 0.02 of that eigenvalue of the widest one).
    More than enough of them help only where far less is left outside: in the bulk of white noise
    they cost twice as many passes (3000 x 6000, k = 10: 100 instead of 58). What is left outside a
    Krylov space reaches to about four times its coupling (the edge of a semicircle): where that is
    below the values asked for, and the last pair far below, all of them save a pass, which is worth
    their arithmetic where a product with several columns takes long.
    """
    last, enough = float(ritz.values[rank - 1]), pairs_enough(rank)
    far = float(ritz.values[-1]) <= FAR_BELOW * last and not prefers_single_columns(side, 0)
    if far and 4 * np.linalg.norm(ritz.coupling, 2) < 0.9 * last:
        return ritz
    coupled = np.cumsum(np.square(ritz.coupling).sum(axis=0))
    calm = int(np.count_nonzero(coupled <= (COUPLED * last) ** 2))
    if calm > enough and likely_leftover(ritz, ritz.leading(calm)) > FAR_BELOW * last:
        calm = enough
    keep = max(calm, rank + max(rank // 2, 5))
    return ritz.leading(keep) if keep < ritz.size else ritz


def pairs_enough(rank: int) -> int:
    return rank + max(rank, 10)


def likely_leftover(whole: Ritz, kept: Ritz) -> float:
    """Where the leftover of `kept` most likely ends: at the next pair."""
    beyond = min(kept.size, whole.size - 1)
    return float(whole.values[beyond] + whole.residuals[beyond])
