"""Checks: does the noise look as the rules assume? One pass over what k components leave.

With E the rows less their leading components, c_j the mean square of a column of E and r_i that of
a row, all cheap and all in the evidence:

| assumption       | measured by                                       | fails above              |
|------------------|---------------------------------------------------|--------------------------|
| equal columns    | spread of c_j / (1 - h_j): deviation over mean    | 0.1 + 3 sqrt(2 / n)      |
| equal rows       | spread of r_i, against what their tails explain   | sqrt(0.01 + 2 (q - 1)/m) |
| independent rows | correlation of neighboring rows of E              | 0.05 + 2 / sqrt(n)       |
| light tails      | kurtosis q of E_ij / sqrt(c_j r_i), times         | 4; normal is 3           |
|                  | (m + 2) / m, as r_i is taken from the same row    |                          |
| white noise      | the three first, and the law of the eigenvalues   | 0.05 + 3 / min(n, d)     |

E varies in m = d - k directions; h_j is the part of column j that the k components take, also of
pure noise. Fewer than five directions say nothing about rows.

Practical differences, not significant ones: a million rows would make every table significant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.rank.marchenko_pastur import distance_to_law
from eigenlens.rank.rule import Assumption
from eigenlens.rank.spectrum import Spectrum
from eigenlens.table.table import Table
from eigenlens.verdict import Verdict

__all__ = ["Checks", "checks_of"]

FEWEST = 5  # directions
LEAST_FREE = 0.2  # of a column: components that take more of it leave too little to judge
Checks = Mapping[Assumption, Verdict]


@dataclass
class Sums:
    """What is gathered over the rows of E; `columns` are the mean squares expected of them."""

    columns: Float64Array
    rows: list[Float64Array]
    lag: float = 0.0
    fourth: float = 0.0
    entries: int = 0
    last: FloatArray | None = None

    def add(self, block: FloatArray) -> None:
        neighbors = block if self.last is None else np.vstack([self.last, block])
        self.lag += float(np.vecdot(neighbors[1:], neighbors[:-1]).sum())
        self.last = block[-1:].copy()
        sizes = np.square(block).mean(axis=1, dtype=np.float64)
        self.rows.append(np.asarray(sizes))
        there = np.flatnonzero(self.columns > 0)
        squares = np.square(block[:, there].astype(np.float64)) / self.columns[there]
        scaled = squares / np.maximum(squares.mean(axis=1, keepdims=True), 1e-300)
        self.fourth += float(np.square(scaled).sum())
        self.entries += scaled.size


def checks_of(table: Table, directions: Float64Array, spectrum: Spectrum) -> Checks:
    """`directions` (d, k) are taken out of the rows; what is left is looked at."""
    taken = np.square(directions) @ spectrum.values[: directions.shape[1]]
    left = np.maximum(table.feature_variances - taken, 0.0)
    # Mean squares, for rows weighted or not: what the variances' divisor was, over the rows.
    sums = Sums(left * (table.divisor / table.shape[0]), [])
    for block in table.prepared_rows():
        sums.add(block - (block @ directions) @ directions.T)
    free = 1 - np.square(directions).sum(axis=1)  # what is left of a column of white noise
    return verdicts(sums, free, spectrum, directions.shape[1])


def verdicts(sums: Sums, free: Float64Array, spectrum: Spectrum, rank: int) -> Checks:
    sizes, count = np.concatenate(sums.rows), spectrum.columns
    left = max(count - rank, 1)
    tails = sums.fourth / max(sums.entries, 1) * (left + 2) / left
    lag = sums.lag / max(float(sizes.sum()) * count, 1e-300)
    columns = spread(sums.columns[free > LEAST_FREE] / free[free > LEAST_FREE])
    checks: dict[Assumption, Verdict] = {
        "equal columns": judged(
            columns,
            0.1 + 3 * np.sqrt(2 / len(sizes)),
            "the noise of the columns differs by {:.0%}",
        ),
        "equal rows": judged(
            spread(sizes) if left >= FEWEST else 0.0,
            float(np.sqrt(0.01 + 2 * max(tails - 1, 0.0) / left)),
            "the noise of the rows differs by {:.0%}",
        ),
        "independent rows": judged(
            abs(lag), 0.05 + 2 / np.sqrt(len(sizes)), "neighboring rows are correlated by {:.2f}"
        ),
        "light tails": judged(
            tails, 4.0, "the kurtosis of the noise is {:.1f}, that of a normal 3"
        ),
    }
    return {"white noise": whiteness(checks, spectrum, rank), **checks}


def whiteness(checks: Checks, spectrum: Spectrum, rank: int) -> Verdict:
    for name in ("equal columns", "equal rows", "independent rows"):
        if not checks[name].value:
            return Verdict(False, "other checks", checks[name].reason)
    if not spectrum.complete or rank + 2 > spectrum.most:
        return Verdict(True, "other checks", "rows and columns are equally noisy and independent")
    distance = distance_to_law(spectrum, rank)
    return judged(
        distance,
        0.05 + 3 / spectrum.smaller,
        "the eigenvalues left are {:.2f} from the law of white noise",
    )


def spread(values: Float64Array) -> float:
    mean = float(values.mean()) if values.size else 0.0
    return float(values.std() / mean) if mean > 0 else 0.0


def judged(value: float, limit: float, words: str) -> Verdict:
    holds = bool(value <= limit)
    evidence = {"measured": float(value), "limit": float(limit)}
    return Verdict(holds, "measured", words.format(value), evidence)
