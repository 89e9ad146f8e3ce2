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
pure noise. Fewer than five directions say nothing about rows. Weights count as copies, but copies
of a row are not its neighbors: two rows in a row of different ones are.

Practical differences, not significant ones: a million rows would make every table significant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.document.verdict import Verdict
from eigenlens.rank.marchenko_pastur import distance_to_law
from eigenlens.rank.rule import Assumption
from eigenlens.rank.spectrum import Spectrum
from eigenlens.table.table import TableOperator

__all__ = ["Checks", "checks_of"]

FEWEST = 5  # directions
LEAST_FREE = 0.2  # of a column: components that take more of it leave too little to judge
Checks = Mapping[Assumption, Verdict]


@dataclass
class NoiseSums:
    """What is gathered over the rows of E; `columns` are the mean squares expected of them."""

    columns: Float64Array
    rows: list[Float64Array]  # mean squares of rows, and how often each counts
    counts: list[Float64Array]
    lag: float = 0.0
    fourth: float = 0.0
    last: FloatArray | None = None

    def add(self, block: FloatArray, weights: Float64Array) -> None:
        """Rows of E with the roots of their weights, which are above 0."""
        neighbors = block if self.last is None else np.vstack([self.last, block])
        self.lag += float(np.vecdot(neighbors[1:], neighbors[:-1]).sum())
        self.last = block[-1:].copy()
        plain = np.square(block.astype(np.float64)) / weights[:, None]
        self.rows.append(plain.mean(axis=1))
        self.counts.append(weights)
        there = np.flatnonzero(self.columns > 0)
        squares = plain[:, there] / self.columns[there]
        scaled = squares / np.maximum(squares.mean(axis=1, keepdims=True), 1e-300)
        self.fourth += float(weights @ np.square(scaled).mean(axis=1)) if there.size else 0.0


def checks_of(table: TableOperator, directions: Float64Array, spectrum: Spectrum) -> Checks:
    """`directions` (d, k) are taken out of the rows; what is left is looked at."""
    taken = np.square(directions) @ spectrum.values[: directions.shape[1]]
    left = np.maximum(table.feature_variances - taken, 0.0)
    weights = table.preparation.weights
    heavy = np.ones(table.shape[0]) if weights is None else weights
    # Mean squares, for rows weighted or not: what the variances' divisor was, over the rows.
    sums = NoiseSums(left * (table.divisor / table.preparation.total_weight), [], [])
    start = 0
    for block in table.prepared_rows():
        here = heavy[start : start + len(block)]
        start += len(block)
        if weights is not None:  # rows of weight 0 are not there, and nobody's neighbors
            block, here = block[here > 0], here[here > 0]
        if len(block):
            sums.add(block - (block @ directions) @ directions.T, here)
    free = 1 - np.square(directions).sum(axis=1)  # what is left of a column of white noise
    return check_verdicts(sums, free, spectrum, directions.shape[1])


def check_verdicts(sums: NoiseSums, free: Float64Array, spectrum: Spectrum, rank: int) -> Checks:
    sizes, counts = np.concatenate(sums.rows), np.concatenate(sums.counts)
    rows, left = float(counts.sum()), max(spectrum.columns - rank, 1)
    tails = sums.fourth / rows * (left + 2) / left
    lag = sums.lag / max(float(counts @ sizes) * spectrum.columns, 1e-300)
    noise = (sums.columns / np.maximum(free, LEAST_FREE))[free > LEAST_FREE]
    columns = relative_spread(noise, np.ones(len(noise)))
    checks: dict[Assumption, Verdict] = {
        "equal columns": judge_check(
            columns,
            0.1 + 3 * np.sqrt(2 / rows),
            "the noise of the columns differs by {:.0%}",
        ),
        "equal rows": judge_check(
            relative_spread(sizes, counts) if left >= FEWEST else 0.0,
            float(np.sqrt(0.01 + 2 * max(tails - 1, 0.0) / left)),
            "the noise of the rows differs by {:.0%}",
        ),
        "independent rows": judge_check(
            abs(lag), 0.05 + 2 / np.sqrt(len(sizes)), "neighboring rows are correlated by {:.2f}"
        ),
        "light tails": judge_check(
            tails, 4.0, "the kurtosis of the noise is {:.1f}, that of a normal 3"
        ),
    }
    return {"white noise": check_whiteness(checks, spectrum, rank), **checks}


def check_whiteness(checks: Checks, spectrum: Spectrum, rank: int) -> Verdict:
    for name in ("equal columns", "equal rows", "independent rows"):
        if not checks[name].value:
            return Verdict(False, "other checks", checks[name].reason)
    filled = spectrum.filled()
    if not spectrum.complete or rank + 2 > filled.most:
        return Verdict(True, "other checks", "rows and columns are equally noisy and independent")
    distance = distance_to_law(filled, rank)
    return judge_check(
        distance,
        0.05 + 3 / filled.smaller,
        "the eigenvalues left are {:.2f} from the law of white noise",
    )


def relative_spread(values: Float64Array, counts: Float64Array) -> float:
    """The deviation over the mean of values that count so often each."""
    mean = float(np.average(values, weights=counts)) if values.size else 0.0
    if mean <= 0:
        return 0.0
    return float(np.sqrt(np.average(np.square(values / mean - 1), weights=counts)))


def judge_check(value: float, limit: float, words: str) -> Verdict:
    holds = bool(value <= limit)
    evidence = {"measured": float(value), "limit": float(limit)}
    return Verdict(holds, "measured", words.format(value), evidence)
