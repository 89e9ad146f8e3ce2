"""The rows of a source, as planes are fitted to them: distances of all rows, and sums of some."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce
from operator import add
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import DataError
from eigenlens.machine.limits import available_processors
from eigenlens.machine.tile_threads import map_in_threads
from eigenlens.robust.location import find_column_scales
from eigenlens.robust.near_rows import MeasuredRows
from eigenlens.robust.plane import (
    Plane,
    consistency,
    divide_by_units,
    find_spread,
    fit_plane_to,
    limit_from_median,
    limit_of_scores,
)
from eigenlens.robust.scratch import Scratch
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Source

__all__ = ["RowTable"]

NEAR_ZERO = 10.0  # typical distances: from there on products of rows as they are lose digits
BLOCK_ENTRIES = 1 << 19
SAMPLE_ROWS, FEWEST_SAMPLED = 2000, 300
SAMPLE_ENTRIES = 1 << 20
FARTHEST = 1e6  # median deviations: a cell beyond that makes its row an outlier in any case
LARGEST = 1e150  # whose squares, and sums of them, are floats
WIDEST = 2000  # columns up to which the scatter matrix of all rows is formed

BoolArray = npt.NDArray[np.bool_]
Result = TypeVar("Result")
RowsOfTable: TypeAlias = tuple[int, Float64Array]


@dataclass(frozen=True)
class RowLengths:
    """Squared distances of all rows from `origin`, in `units`.

    From a center c nearby they are |x - o|^2 - 2 (x - o)'(c - o) + |c - o|^2, so that a plane costs
    one product of the rows as they are read. Rows that are far from 0 are centered before: their
    product would lose digits.
    """

    origin: Float64Array
    units: Float64Array | None
    values: Float64Array

    @cached_property
    def base(self) -> Float64Array | None:
        """What is subtracted from the rows."""
        near = np.linalg.norm(self.origin) <= NEAR_ZERO * np.sqrt(np.median(self.values))
        return None if near else self.origin if self.units is None else self.origin * self.units

    def distances(
        self, plane: Plane, scratch: Scratch, numbered: RowsOfTable
    ) -> tuple[Float64Array, ...]:
        first, block = numbered
        step = plane.center - self.origin
        across = np.column_stack([plane.basis, step])
        apart = block
        if self.base is not None:
            apart = np.subtract(block, self.base, out=scratch.array("apart", block.shape))
        products = apart @ (across if self.units is None else across / self.units[:, None])
        products -= (plane.center if self.base is None else step) @ across
        lengths = self.values[first : first + len(block)] - 2.0 * products[:, -1]
        lengths -= step @ step
        return *plane.divide_lengths(products[:, :-1], lengths), lengths


@dataclass(frozen=True)
class KeptSums:
    """Count, sum and products of the rows kept, about an origin near their mean."""

    count: int
    first: Float64Array
    second: Float64Array

    @classmethod
    def of_rows(cls, apart: Float64Array) -> KeptSums:
        return cls(len(apart), apart.sum(axis=0), apart.T @ apart)

    def __add__(self, other: KeptSums) -> KeptSums:
        return KeptSums(
            self.count + other.count, self.first + other.first, self.second + other.second
        )

    def __sub__(self, other: KeptSums) -> KeptSums:
        return self + KeptSums(-other.count, -other.first, -other.second)


@dataclass(eq=False)
class RowTable:
    """The rows of a source, as planes are fitted to them.

    `scale`: what columns are divided by; "std": by their deviations over the rows kept. A table
    that is wider than its sample is long is held in coordinates of the span of its rows.
    """

    source: Source
    scale: Float64Array | str | None
    rng: np.random.Generator
    lengths: RowLengths | None = None
    measured: MeasuredRows | None = None
    sums: KeptSums | None = None
    counted: BoolArray | None = None
    scratch: Scratch = field(default_factory=Scratch)

    @property
    def rows(self) -> int:
        return self.source.shape[0]

    @cached_property
    def sample(self) -> Float64Array:
        """All rows, or as many as are soon sorted in many directions."""
        count, width = self.source.shape
        wanted = min(count, SAMPLE_ROWS, max(FEWEST_SAMPLED, SAMPLE_ENTRIES // width))
        places = np.arange(count)
        if wanted < count:
            places = np.sort(self.rng.choice(count, wanted, replace=False))
        cells = np.asarray(self.source.sample(places), dtype=np.float64)
        if not np.isfinite(cells).all():
            raise locate_not_finite(self.source)
        if np.abs(cells).max(initial=0.0) > LARGEST:
            raise DataError.overflow()
        return cells

    @property
    def is_whole(self) -> bool:
        return len(self.sample) == self.rows

    @cached_property
    def first_units(self) -> Float64Array | None:
        """What columns are divided by while it is not known which rows are kept."""
        if not isinstance(self.scale, str):
            return self.scale
        found = find_column_scales(self.sample).scale
        found = np.where(found > 0, found, self.sample.std(axis=0))
        return np.where(found > 0, found, 1.0)

    @cached_property
    def near_sample(self) -> Float64Array:
        """The sample in its units, its farthest cells less far: sums keep the digits of others."""
        ready = divide_by_units(self.sample, self.first_units)
        middle = np.median(ready, axis=0)
        apart = np.abs(ready - middle)
        reach = np.median(apart, axis=0)
        reach = FARTHEST * np.where(reach > 0, reach, reach.max())
        if not reach.any() or (apart <= reach).all():
            return ready
        return np.clip(ready, middle - reach, middle + reach)

    @cached_property
    def span(self) -> tuple[Float64Array, Float64Array] | None:
        """Center and basis of the rows' span where that is smaller than the columns are many."""
        count, width = self.sample.shape
        if width <= min(count, WIDEST):
            return None
        ready = self.near_sample
        center = ready.mean(axis=0)
        _, sizes, vectors = np.linalg.svd(ready - center, full_matrices=False)
        some = sizes > 1e-10 * sizes.max(initial=0.0)
        return center, vectors[some].T

    @cached_property
    def prepared(self) -> Float64Array:
        """The sample in the coordinates that planes of it are found in."""
        ready = self.near_sample
        return ready if self.span is None else (ready - self.span[0]) @ self.span[1]

    def lift(self, plane: Plane) -> Plane:
        """A plane found in these coordinates, for rows as they are."""
        if self.span is not None:
            center, basis = self.span
            plane = replace(plane, center=center + basis @ plane.center, basis=basis @ plane.basis)
        return replace(plane, units=self.first_units)

    def blocks(self) -> Iterator[RowsOfTable]:
        """With the number of their first row."""
        first = 0
        for block in self.source.blocks(max(64, BLOCK_ENTRIES // self.source.shape[1])):
            yield first, np.asarray(block, dtype=np.float64)
            first += len(block)

    def map_blocks(self, work: Callable[[RowsOfTable], Result]) -> Iterator[Result]:
        return map_in_threads(work, self.blocks(), available_processors())

    def distances(self, plane: Plane) -> tuple[Float64Array, Float64Array]:
        """Of all rows from a plane."""
        if self.is_whole:
            return plane.distances(self.sample)
        known = self.lengths
        if known is not None and known.units is not plane.units:
            known = None
        work = measure_rows if known is None else known.distances
        parts = zip(*self.map_blocks(partial(work, plane, self.scratch)), strict=True)
        within, off, lengths = (np.concatenate(part) for part in parts)
        if known is None:
            self.lengths = RowLengths(plane.center, plane.units, lengths)
        return within, off

    def judge(self, plane: Plane) -> tuple[BoolArray, float]:
        """Rows within the limits of a plane, and the limit of distances from it."""
        found = None if self.measured is None else self.measured.judge(plane)
        if found is not None:
            return found
        within, off = self.distances(plane)
        spread = find_spread(off)
        if not self.is_whole:
            self.measured = MeasuredRows(self.source, plane, within, off, spread)
        limit = limit_from_median(*spread, plane)
        return (within <= limit_of_scores(plane.rank)) & (off <= limit), limit

    def fit_plane(self, kept: BoolArray, before: Plane) -> Plane:
        """Of the rows kept, with variances made consistent; `before` where they are too few."""
        if kept.sum() <= before.rank + 1:
            return before
        if self.span is not None and self.is_whole:
            plane = self.lift(fit_plane_to(self.prepared[kept], before.rank))
        elif self.source.shape[1] <= WIDEST:
            plane = self.plane_of_sums(kept, before.rank)
        else:
            return before  # too wide for a matrix of all rows: the sample's plane stands
        return replace(plane, variances=plane.variances * consistency(plane.rank))

    def plane_of_sums(self, kept: BoolArray, rank: int) -> Plane:
        sums = self.update_sums(kept)
        shift = sums.first / sums.count
        scatter = (sums.second - sums.count * np.outer(shift, shift)) / (sums.count - 1)
        center, units = self.middle + shift, self.first_units
        if isinstance(self.scale, str):
            units = np.sqrt(np.maximum(np.diag(scatter), 0.0))
            units = np.where(units > 0, units, 1.0)
        if units is not None:
            scatter, center = scatter / np.outer(units, units), center / units
        values, vectors = np.linalg.eigh(scatter)
        values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
        rest = float(values[rank:].sum())
        return Plane(center, vectors[:, :rank], values[:rank], units, rest)

    def update_sums(self, kept: BoolArray) -> KeptSums:
        """The sums of the rows kept; where few rows changed, only those are read again."""
        counted = self.counted
        changed = None if counted is None else np.flatnonzero(counted != kept)
        if self.sums is None or changed is None or 4 * len(changed) > self.rows:
            self.sums = reduce(add, self.map_blocks(partial(self.sum_block, kept)))
        elif len(changed):
            apart = np.asarray(self.source.sample(changed), dtype=np.float64) - self.middle
            came, gone = apart[kept[changed]], apart[~kept[changed]]
            self.sums = self.sums + KeptSums.of_rows(came) - KeptSums.of_rows(gone)
        self.counted = kept
        return self.sums

    def sum_block(self, kept: BoolArray, numbered: RowsOfTable) -> KeptSums:
        first, block = numbered
        some = kept[first : first + len(block)]
        apart = self.scratch.array("apart", (int(np.count_nonzero(some)), block.shape[1]))
        np.compress(some, block, axis=0, out=apart)
        apart -= self.middle
        return KeptSums.of_rows(apart)

    @cached_property
    def middle(self) -> Float64Array:
        """What sums are about: near the mean of the rows kept."""
        return np.asarray(np.median(self.sample, axis=0))


def measure_rows(plane: Plane, scratch: Scratch, numbered: RowsOfTable) -> tuple[Float64Array, ...]:
    """Score and orthogonal distances of a block, and squared distances from the center."""
    apart = scratch.array("apart", numbered[1].shape)
    np.subtract(divide_by_units(numbered[1], plane.units), plane.center, out=apart)
    lengths = np.vecdot(apart, apart)
    return *plane.divide_lengths(apart @ plane.basis, lengths), lengths
