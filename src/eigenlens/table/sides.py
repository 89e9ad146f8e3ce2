"""Sides: the two symmetric matrices a table has, in one shape for solvers.

    FeatureSide   C = A'A / divisor     (d, d)     eigenvectors are the components
    RowSide       K = AA' / divisor     (n, n)     same nonzero eigenvalues; components are A'u
    MatrixSide    a matrix at hand      (p, p)     products cost no pass

Solvers know only these verbs: `apply`, `matrix` and `triangle` (a pass each), `start` (a sample).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from eigenlens.algebra.ritz import descending_eigh
from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.traits import traits_of
from eigenlens.table.dense import DenseRows
from eigenlens.table.roundings import Roundings
from eigenlens.table.table import TableOperator

__all__ = [
    "SINGLE_BYTES",
    "FeatureSide",
    "MatrixSide",
    "RowSide",
    "Side",
    "exposure_of",
    "prefers_single_columns",
]

SAMPLE_SHARE = 32  # the sample a start comes from is at most this part of the data
MOST_KNOWN = 64
SINGLE_BYTES = 4 << 20  # below it a pass takes longer beside its products than with them


class Side(Protocol):
    """A symmetric positive semidefinite matrix that is only multiplied by."""

    @property
    def size(self) -> int: ...

    @property
    def passes(self) -> int:
        """Passes over the data so far."""

    @property
    def trace(self) -> float: ...

    @property
    def diagonal(self) -> Float64Array:
        """The diagonal before corrections: what rounding in a product is relative to."""

    @property
    def triangle_diagonal(self) -> Float64Array:
        """The same for a triangle, whose rows are centered before they are rounded."""

    @property
    def roundings(self) -> Roundings: ...

    @property
    def digest(self) -> bytes:
        """Of sums over all rows: what no one knows before the data are read."""

    def apply(self, vectors: Float64Array) -> Float64Array: ...

    def matrix(self) -> Float64Array: ...

    def triangle(self) -> Float64Array:
        """R with R'R the matrix, at the accuracy of the table itself."""

    def start(self, width: int, rng: np.random.Generator) -> Float64Array:
        """A block of `width` columns to start from: better than random where that is cheap."""


@dataclass(frozen=True)
class TableSide:
    """What both sides of a table have in common."""

    table: TableOperator

    @property
    def passes(self) -> int:
        return self.table.meter.passes

    @property
    def trace(self) -> float:
        return self.table.total_variance

    @property
    def roundings(self) -> Roundings:
        return self.table.roundings

    @property
    def digest(self) -> bytes:
        return self.table.digest


class FeatureSide(TableSide):
    @property
    def size(self) -> int:
        return self.table.shape[1]

    @property
    def diagonal(self) -> Float64Array:
        return self.table.uncorrected_variances

    @property
    def triangle_diagonal(self) -> Float64Array:
        return self.table.tallied_variances

    def apply(self, vectors: Float64Array) -> Float64Array:
        return self.table.covariance_times(vectors)

    def matrix(self) -> Float64Array:
        return self.table.covariance()

    def triangle(self) -> Float64Array:
        return self.table.triangle()

    def start(self, width: int, rng: np.random.Generator) -> Float64Array:
        return components_of_sample(self.table, width, rng)


class RowSide(TableSide):
    @property
    def size(self) -> int:
        return self.table.shape[0]

    @property
    def diagonal(self) -> Float64Array:
        return self.table.uncorrected_lengths

    @property
    def triangle_diagonal(self) -> Float64Array:
        return self.diagonal

    def apply(self, vectors: Float64Array) -> Float64Array:
        return self.table.inner_products_times(vectors)

    def matrix(self) -> Float64Array:
        return self.table.inner_products()

    def triangle(self) -> Float64Array:
        return self.table.dual_triangle()

    def start(self, width: int, rng: np.random.Generator) -> Float64Array:
        return self.table.project(components_of_sample(self.table, width, rng))


@dataclass(frozen=True)
class MatrixSide:
    """A matrix in memory that came from another side, whose rounding it carries."""

    at_hand: Float64Array
    origin: Side

    @property
    def size(self) -> int:
        return len(self.at_hand)

    @property
    def passes(self) -> int:
        return self.origin.passes

    @property
    def trace(self) -> float:
        return float(np.trace(self.at_hand))

    @property
    def diagonal(self) -> Float64Array:
        return self.origin.diagonal

    @property
    def triangle_diagonal(self) -> Float64Array:
        return self.origin.triangle_diagonal

    @property
    def roundings(self) -> Roundings:
        return self.origin.roundings

    @property
    def digest(self) -> bytes:
        return self.origin.digest

    def apply(self, vectors: Float64Array) -> Float64Array:
        return self.at_hand @ vectors

    def matrix(self) -> Float64Array:
        return self.at_hand

    def triangle(self) -> Float64Array:
        return self.origin.triangle()

    def start(self, width: int, rng: np.random.Generator) -> Float64Array:
        return rng.standard_normal((self.size, width))


def exposure_of(side: Side, vectors: Float64Array) -> Float64Array:
    """v'Gv of every column: the size of the numbers that a product with it is made of.

    Nothing for a matrix at hand, whose roundings are the same whatever it is multiplied by.
    """
    if isinstance(side, MatrixSide):
        return np.zeros(vectors.shape[1])
    found: Float64Array = side.diagonal @ np.square(vectors)
    return found


def prefers_single_columns(side: Side, known: int) -> bool:
    """Whether eight products with one column each cost no more than one with sixteen.

    So it is for sparse rows in memory, for scipy's kernels keep one column in registers, and for
    dense ones that stay in cache, unless making columns orthogonal to many `known` ones costs more.
    """
    if not isinstance(side, TableSide):
        return False
    source, rows = side.table.source, side.table.rows
    traits = traits_of(source)
    if traits.is_stored or traits.remote or traits.threads:
        return False
    if isinstance(rows, DenseRows):
        return rows.fits_cache and known <= MOST_KNOWN
    return source.is_sparse and source.stored_bytes >= SINGLE_BYTES


def components_of_sample(
    table: TableOperator, width: int, rng: np.random.Generator
) -> Float64Array:
    """The leading components of a sample of rows, filled up with random directions.

    Six times as many rows as components save two passes on spectra like 1/i and 1/sqrt(i); more
    rows cost more than they save (measured on 5000 x 5000 and 20 000 x 2000).
    """
    n, d = table.shape
    affordable = table.source.stored_bytes // (SAMPLE_SHARE * 8 * d)
    count = min(6 * width, max(2 * width, affordable))
    if count >= n or not traits_of(table.source).re_readable:
        return rng.standard_normal((d, width))
    with np.errstate(invalid="ignore", over="ignore"):
        sample = table.sampled_rows(count)
        finite = np.isfinite(np.square(sample).sum())
    if not finite:
        return rng.standard_normal((d, width))  # the first pass will say which numbers are to blame
    values, vectors = descending_eigh(sample @ sample.T)
    useful = int(np.count_nonzero(values[:width] > 1e-10 * max(values[0], 0.0)))
    found: Float64Array = sample.T @ (vectors[:, :useful] / np.sqrt(values[:useful]))
    if useful == width:
        return found
    return np.concatenate([found, rng.standard_normal((d, width - useful))], axis=1)
