"""Running moments: weight, mean and scatter of rows that arrive in blocks and are then gone.

    m rows B, centered on their own mean b     S  <-  S + B'B + (b - a)(b - a)' w m / (w + m)
    mean a of the w rows so far                a  <-  a + (b - a) m / (w + m)

Only positive terms are ever added, so nothing cancels: neither far from the origin nor where the
blocks drift. Means are kept relative to a fixed shift, the mean of the first rows. Another order
of the same rows, or other blocks, gives the same but for rounding.

What becomes of S is the business of `kept`: the whole matrix, or its leading directions.
Source   Chan, Golub and LeVeque 1983.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.two_sum import two_sum
from eigenlens.algebra.typing import Float64Array, FloatArray, IntArray

__all__ = ["RunningMoments", "ScatterStore"]

THIN = 0.05  # sparse rows with more entries than this are multiplied faster as dense ones
FILLED = 0.1  # and so are single columns of others, which a mean far from 0 could harm besides
ENTRIES = 1 << 20  # of a sparse piece: its products are many times as many


class ScatterStore(Protocol):
    """A scatter matrix S, or what is remembered of it."""

    @property
    def columns(self) -> int: ...

    @property
    def rows_at_once(self) -> int:
        """How many dense rows to add at a time."""

    @property
    def takes_sparse(self) -> bool: ...

    @property
    def squares(self) -> Float64Array:
        """The diagonal of S, exact."""

    @property
    def matrix(self) -> Float64Array | None:
        """S itself, where it is remembered."""

    @property
    def drift(self) -> float:
        """By how many roundings an entry of S may be off."""

    def add(self, rows: Float64Array) -> None:
        """S + rows' rows."""

    def add_sparse(
        self, thin: Any, where: IntArray, means: Float64Array, dense: Float64Array, full: IntArray
    ) -> None:
        """S + B'B, where B has `thin` less its `means` in the columns `where`, `dense` in `full`.

        The columns of `dense` sum to zero.
        """

    def absorb(self, other: Self) -> None:
        """S + the other's S."""


K = TypeVar("K", bound=ScatterStore)


class RunningMoments(Generic[K]):
    """Mutable: every block given to `add` is in it from then on."""

    def __init__(self, kept: K) -> None:
        self.kept = kept
        self.rows = 0
        self.shift: Float64Array | None = None
        self.offset = np.zeros(kept.columns)  # the mean less the shift

    @property
    def mean(self) -> Float64Array:
        return self.offset if self.shift is None else self.shift + self.offset

    @property
    def moments(self) -> Moments:
        """Scatter included, where the whole of it is kept."""
        kept, shift = self.kept, np.zeros_like(self.offset) if self.shift is None else self.shift
        mean, tail = two_sum(shift, self.offset)
        return Moments(float(self.rows), mean, kept.squares, kept.matrix, tail)

    def add(self, block: Any) -> None:
        """Take in rows: an array, or a csr array; all finite, with squares that do not overflow."""
        if not isinstance(block, np.ndarray) and self.kept.takes_sparse and is_thin(block):
            for piece in block_pieces(block, ENTRIES * block.shape[0] // max(block.nnz, 1)):
                self.add_sparse(piece)
            return
        for piece in block_pieces(block, self.kept.rows_at_once):
            self.add_dense(piece if isinstance(piece, np.ndarray) else piece.toarray())

    def merge(self, other: RunningMoments[K]) -> None:
        """Take in all rows of another, which stays as it is."""
        if other.shift is None:
            return
        if self.shift is None:
            self.shift = other.shift
        self.kept.absorb(other.kept)
        step = (other.shift - self.shift) + other.offset - self.offset
        self.kept.add(self.weighed(step, other.rows)[None])
        self.move(step, other.rows)

    # -- one piece -------------------------------------------------------------------------

    def add_dense(self, piece: FloatArray) -> None:
        count = len(piece)
        if self.shift is None:
            self.shift = column_means(piece)
        rows = np.empty((count + 1, piece.shape[1]))
        centered = np.subtract(piece, self.shift, out=rows[:count])
        mean = centered.mean(axis=0)
        centered -= mean
        step = mean - self.offset
        rows[count] = self.weighed(step, count)
        self.kept.add(rows)
        self.move(step, count)

    def add_sparse(self, piece: Any) -> None:
        """Full columns are centered like dense rows; in the others the mean is small.

        A column with a share p of entries has mean^2 <= p times its mean square: correcting the
        product for the mean costs no digits where p is small.
        """
        count, width = piece.shape
        piece = piece.astype(np.float64, copy=False)
        entries = np.bincount(piece.indices, minlength=width)
        full, where = (np.flatnonzero(part) for part in split_columns(entries > FILLED * count))
        dense, thin = piece[:, full].toarray(), piece[:, where]
        if self.shift is None:
            self.shift = np.zeros(width)
            self.shift[full] = column_means(dense)
        dense -= self.shift[full]
        mean = np.zeros(width)
        mean[full] = dense.mean(axis=0)
        dense -= mean[full]
        raw = np.asarray(thin.sum(axis=0)).ravel() / count
        mean[where] = raw - self.shift[where]
        self.kept.add_sparse(thin, where, raw, dense, full)
        step = mean - self.offset
        self.kept.add(self.weighed(step, count)[None])
        self.move(step, count)

    def weighed(self, step: Float64Array, count: int) -> Float64Array:
        """The row whose outer product is what two means apart add to the scatter."""
        result: Float64Array = step * np.sqrt(self.rows * (count / (self.rows + count)))
        return result

    def move(self, step: Float64Array, count: int) -> None:
        self.rows += count
        self.offset += step * (count / self.rows)


def split_columns(chosen: Any) -> tuple[Any, Any]:
    return chosen, ~chosen


def column_means(rows: FloatArray) -> Float64Array:
    """The mean; of a column that looks constant its exact value, so that it becomes exactly 0."""
    low, high = rows.min(axis=0), rows.max(axis=0)
    result: Float64Array = np.where(low == high, low, rows.mean(axis=0, dtype=np.float64))
    return result


def is_thin(block: Any) -> bool:
    return bool(block.nnz <= THIN * block.shape[0] * block.shape[1])


def block_pieces(block: Any, rows_at_once: int) -> Iterator[Any]:
    step = max(rows_at_once, 1)
    for start in range(0, block.shape[0], step):
        yield block[start : start + step]
