"""A plane through rows, the distances of rows from it and within it, and their limits.

    score distance        sqrt(sum of t_i^2 / variance_i)       97.5 % limit: chi-square with k
    orthogonal distance   |x - x^|                              97.5 % limit: its power 2/3 is
                                                                nearly normal (Wilson and Hilferty)

Variances of rows that were cut off at the limit are too small; they are made consistent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import chdtr, chdtri

from eigenlens.algebra.typing import Float64Array
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import ordered_map
from eigenlens.robust.location import find_column_scales
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Source

__all__ = ["Plane", "RowTable", "fit_plane_to", "limit_of_scores", "mad_limit"]

LIMIT_LEVEL = 0.975
NORMAL_975 = 1.959963984540054
MAD = 1.482602218505602
ROUNDING = 1e-7  # of a typical length: orthogonal distances below are rounding
BLOCK_ENTRIES = 1 << 17
SAMPLE_ROWS, FEWEST_SAMPLED = 2000, 300
SAMPLE_ENTRIES = 1 << 20
WIDEST = 2000  # columns up to which the scatter matrix of all rows is formed

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Plane:
    """Of rows divided by `units`: `center` (d,), orthonormal `basis` (d, k), `variances` (k,)."""

    center: Float64Array
    basis: Float64Array
    variances: Float64Array
    units: Float64Array | None = None
    rest: float = 1.0  # variance off the plane

    @property
    def rank(self) -> int:
        return len(self.variances)

    def leading(self, share: float) -> Plane:
        """The fewest components that hold `share` of the variance."""
        total = self.variances.sum() + self.rest
        count = int(np.searchsorted(np.cumsum(self.variances), share * total)) + 1
        count = min(count, self.rank)
        rest = self.rest + float(self.variances[count:].sum())
        return replace(
            self, basis=self.basis[:, :count], variances=self.variances[:count], rest=rest
        )

    def with_scatter(
        self, center: Float64Array, scatter: Float64Array, lengths: Float64Array
    ) -> Plane:
        """The same plane with center and scatter as found in it, by its squared distances."""
        factor = float(np.median(lengths)) / float(chdtri(self.rank, 0.5))
        values, axes = np.linalg.eigh(scatter * max(factor, np.finfo(float).tiny))
        return replace(
            self,
            center=self.center + self.basis @ center,
            basis=self.basis @ axes[:, ::-1],
            variances=values[::-1],
        )

    def distances(self, rows: Float64Array) -> tuple[Float64Array, Float64Array]:
        """Score distance and orthogonal distance of each row, given in the units of the data."""
        apart = rows - self.center if self.units is None else rows / self.units - self.center
        scores = apart @ self.basis
        lengths = np.einsum("ij,ij->i", apart, apart)
        off = lengths - np.einsum("ij,ij->i", scores, scores)
        floor = np.finfo(float).eps * self.variances.max(initial=0.0)
        within = np.square(scores) @ (1.0 / np.maximum(self.variances, max(floor, 1e-300)))
        return np.sqrt(within), np.sqrt(np.maximum(off, 0.0))


def limit_of_scores(rank: int) -> float:
    return float(np.sqrt(chdtri(rank, 1 - LIMIT_LEVEL)))


def mad_limit(distances: Float64Array, plane: Plane) -> float:
    """Of orthogonal distances, from the median and the median deviation of their power 2/3."""
    powers = np.cbrt(np.square(distances))
    middle = float(np.median(powers))
    spread = MAD * float(np.median(np.abs(powers - middle)))
    size = float(np.sqrt(plane.variances.sum() + plane.rest))
    return max(float((middle + NORMAL_975 * spread) ** 1.5), ROUNDING * size)


def consistency(rank: int) -> float:
    """What variances within the limit are multiplied by to be those of all normal rows."""
    return LIMIT_LEVEL / float(chdtr(rank + 2, chdtri(rank, 1 - LIMIT_LEVEL)))


def fit_plane_to(rows: Float64Array, rank: int) -> Plane:
    """The leading components of rows; variances as they are."""
    center = rows.mean(axis=0)
    _, sizes, vectors = np.linalg.svd(rows - center, full_matrices=False)
    values = np.square(sizes) / max(len(rows) - 1, 1)
    return Plane(center, vectors[:rank].T, values[:rank], None, float(values[rank:].sum()))


@dataclass
class KeptSums:
    """Count, sum and products of the rows kept, about an origin near their mean."""

    origin: Float64Array
    count: int = 0
    first: Float64Array = field(init=False)
    second: Float64Array = field(init=False)

    def __post_init__(self) -> None:
        width = len(self.origin)
        self.first, self.second = np.zeros(width), np.zeros((width, width))

    def add(self, rows: Float64Array, sign: int = 1) -> None:
        apart = rows - self.origin
        self.count += sign * len(rows)
        self.first += sign * apart.sum(axis=0)
        self.second += sign * (apart.T @ apart)


@dataclass(eq=False)
class RowTable:
    """The rows of a source, as planes are fitted to them.

    `scale`: what columns are divided by; "std": by their deviations over the rows kept. A table
    that is wider than its sample is long is held in coordinates of the span of its rows.
    """

    source: Source
    scale: Float64Array | str | None
    rng: np.random.Generator
    sums: KeptSums | None = None
    counted: BoolArray | None = None

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
    def span(self) -> tuple[Float64Array, Float64Array] | None:
        """Center and basis of the rows' span where that is smaller than the columns are many."""
        count, width = self.sample.shape
        if width <= min(count, WIDEST):
            return None
        ready = divide(self.sample, self.first_units)
        center = ready.mean(axis=0)
        _, sizes, vectors = np.linalg.svd(ready - center, full_matrices=False)
        some = sizes > 1e-10 * sizes.max(initial=0.0)
        return center, vectors[some].T

    @cached_property
    def prepared(self) -> Float64Array:
        """The sample in the coordinates that planes of it are found in."""
        ready = divide(self.sample, self.first_units)
        return ready if self.span is None else (ready - self.span[0]) @ self.span[1]

    def lift(self, plane: Plane) -> Plane:
        """A plane found in these coordinates, for rows as they are."""
        if self.span is not None:
            center, basis = self.span
            plane = replace(plane, center=center + basis @ plane.center, basis=basis @ plane.basis)
        return replace(plane, units=self.first_units)

    def blocks(self) -> Iterator[Float64Array]:
        for block in self.source.blocks(max(64, BLOCK_ENTRIES // self.source.shape[1])):
            yield np.asarray(block, dtype=np.float64)

    def distances(self, plane: Plane) -> tuple[Float64Array, Float64Array]:
        """Of all rows from a plane."""
        if self.is_whole:
            return plane.distances(self.sample)
        with one_blas_thread():
            parts = list(ordered_map(plane.distances, self.blocks(), available_processors()))
        scores = np.concatenate([part[0] for part in parts])
        return scores, np.concatenate([part[1] for part in parts])

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
        center, units = sums.origin + shift, self.first_units
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
            self.sums, first = KeptSums(np.median(self.sample, axis=0)), 0
            for block in self.blocks():
                self.sums.add(block[kept[first : first + len(block)]])
                first += len(block)
        elif len(changed):
            rows = np.asarray(self.source.sample(changed), dtype=np.float64)
            self.sums.add(rows[kept[changed]])
            self.sums.add(rows[~kept[changed]], sign=-1)
        self.counted = kept
        return self.sums


def divide(rows: Float64Array, units: Float64Array | None) -> Float64Array:
    return rows if units is None else rows / units
