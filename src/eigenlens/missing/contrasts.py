"""Contrasts: a column of K levels as K - 1 numbers that are known, or missing, together.

    y = H' P^-1/2 (z - p)          z = p + P^1/2 H y

z holds the indicators of a column, p the shares of its levels, P = diag(p), and H an orthonormal
basis of all that is orthogonal to sqrt(p). Contrasts of the observed rows are uncorrelated with
variance 1, so an engine sees a column of any number of levels in its own units, and another basis
would change nothing. Since sqrt(p)'H = 0, whatever an engine expects of y gives memberships z that
sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.errors.categories import CategoryError
from eigenlens.missing.observed import ObservedCells, as_dense, rows_at_once
from eigenlens.sources.categories.encoding import Encoding, encoding_of
from eigenlens.sources.protocol import Block, Source
from eigenlens.sources.traits import Traits, blocks_from, traits_of
from eigenlens.sources.wrapping import WrappingSource

__all__ = ["ContrastSource", "Contrasts", "contrast_source", "in_units_of_contrasts"]

PRODUCT_ROUNDINGS = 4.0  # of an entry, for every level of a column: two products and their factors
MOST_LEVELS = 10_000  # an engine has matrices of as many rows and columns


@dataclass(frozen=True, eq=False)
class Contrasts:
    """`shares` (levels,): of the observed rows, column by column; none is 0."""

    encoding: Encoding
    shares: Float64Array

    @property
    def numbers(self) -> int:
        return len(self.encoding.numbers)

    @cached_property
    def starts(self) -> IntArray:
        """The first contrast of every categorical column, and where those of the last one end."""
        return self.encoding.starts - np.arange(len(self.encoding.starts))

    @property
    def width(self) -> int:
        return int(self.starts[-1])

    @cached_property
    def together(self) -> IntArray:
        """For every number and contrast, the first of those that are missing with it."""
        counts = np.diff(self.starts)
        return np.concatenate([np.arange(self.numbers), np.repeat(self.starts[:-1], counts)])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the column of the data that a number or contrast comes from."""
        names = [one.name for one in self.encoding.columns for _ in one.levels[1:]]
        return (*self.encoding.numbers, *names)

    @cached_property
    def roots(self) -> list[Float64Array]:
        """P^1/2 H of every categorical column, (K, K - 1)."""
        return [basis_beside(np.sqrt(p)) * np.sqrt(p)[:, None] for p in self.split(self.shares)]

    @cached_property
    def back(self) -> Float64Array:
        """(indicators, contrasts): from deviations of contrasts to those of indicators."""
        whole = np.zeros((self.encoding.width, self.width))
        whole[: self.numbers, : self.numbers] = np.eye(self.numbers)
        for place, root in enumerate(self.roots):
            whole[self.encoding.span_of(place), self.span_of(place)] = root
        return whole

    def span_of(self, place: int) -> slice:
        return slice(int(self.starts[place]), int(self.starts[place + 1]))

    def split(self, levels: Float64Array) -> list[Float64Array]:
        """Numbers of all levels, by column."""
        return np.split(levels, np.cumsum(self.encoding.levels_of)[:-1])

    def encode(self, rows: Float64Array) -> Float64Array:
        """Rows of numbers and indicators; a NaN among those of a column makes it missing."""
        middle = np.zeros(self.encoding.width)
        middle[self.numbers :] = self.shares
        return self.turn(rows - middle)

    def turn(self, deviations: Float64Array) -> Float64Array:
        """Deviations of rows with indicators as those of rows with contrasts."""
        found = np.empty((len(deviations), self.width))
        found[:, : self.numbers] = deviations[:, : self.numbers]
        for place, (root, shares) in enumerate(
            zip(self.roots, self.split(self.shares), strict=True)
        ):
            cells = deviations[:, self.encoding.span_of(place)]
            found[:, self.span_of(place)] = cells @ (root / shares[:, None])
            found[np.isnan(cells).any(axis=1), self.span_of(place)] = np.nan
        return found

    def moments_of_levels(self, moments: Moments, origin: Float64Array) -> Moments:
        """Of rows with indicators, from those of rows with contrasts; numbers less `origin`."""
        if moments.scatter is None:
            raise RuntimeError("an engine gives the scatter of its rows")
        scatter = self.back @ moments.scatter @ self.back.T
        scatter = (scatter + scatter.T) / 2
        mean = self.back @ moments.mean
        mean[: self.numbers] += origin
        mean[self.numbers :] += self.shares
        return Moments(moments.weight, mean, np.diag(scatter).copy(), scatter)

    def drift_of_levels(self, moments: Moments, drift: float) -> float:
        """By how many roundings the moments of indicators may be off where those of contrasts are
        off by `drift`, in units of the deviations:

            max over i of (sum_a |B_ia| s_a)^2 / S_ii           scatter, B = `back`
            max over i of  sum_a |B_ia| s_a / sqrt(n) / m_i     shares, which become scales
        """
        found = self.moments_of_levels(moments, np.zeros(self.numbers))
        own = drift + PRODUCT_ROUNDINGS * (1 + int(self.encoding.levels_of.max()))
        reach = np.abs(self.back) @ np.sqrt(moments.squares)
        squares, levels = np.square(reach) / found.squares, slice(self.numbers, None)
        least = self.numbers + int(np.argmin(found.mean[levels]))
        if found.mean[least] <= 0:
            raise CategoryError.share_not_positive(
                self.encoding.feature_names[least], float(found.mean[least])
            )
        shares = reach[levels] / np.sqrt(moments.weight) / found.mean[levels]
        return own * float(max(1.0, squares.max(), 1.0 + shares.max()))


@dataclass(frozen=True, eq=False)
class ContrastSource(WrappingSource):
    """Rows of an indicator table as numbers and contrasts, NaN where a level is missing."""

    contrasts: Contrasts

    is_sparse = False
    dtype = np.dtype(np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape[0], self.contrasts.width

    @property
    def names(self) -> tuple[str, ...]:
        return self.contrasts.names

    @cached_property
    def traits(self) -> Traits:
        return self.derive_traits(
            "as contrasts",
            inertia=None,
            origin=(),
            by_columns=False,
            glance=None,
            find_bad_values=None,
            together=self.contrasts.together.astype(np.intp),
        )

    @property
    def origin(self) -> Float64Array:
        """What numbers are given less than."""
        found = np.zeros(self.contrasts.encoding.width)
        for origin in traits_of(self.source).origin:
            found = found + origin
        return found[: self.contrasts.numbers]

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        for block in blocks_from(self.source, rows_per_block, start):
            yield self.contrasts.encode(as_dense(block))

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        for start in range(0, self.shape[1], columns_per_panel):
            chosen = slice(start, start + columns_per_panel)
            parts = [block[:, chosen] for block in self.blocks(rows_at_once(self.shape[1]))]
            yield np.concatenate(parts)

    def sample(self, indices: IntArray) -> Float64Array:
        cells = np.asarray(self.source.sample(indices), dtype=np.float64)
        return self.contrasts.encode(cells)

    def __repr__(self) -> str:
        return f"{self.source!r} as contrasts"


def contrast_source(source: Source, weights: Float64Array | None) -> Source:
    """The rows as an engine sees them: contrasts in the place of indicators, where there are any.

    The shares are those of the rows that have a level, one pass.
    """
    encoding = encoding_of(source)
    if encoding is None or not encoding.columns:
        return source
    if encoding.width > MOST_LEVELS:
        raise CategoryError.too_many_to_estimate(encoding.width, MOST_LEVELS)
    first, start = len(encoding.numbers), 0
    sums, counts = np.zeros((2, encoding.width - first))
    for block in source.blocks(rows_at_once(encoding.width)):
        levels = block[:, first:].tocsr()
        levels.data = np.nan_to_num(levels.data)
        counts += np.asarray(levels.sum(axis=0)).ravel()
        stop = start + block.shape[0]
        sums += 0.0 if weights is None else weights[start:stop] @ levels
        start = stop
    heavy = sums if weights is not None and sums.all() else counts
    totals = np.add.reduceat(heavy, encoding.starts[:-1] - first)
    return ContrastSource(
        source, Contrasts(encoding, heavy / np.repeat(totals, encoding.levels_of))
    )


def in_units_of_contrasts(observed: ObservedCells, source: ContrastSource) -> ObservedCells:
    """Contrasts are their own units: what is observed of them differs from 0 and 1 by rounding.

    Centers of numbers are such that the model has them in its own numbers, without rounding.
    """
    first, origin = source.contrasts.numbers, source.origin
    center, spread = observed.center.copy(), observed.spread.copy()
    center[:first] = (center[:first] + origin) - origin
    center[first:], spread[first:] = 0.0, 1.0
    return replace(observed, center=center, spread=spread)


def basis_beside(direction: Float64Array) -> Float64Array:
    """An orthonormal basis of what is orthogonal to a unit vector of positive entries, (K, K - 1):
    all columns but one of the reflection that takes it to an axis.
    """
    largest = int(np.argmax(direction))
    mirror = direction.copy()
    mirror[largest] += 1.0
    whole = np.eye(len(direction)) - (2.0 / (mirror @ mirror)) * np.outer(mirror, mirror)
    return np.delete(whole, largest, axis=1)
