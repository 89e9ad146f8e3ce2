"""Rows that lack one cell: what EM expects of them follows from moments that are summed once.

For the rows that lack column j, with r their deviations (0 in the hole), p the j-th row of the
precision matrix P and t = -p'r / P_jj what is expected in the hole:

    sum t r = -C p / P_jj        sum t^2 = p'C p / P_jj^2        C = sum r r', by the moments of y

Cost     d^3 per pass of EM, however many the rows are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.normal import Normal
from eigenlens.missing.sums import ExpectedSums

__all__ = ["OneHoleRows"]


@dataclass(frozen=True, eq=False)
class OneHoleRows:
    """By the column they lack: their number (d,), sum (d, d) and products (d, d, d), about 0."""

    counts: Float64Array
    first: Float64Array
    second: Float64Array

    @classmethod
    def none(cls, width: int) -> OneHoleRows:
        return cls(np.zeros(width), np.zeros((width, width)), np.zeros((width,) * 3))

    @classmethod
    def of_rows(cls, rows: Float64Array, lacking: npt.NDArray[np.intp]) -> OneHoleRows:
        """`rows` are 0 in the column that each is `lacking`."""
        width = rows.shape[1]
        found = cls.none(width)
        counts = np.bincount(lacking, minlength=width)
        ordered = rows[np.argsort(lacking, kind="stable")]
        ends = np.cumsum(counts)
        for column in np.flatnonzero(counts).tolist():
            own = ordered[ends[column] - counts[column] : ends[column]]
            found.first[column] = own.sum(axis=0)
            np.matmul(own.T, own, out=found.second[column])
        found.counts[:] = counts
        return found

    def __add__(self, other: OneHoleRows) -> OneHoleRows:
        return OneHoleRows(
            self.counts + other.counts, self.first + other.first, self.second + other.second
        )

    def __sub__(self, other: OneHoleRows) -> OneHoleRows:
        return OneHoleRows(
            self.counts - other.counts, self.first - other.first, self.second - other.second
        )

    @cached_property
    def products(self) -> Float64Array:
        """(d, d), of all of these rows."""
        return np.asarray(self.second.sum(axis=0))

    def sum(self, law: Normal) -> ExpectedSums:
        """One pass of EM."""
        mean, own, counts = law.mean, np.diag(law.precision), self.counts
        pulls = law.precision.copy()
        np.fill_diagonal(pulls, 0.0)
        means = np.tile(mean, (len(mean), 1))  # of the cells that are there: 0 in the hole
        np.fill_diagonal(means, 0.0)
        first = self.first - counts[:, None] * means
        # C p of every column, without forming C.
        along = np.vecdot(means, pulls)
        pulled = np.matmul(self.second, pulls[:, :, None])[:, :, 0]
        pulled -= self.first * along[:, None] + means * np.vecdot(first, pulls)[:, None]
        crossed = pulled / -own[:, None]
        squares = -np.vecdot(crossed, pulls) / own
        shifts = self.first.T @ means
        rows = self.products - shifts - shifts.T + (means.T * counts) @ means
        distance = float(np.sum(law.precision * rows)) - float(squares @ own)
        logarithms = law.log_determinant + np.log(own)
        return ExpectedSums(
            weight=float(counts.sum()),
            first=first.sum(axis=0) - np.vecdot(first, pulls) / own,
            completed=rows + crossed + crossed.T + np.diag(squares),
            spread=np.diag(counts / own),
            deviance=distance + float(counts @ logarithms),
            deviance_size=distance + float(counts @ np.abs(logarithms)),
        )
