"""Two ways to remember a scatter matrix S = sum of x x' that only grows.

    WholeScatter     S itself, (d, d)                      exact; n d^2 flops, 8 d^2 bytes
    LeadingScatter   F (l, d), F'F <= S <= F'F + e I       8 n d l flops, 24 d l bytes

F holds leading directions and, below them, rows as they came. When it is full it is compressed to
U'F, with U the leading eigenvectors of FF'. What that drops is positive semidefinite and no larger
than the first eigenvalue left out, so S - F'F is too, and no larger than the sum e of those: every
eigenvalue of S lies between that of F'F and the same plus e.

Source   Levy and Lindenbaum 2000 for the compression; Liberty 2013 for keeping such a bound.
Differs  from sequential Karhunen-Loeve: what was dropped is accounted for, and rows are compressed
         many at a time, since every compression adds to e.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.orthonormal import thin_qr
from eigenlens.algebra.ritz import descending_eigh
from eigenlens.algebra.typing import Float64Array, IntArray

__all__ = ["LeadingScatter", "WholeScatter"]

SCATTER_CACHE_BYTES = 16 << 20
FEWEST, MOST = 64, 4096  # rows of a product that fills the machine, and whose sums drift little
SUM_DRIFT = 1024.0  # roundings of a float64 sum over so many rows, as measured for dense rows
SMALL_MATRIX = 2048  # columns whose matrix, of 32 MB, may be in memory twice
FOLD = 3  # F has room for so many times the directions that it keeps


class WholeScatter:
    """The matrix, of which the upper triangle is kept."""

    takes_sparse = True

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.upper = np.zeros((columns, columns), order="F")
        self.additions = 0

    @property
    def rows_at_once(self) -> int:
        return min(max(SCATTER_CACHE_BYTES // (8 * self.columns), FEWEST), MOST)

    @property
    def squares(self) -> Float64Array:
        return np.diag(self.upper).copy()

    @property
    def matrix(self) -> Float64Array:
        whole = np.triu(self.upper)
        whole += np.triu(self.upper, 1).T
        return whole

    @property
    def drift(self) -> float:
        return SUM_DRIFT + self.additions

    def add(self, rows: Float64Array) -> None:
        self.add_times(1.0, rows)

    def add_times(self, factor: float, rows: Float64Array) -> None:
        """In place and one triangle only: half the work, and no second matrix.

        Where that is small, by numpy, which does half the work too and lets other threads go on.
        """
        self.additions += 1
        if self.columns <= SMALL_MATRIX:
            product = rows.T @ rows
            if factor != 1:
                product *= factor
            self.upper.T[:] += product  # symmetric, and the transpose lies as the product does
            return
        from scipy.linalg.blas import dsyrk

        self.upper = dsyrk(factor, rows.T, beta=1.0, c=self.upper, overwrite_c=True)

    def add_sparse(
        self, thin: Any, where: IntArray, means: Float64Array, dense: Float64Array, full: IntArray
    ) -> None:
        product = (thin.T @ thin).tocoo()
        self.upper[where[product.row], where[product.col]] += product.data
        center = np.zeros((1, self.columns))
        center[0, where] = means
        self.add_times(-float(thin.shape[0]), center)
        if full.size:
            self.upper[np.ix_(full, full)] += dense.T @ dense
            # The columns of `dense` sum to zero, so the means of the others have no part in this.
            across = thin.T @ dense
            self.upper[np.ix_(where, full)] += across
            self.upper[np.ix_(full, where)] += across.T

    def absorb(self, other: WholeScatter) -> None:
        self.upper += other.upper
        self.additions += other.additions + 1


class LeadingScatter:
    """At most `keep` directions after a compression, and what all compressions have dropped."""

    takes_sparse = False
    matrix = None

    def __init__(self, columns: int, keep: int) -> None:
        self.columns = columns
        self.keep = min(keep, columns)
        self.factor = np.zeros((FOLD * self.keep, columns))
        self.used = 0
        self.squares = np.zeros(columns)
        self.dropped = 0.0
        self.compressions = 0

    @property
    def rows_at_once(self) -> int:
        return len(self.factor) - self.keep

    @property
    def drift(self) -> float:
        return SUM_DRIFT + self.compressions

    def add(self, rows: Float64Array) -> None:
        self.squares += np.einsum("ij,ij->j", rows, rows)
        self.put(rows)

    def add_sparse(
        self, thin: Any, where: IntArray, means: Float64Array, dense: Float64Array, full: IntArray
    ) -> None:
        raise RuntimeError("sparse rows become dense ones before they are compressed")

    def absorb(self, other: LeadingScatter) -> None:
        self.squares += other.squares
        self.dropped += other.dropped
        self.compressions += other.compressions
        self.put(other.factor[: other.used])

    def put(self, rows: Float64Array) -> None:
        while len(rows):
            if self.used == len(self.factor):
                self.compress()
            some = rows[: len(self.factor) - self.used]
            self.factor[self.used : self.used + len(some)] = some
            self.used, rows = self.used + len(some), rows[len(some) :]

    def compress(self) -> None:
        """Rotate the leading directions to the top, and forget the others.

        U need only be orthonormal for the bound to hold: small eigenvalues of FF' that drown in
        the rounding of large ones cost nothing but sharpness.
        """
        rows = self.factor[: self.used]
        values, vectors = descending_eigh(rows @ rows.T)
        self.factor[: self.keep] = vectors[:, : self.keep].T @ rows
        self.used = self.keep
        self.dropped += max(float(values[self.keep]), 0.0)
        self.compressions += 1

    def eigenpairs(self) -> tuple[Float64Array, Float64Array]:
        """Eigenvalues of F'F from the largest down and their vectors in columns; none is lost."""
        basis, triangle = thin_qr(self.factor[: self.used].T)
        left, singular, _ = np.linalg.svd(triangle)
        return singular**2, basis @ left[:, : len(singular)]
