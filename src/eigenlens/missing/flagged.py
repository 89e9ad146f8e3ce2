"""A source whose outlying cells are missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.protocol import Block, IntArray, Source
from eigenlens.sources.traits import Traits, traits_of

__all__ = ["CellFlags", "FlaggedSource"]


@dataclass(eq=False)
class CellFlags:
    """One bit per cell, rows packed into bytes."""

    packed: npt.NDArray[np.uint8]
    width: int

    @classmethod
    def none(cls, rows: int, width: int) -> CellFlags:
        return cls(np.zeros((rows, -(-width // 8)), dtype=np.uint8), width)

    def read(self, rows: slice | IntArray) -> npt.NDArray[np.bool_]:
        return np.unpackbits(self.packed[rows], axis=1, count=self.width).astype(bool)

    def write(self, rows: slice, flags: npt.NDArray[np.bool_]) -> None:
        self.packed[rows] = np.packbits(flags, axis=1)

    @property
    def count(self) -> int:
        return int(np.bitwise_count(self.packed).sum())


@dataclass(frozen=True, eq=False)
class FlaggedSource:
    """NaN where a cell is flagged, else as it is read."""

    source: Source
    flags: CellFlags

    is_sparse = False
    dtype = np.dtype(np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.source.names

    @property
    def stored_bytes(self) -> int:
        return self.source.stored_bytes

    @cached_property
    def traits(self) -> Traits:
        return replace(traits_of(self.source), fingerprint=None, in_place=False, glance=None)

    def blocks(self, rows_per_block: int) -> Iterator[Block]:
        first = 0
        for block in self.source.blocks(rows_per_block):
            yield self.mask(block, slice(first, first + len(block)))
            first += len(block)

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        start = 0
        for panel in self.source.panels(columns_per_panel):
            flags = self.flags.read(slice(None))[:, start : start + panel.shape[1]]
            yield np.where(flags, np.nan, panel)
            start += panel.shape[1]

    def sample(self, indices: IntArray) -> Float64Array:
        return self.mask(self.source.sample(indices), np.asarray(indices))

    def mask(self, rows: Block, places: slice | IntArray) -> Float64Array:
        cells: Float64Array = np.where(self.flags.read(places), np.nan, rows)
        return cells

    def __repr__(self) -> str:
        return f"{self.source!r} without {self.flags.count} outlying cells"
