"""Tables that are read whole when they are opened, where the layout of their file allows no other.

Columns that were compressed one after the other cannot be read by rows, nor can sparse entries that
are not sorted by rows. Cost: the numbers stay in memory, beside whatever the budget allows; write
such a table in another layout to have it streamed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import FileError
from eigenlens.sources.array import pick_from_array
from eigenlens.sources.block import block_dtype, spans
from eigenlens.sources.columns import Picked, takes_all
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.protocol import Block
from eigenlens.sources.sparse import major_view, prepare_sparse

__all__ = ["HeldReader", "held_sparse"]


@dataclass(frozen=True, eq=False)
class HeldReader:
    path: Path
    label: str
    table: Any  # an array, or a csr_array with each entry stored once
    stored_bytes: int
    names: tuple[str, ...] | None = None

    starts = None
    left_out = ()

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.table.shape[0]), int(self.table.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        return block_dtype(self.table.dtype)

    @property
    def is_sparse(self) -> bool:
        return not isinstance(self.table, np.ndarray)

    @property
    def by_columns(self) -> bool:
        return not self.is_sparse

    @property
    def working_bytes(self) -> int:
        """The table itself, which stays in memory."""
        if isinstance(self.table, np.ndarray):
            return int(self.table.nbytes)
        parts = (self.table.data, self.table.indices, self.table.indptr)
        return sum(int(part.nbytes) for part in parts)

    def fingerprint(self) -> str:
        return f"{stamp_of(self.path, self.label)} {self.shape} {self.table.dtype}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        for span in spans(self.shape[0] - start, rows, "rows"):
            yield self.part(columns, slice(start + span.start, start + span.stop))

    def part(self, columns: Picked, rows: slice) -> Block:
        if not self.is_sparse:
            return np.array(pick_from_array(self.table[rows], columns))
        block = major_view(self.table, rows)
        return block if takes_all(columns, self.shape[1]) else block[:, columns]


def held_sparse(
    path: Path, label: str, matrix: Any, stored_bytes: int, names: tuple[str, ...] | None = None
) -> HeldReader:
    """A reader of a sparse matrix in memory, of any scipy format; by rows from now on."""
    if matrix.format in ("csr", "csc", "bsr"):
        try:
            matrix.check_format(full_check=True)  # an index out of range would crash the process
        except ValueError as error:
            raise FileError.damaged(label, "a sparse matrix", error) from error
    ready = prepare_sparse(matrix, slice(0, matrix.shape[1]))
    return HeldReader(path, label, ready.tocsr(), stored_bytes, names)
