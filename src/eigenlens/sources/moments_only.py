"""Rows that are gone: what is known of them are their number, mean and scatter matrix.

`add_source` takes in the rows of any source; a `MomentsSource` stands for them afterwards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.running import RunningMoments
from eigenlens.algebra.scatter import WholeScatter
from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import DataError, StreamError
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Block, FloatArray, IntArray, Source
from eigenlens.sources.traits import Traits

__all__ = ["MomentsSource", "add_source", "matrix_source", "moments_source", "refuse_unusable_rows"]

BLOCK_BYTES = 16 << 20
MATRIX_ROUNDINGS = 4.0  # of an entry: symmetrized, multiplied by the divisor and divided by it
LARGEST = 1e145  # squares of larger numbers, or their sums, may overflow
MOST_SCATTER = 1e300  # of an entry: sums of them over the columns are floats


@dataclass(frozen=True, eq=False)
class MomentsSource:
    """A source in name: shape and moments are there, the rows are not."""

    moments: Moments
    names: tuple[str, ...] | None
    stored_bytes: int
    drift: float  # by how many roundings an entry of the scatter may be off
    rows: int | None = None  # how many they were, where weights make the sum another number
    null_table: Callable[[int], Source] | None = None  # as in `Traits`
    informative_share: float = 1.0
    passes: int = 0  # that were made over the rows to find them
    encoding: Any = None  # of indicator rows: the levels that the columns stand for
    left_out: Mapping[str, str] = field(default_factory=dict)  # as in `Traits`
    below: float = 0.0  # as in `Traits`

    is_sparse = False
    dtype = np.dtype(np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        rows = int(self.moments.weight) if self.rows is None else self.rows
        return rows, len(self.moments.mean)

    @cached_property
    def traits(self) -> Traits:
        return Traits(
            fingerprint=self.fingerprint,
            re_readable=False,
            by_columns=False,
            null_table=self.null_table,
            passes_to_open=self.passes,
            informative_share=self.informative_share,
            left_out=self.left_out,
            below=self.below,
        )

    @property
    def fingerprint(self) -> str:
        numbers = np.concatenate([self.moments.mean, self.moments.squares])
        return f"gathered {self.shape} {hashlib.sha256(numbers.tobytes()).hexdigest()}"

    def blocks(self, rows_per_block: int) -> Iterator[Block]:
        raise StreamError.read_once(self.shape)

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        raise StreamError.read_once(self.shape)

    def sample(self, indices: IntArray) -> FloatArray:
        raise StreamError.read_once(self.shape)

    def __repr__(self) -> str:
        return f"MomentsSource({self.shape[0]} x {self.shape[1]}, read once)"


def moments_source(
    running: RunningMoments[WholeScatter], names: tuple[str, ...] | None, read_bytes: int = 0
) -> MomentsSource:
    """What is left of the rows that `running` has taken in."""
    size = read_bytes or 8 * running.rows * running.kept.columns
    return MomentsSource(running.moments, names, size, running.kept.drift)


def matrix_source(
    matrix: Float64Array,
    rows: int = 2**50 + 1,
    mean: Float64Array | None = None,
    names: tuple[str, ...] | None = None,
    below: float = 0.0,
) -> MomentsSource:
    """A covariance matrix in the place of the `rows` that have it, but for variances `below` 0."""
    if not float(np.abs(matrix).max()) <= MOST_SCATTER / (rows - 1):
        raise DataError.overflow()
    scatter = matrix * (rows - 1)
    middle = np.zeros(len(matrix)) if mean is None else mean
    moments = Moments(float(rows), middle, np.diag(scatter).copy(), scatter)
    return MomentsSource(moments, names, matrix.nbytes, MATRIX_ROUNDINGS, rows, below=below)


def add_source(
    running: RunningMoments[Any], source: Source, rows_per_block: int | None = None
) -> None:
    """Add all rows of the source; those before a NaN are then in already."""
    for block in source.blocks(rows_per_block or rows_in(BLOCK_BYTES, source)):
        if not largest_magnitude(block) < LARGEST:
            raise locate_not_finite(source)
        running.add(block)


def refuse_unusable_rows(source: Source) -> None:
    """The error that `add_source` would meet half way."""
    for block in source.blocks(rows_in(BLOCK_BYTES, source)):
        if not largest_magnitude(block) < LARGEST:
            raise locate_not_finite(source)


def largest_magnitude(block: Block) -> float:
    """The largest magnitude; NaN where there is a NaN."""
    values = block if isinstance(block, np.ndarray) else block.data
    if not values.size:
        return 0.0
    low, high = float(values.min()), float(values.max())
    return max(abs(low), abs(high)) if low == low else low


def rows_in(size: int, source: Source) -> int:
    return max(1, size // (8 * source.shape[1]))
