"""sphericity: do the columns share anything? Two old measures, as information, not as a gate.

    KMO        sum r^2 / (sum r^2 + sum a^2)      over pairs; a: correlation given all other columns
    Bartlett   -(n - 1 - (2 d + 5) / 6) ln det R   chi^2 with d (d - 1) / 2 degrees of freedom

KMO near 1: what pairs share, the others share too, so few components can hold it; below 0.5: pairs
share what nobody else does. Bartlett tests that no column correlates with any other; with many rows
it always rejects.

Needs    more rows than columns, and none of them a combination of others: else None.
Source   Kaiser 1974, Psychometrika 39:31; Bartlett 1951, Biometrika 38:337.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["KMO_WORDS", "Sphericity", "kmo", "sphericity"]

# Kaiser's own words, from the best down.
KMO_WORDS = (
    (0.9, "marvelous"),
    (0.8, "meritorious"),
    (0.7, "middling"),
    (0.6, "mediocre"),
    (0.5, "miserable"),
    (0.0, "unacceptable"),
)
SINGULAR = 1e-10


class Sphericity(NamedTuple):
    statistic: float
    freedom: int
    chance: float


def kmo(correlation: Float64Array) -> float | None:
    """How far pairs of columns share what the others share, from 0 to 1."""
    if not well_posed(correlation):
        return None
    inverse = np.linalg.inv(correlation)
    spread = np.sqrt(np.diag(inverse))
    partial = inverse / np.outer(spread, spread)
    off = ~np.eye(len(correlation), dtype=bool)
    shared, own = float(np.square(correlation[off]).sum()), float(np.square(partial[off]).sum())
    return shared / (shared + own) if shared + own > 0 else None


def sphericity(correlation: Float64Array, rows: float) -> Sphericity | None:
    """Bartlett's test that the columns are uncorrelated."""
    from scipy.special import chdtrc

    d = len(correlation)
    if not well_posed(correlation) or rows <= d:
        return None
    logarithm = float(np.linalg.slogdet(correlation).logabsdet)
    statistic = -(rows - 1 - (2 * d + 5) / 6) * logarithm
    freedom = d * (d - 1) // 2
    return Sphericity(statistic, freedom, float(chdtrc(freedom, statistic)))


def well_posed(correlation: Float64Array) -> bool:
    if len(correlation) < 2 or not np.isfinite(correlation).all():
        return False
    return bool(np.linalg.eigvalsh(correlation)[0] > SINGULAR)
