"""Observed cells: what one pass over a table with holes learns, and how its blocks are read after.

Engines work in units of the observed cells: y = (x - center) / spread, column by column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import DataError, OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import ordered_map
from eigenlens.missing.engine_passes import EnginePasses, Summable, sum_parts
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Block, Source
from eigenlens.sources.traits import blocks_from, traits_of
from eigenlens.table.preparation import column_names

__all__ = [
    "CellBlock",
    "CellReader",
    "ObservedCells",
    "as_dense",
    "cell_blocks",
    "observe_cells",
    "rows_at_once",
    "rows_with_cells",
    "rows_without_holes",
]

BLOCK_ENTRIES = 1 << 19
SMALLEST_SQUARES = 1e-280  # of a column: below, squares lose digits or vanish

BoolArray = npt.NDArray[np.bool_]
S = TypeVar("S", bound=Summable)


@dataclass(frozen=True)
class ObservedCells:
    """Counts, centers, spreads and extremes of the observed cells of each column.

    `rows` counts those with at least one cell, `empty_rows` the others; `weight` is the sum of the
    weights of the former (their number, without weights).
    """

    counts: Float64Array
    center: Float64Array
    spread: Float64Array
    low: Float64Array
    high: Float64Array
    rows: int
    empty_rows: int
    complete_rows: int
    holes: int
    weight: float
    columns: int  # of the data: those that are missing together are one

    @property
    def share(self) -> float:
        """Holes among the cells of the rows that have any."""
        return self.holes / (self.rows * self.columns)

    @property
    def informative_share(self) -> float:
        """Of the rows: as many have both of two columns, if holes do not go together."""
        return (1.0 - self.share) ** 2

    def in_units_of(self, other: ObservedCells) -> ObservedCells:
        """The same cells, measured from another's centers in its spreads."""
        return replace(self, center=other.center, spread=other.spread)


@dataclass(frozen=True)
class CellBlock:
    """Rows in the units of the engine, 0 in the holes; rows without any cell are not in it."""

    first_row: int
    rows: npt.NDArray[np.intp]  # positions within the block that was read
    values: Float64Array
    holes: BoolArray
    weights: Float64Array | None
    precisions: Float64Array | None = None  # of the cells; None: all alike
    stop_row: int = 0  # the row after the last one that was read

    def without(self, places: npt.NDArray[np.intp]) -> CellBlock:
        """The other rows than those at `places` of the table; without weights and precisions."""
        kept = ~np.isin(self.first_row + self.rows, places)
        if kept.all():
            return self
        return replace(self, rows=self.rows[kept], values=self.values[kept], holes=self.holes[kept])


@dataclass(frozen=True)
class CellReader:
    """The blocks of a source with holes, in units, as often as they are asked for."""

    source: Source
    observed: ObservedCells
    weights: Float64Array | None = None
    precisions: Float64Array | None = None
    passes: EnginePasses | None = None  # where a checkpoint keeps the sums over all blocks

    @property
    def rows_per_block(self) -> int:
        return rows_at_once(self.source.shape[1])

    @property
    def threads(self) -> int:
        """How many blocks are worked on at a time."""
        return available_processors() if self.source.shape[0] > self.rows_per_block else 1

    def blocks(self, first_row: int = 0) -> Iterator[CellBlock]:
        for cells in cell_blocks(self.source, first_row):
            yield self.in_units(cells, first_row)
            first_row += len(cells)

    def sum_blocks(self, kind: type[S], work: Callable[[CellBlock], S]) -> S:
        """One pass over all rows, blocks in threads."""

        def parts_from(row: int) -> Iterator[tuple[S, int]]:
            return ordered_map(
                lambda block: (work(block), block.stop_row), self.blocks(row), self.threads
            )

        return sum_parts(self.passes, kind, parts_from)

    def in_units(self, cells: Float64Array, first_row: int = 0) -> CellBlock:
        holes = np.isnan(cells)
        rows, stop_row = np.flatnonzero(~holes.all(axis=1)), first_row + len(cells)
        if len(rows) < len(cells):
            cells, holes = cells[rows], holes[rows]
        values = (cells - self.observed.center) / self.observed.spread
        values[holes] = 0.0
        weights = None if self.weights is None else self.weights[first_row + rows]
        precisions = None if self.precisions is None else self.precisions[first_row + rows]
        return CellBlock(first_row, rows, values, holes, weights, precisions, stop_row)


def observe_cells(
    source: Source, weights: Float64Array | None = None, passes: EnginePasses | None = None
) -> ObservedCells:
    """One pass: what each column's observed cells look like."""
    if passes is not None:
        return passes.keep(ObservedCells, lambda: observe_cells(source, weights))
    width = source.shape[1]
    counts, heavy, sums, squares = np.zeros((4, width))
    low, high = np.full(width, np.inf), np.full(width, -np.inf)
    shift: Float64Array | None = None
    rows = empty = complete = first_row = 0
    weight = 0.0
    for cells in cell_blocks(source):
        holes = np.isnan(cells)
        if np.isinf(cells).any():
            raise locate_not_finite(source)
        shift = first_center(cells, holes) if shift is None else shift
        gone = np.flatnonzero(holes)
        lacking = np.bincount(gone // width, minlength=len(cells))
        seen_cells = len(cells) - np.bincount(gone % width, minlength=width)
        counts += seen_cells
        shares = np.ones(len(cells)) if weights is None else weights[first_row:][: len(cells)]
        heavy += seen_cells if weights is None else shares @ ~holes
        with np.errstate(over="ignore", invalid="ignore"):
            deviations = cells - shift
            np.put(deviations, gone, 0.0)
            sums += shares @ deviations
            squares += shares @ np.square(deviations, out=deviations)
        low = np.fmin(low, np.fmin.reduce(cells, axis=0))  # which pass over missing cells
        high = np.fmax(high, np.fmax.reduce(cells, axis=0))
        seen = lacking < width
        rows, empty = rows + int(seen.sum()), empty + int((~seen).sum())
        complete += int((lacking == 0).sum())
        weight += float(shares @ seen)
        first_row += len(cells)
    if shift is None:
        raise DataError.empty(source.shape)
    if empty:
        refuse_unknown_lengths(source)
    if rows == 0:
        raise DataError.no_cells(column_names(source))
    together = traits_of(source).together
    kin = np.arange(width) if together is None else np.unique(together)
    heavy = np.where(heavy > 0, heavy, 1.0)
    mean = sums / heavy
    with np.errstate(over="ignore", invalid="ignore"):
        variances = squares / heavy - mean**2
    if not np.isfinite(variances).all():
        raise DataError.overflow()
    if ((low < high) & (squares < SMALLEST_SQUARES)).any():
        raise DataError.underflow()
    return ObservedCells(
        counts=counts,
        center=shift + mean,
        spread=np.where((low < high) & (variances > 0), np.sqrt(np.maximum(variances, 0.0)), 1.0),
        low=low,
        high=high,
        rows=rows,
        empty_rows=empty,
        complete_rows=complete,
        holes=int(rows * len(kin) - counts[kin].sum()),
        weight=weight,
        columns=len(kin),
    )


def refuse_unknown_lengths(source: Source) -> None:
    """An error where rows are divided by their length, and one that lacks a cell has none."""
    traits = traits_of(source)
    if not traits.of_unit_length:
        return
    bad = None if traits.find_bad_values is None else traits.find_bad_values()
    if bad is not None and bad.infinities:
        raise locate_not_finite(source)
    if bad is None or bad.nans:
        raise OptionError.needs(
            SetOption("normalize", "l2"),
            "rows without missing cells, since the length of a row with one is not known",
            Phrase("pass {} to leave out the rows with them", SetOption("missing", "drop")),
            Phrase("omit {}", Option("normalize")),
        )


def rows_without_holes(source: Source) -> BoolArray:
    """Which rows have all their cells, in one pass."""
    return np.concatenate([~np.isnan(cells).any(axis=1) for cells in cell_blocks(source)])


def rows_with_cells(source: Source) -> BoolArray:
    """Which rows have any cell, in one pass."""
    return np.concatenate([~np.isnan(cells).all(axis=1) for cells in cell_blocks(source)])


def first_center(cells: Float64Array, holes: BoolArray) -> Float64Array:
    """A shift near the data: the mean of the first block, 0 for a column that has no cell in it."""
    counts = np.maximum((~holes).sum(axis=0), 1)
    center: Float64Array = np.where(holes, 0.0, cells).sum(axis=0) / counts
    return center


def rows_at_once(width: int) -> int:
    return max(16, BLOCK_ENTRIES // width)


def cell_blocks(source: Source, start: int = 0) -> Iterator[Float64Array]:
    """Consecutive rows from `start` on as float64, NaN in the holes."""
    for block in blocks_from(source, rows_at_once(source.shape[1]), start):
        yield as_dense(block)


def as_dense(block: Block) -> Float64Array:
    """A block as float64; what a sparse one does not store is zero."""
    cells = block if isinstance(block, np.ndarray) else block.toarray()
    return np.asarray(cells, dtype=np.float64)
