"""A source whose outlying cells are missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.sources.changed_cells import ChangedCells
from eigenlens.sources.protocol import FloatArray, IntArray, Source

__all__ = ["CellFlags", "leave_out_flagged"]


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
class LeaveOutFlagged:
    """NaN where a cell is flagged, else as it is read."""

    flags: CellFlags

    mark = None  # flags change while they are looked for
    is_by_column = False

    @property
    def words(self) -> str:
        return f" without {self.flags.count} outlying cells"

    def in_dtype(self, stored: np.dtype[Any]) -> np.dtype[Any]:
        return np.dtype(np.float64)

    def in_double(self) -> None:
        return None

    def change_rows(self, rows: FloatArray, places: slice | IntArray) -> FloatArray:
        cells: FloatArray = np.where(self.flags.read(places), np.nan, rows.astype(np.float64))
        return cells

    def change_columns(self, panel: FloatArray, columns: slice) -> FloatArray:
        flags = self.flags.read(slice(None))[:, columns]
        cells: FloatArray = np.where(flags, np.nan, panel.astype(np.float64))
        return cells


def leave_out_flagged(source: Source, flags: CellFlags) -> ChangedCells:
    return ChangedCells(source, LeaveOutFlagged(flags))
