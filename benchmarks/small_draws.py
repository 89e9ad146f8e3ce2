"""Drawn tables of few columns with a known number of components in them.

    X = N diag(sd) + F diag(sqrt(s)) V',     V (d, k) random and orthonormal, N and F normal

d from 3 to 15, n from 40 to 1000 evenly on the logarithmic scale, k from 1 to d - 1, or 0.

| strength | variances s of the components, evenly on the logarithmic scale |
|----------|-----------------------------------------------------------------|
| strong   | 10 to 100 times the mean variance of the noise                  |
| moderate | 4 to 16 times                                                   |
| uneven   | 10 to 1000 times                                                |

The variances sd^2 of the noise are equal, or even on the logarithmic scale from 1 to 4. Tables of
nothing but unequal noise count only where the columns are standardized: unscaled, the columns that
vary most are its structure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.rank.spectrum import Spectrum

__all__ = ["CASES", "UNEVEN", "SmallCase", "draw_table", "spectrum_for"]

STRENGTHS = {"strong": (10, 100), "moderate": (4, 16), "uneven": (10, 1000)}


@dataclass(frozen=True)
class SmallCase:
    strength: str
    unequal: bool
    scaled: bool

    @property
    def name(self) -> str:
        noise = "unequal" if self.unequal else "equal"
        return f"{self.strength}, {noise} noise, {'standardized' if self.scaled else 'as it is'}"


PLACES = [(unequal, scaled) for unequal in (False, True) for scaled in (False, True)]
CASES = (
    *(SmallCase(strength, *place) for strength in ("strong", "moderate") for place in PLACES),
    *(SmallCase("noise", *place) for place in PLACES if place != (True, False)),
)
UNEVEN = tuple(SmallCase("uneven", *place) for place in PLACES)


def draw_table(case: SmallCase, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """The rows, and how many components were put in."""
    d = int(rng.integers(3, 16))
    n = int(np.exp(rng.uniform(np.log(40), np.log(1000))))
    variances = rng.permutation(np.geomspace(1, 4 if case.unequal else 1, d))
    rows = rng.standard_normal((n, d)) * np.sqrt(variances / variances.mean())
    if case.strength == "noise":
        return rows, 0
    k = int(rng.integers(1, d))
    directions = np.linalg.qr(rng.standard_normal((d, d)))[0][:, :k]
    low, high = STRENGTHS[case.strength]
    sizes = np.exp(rng.uniform(np.log(low), np.log(high), k))
    return rows + rng.standard_normal((n, k)) * np.sqrt(sizes) @ directions.T, k


def spectrum_for(rows: np.ndarray, scaled: bool) -> Spectrum:
    """All that rules may know of the rows, as `fit` shows it to them."""
    n, d = rows.shape
    centered = rows - rows.mean(axis=0)
    if scaled:
        centered = centered / centered.std(axis=0, ddof=1)
    values, vectors = np.linalg.eigh(centered.T @ centered / (n - 1))
    variances = np.square(centered).sum(axis=0) / (n - 1)
    return Spectrum(
        np.maximum(values[::-1], 0.0),
        float(variances.sum()),
        min(n - 1, d),
        n,
        d,
        variances=variances,
        rounding=1e-13,
        vectors=vectors[:, ::-1],
    )
