"""Tensors as sources: rows stay on their device, and come home block by block for who asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import DataError
from eigenlens.machine.torch_device import (
    Tensor,
    TorchDevice,
    borrowed_device,
    from_host,
    to_host,
)
from eigenlens.sources.block import spans
from eigenlens.sources.columns import pick_columns
from eigenlens.sources.device.arrays import is_device_array, tensor_of
from eigenlens.sources.finite import PLACES_SHOWN, BadValues
from eigenlens.sources.protocol import Columns, FloatArray, IntArray
from eigenlens.sources.traits import Traits

__all__ = ["TensorSource", "accepts", "source_from"]

PICTURE_AXES = (3, 4)
BLOCK_ENTRIES = 1 << 22
WHERE_THEY_ARE = "the data lie there, and their products are made there"


@dataclass(frozen=True, eq=False)
class TensorSource:
    """`picked`: positions of the columns that are used, on the device; None: all of them."""

    tensor: Tensor
    picked: Tensor | None = None
    column_shape: tuple[int, ...] | None = None

    names = None
    is_sparse = False

    @property
    def device(self) -> TorchDevice:
        return self.tensor.device

    @property
    def shape(self) -> tuple[int, int]:
        columns = self.tensor.shape[1] if self.picked is None else len(self.picked)
        return int(self.tensor.shape[0]), int(columns)

    @property
    def dtype(self) -> np.dtype[Any]:
        short = self.tensor.is_floating_point() and self.tensor.element_size() <= 4
        return np.dtype(np.float32 if short else np.float64)

    @property
    def stored_bytes(self) -> int:
        return self.shape[0] * self.shape[1] * int(self.tensor.element_size())

    @property
    def traits(self) -> Traits:
        return Traits(
            float_stored=bool(self.tensor.is_floating_point()),
            column_shape=self.column_shape,
        )

    @property
    def place(self) -> Verdict:
        return Verdict(str(self.device), "data", WHERE_THEY_ARE)

    # -- on the device ---------------------------------------------------------------------

    def tensors(self, rows_per_block: int) -> Iterator[Tensor]:
        for rows in spans(self.shape[0], rows_per_block, "rows_per_block"):
            yield self.pick(self.tensor[rows])

    def tensor_panels(self, columns_per_panel: int) -> Iterator[Tensor]:
        for columns in spans(self.shape[1], columns_per_panel, "columns_per_panel"):
            if self.picked is None:
                yield self.tensor[:, columns]
            else:
                yield self.tensor.index_select(1, self.picked[columns])

    def pick(self, part: Tensor) -> Tensor:
        return part if self.picked is None else part.index_select(1, self.picked)

    def release(self) -> bool:
        return False  # the memory is the user's

    # -- at home ---------------------------------------------------------------------------

    def blocks(self, rows_per_block: int) -> Iterator[FloatArray]:
        for part in self.tensors(rows_per_block):
            yield self.bring_home(part)

    def panels(self, columns_per_panel: int) -> Iterator[FloatArray]:
        for part in self.tensor_panels(columns_per_panel):
            yield self.bring_home(part)

    def sample(self, indices: IntArray) -> FloatArray:
        with borrowed_device(self.device):
            where = from_host(indices, self.device, np.int64)
            found = self.pick(self.tensor.index_select(0, where))
        return self.bring_home(found).astype(np.float64)

    def bring_home(self, part: Tensor) -> FloatArray:
        """A fresh array, in the dtype of blocks."""
        import torch

        with borrowed_device(self.device):
            wide = torch.float32 if self.dtype.itemsize == 4 else torch.float64
            found = to_host(part.to(wide))
            return found.copy(order="K") if self.device.type == "cpu" else found

    def find_bad_values(self) -> BadValues:
        """NaN and infinity, searched where they lie; only the first places come home."""
        import torch

        bad, start = BadValues(), 0
        with borrowed_device(self.device):
            for block in self.tensors(max(1, BLOCK_ENTRIES // self.shape[1])):
                wrong = ~torch.isfinite(block)
                nans, count = int(torch.isnan(block).sum()), int(wrong.sum())
                bad.nans += nans
                bad.infinities += count - nans
                bad.rows += int(wrong.any(1).sum())
                if count and len(bad.places) < PLACES_SHOWN:
                    places = wrong.nonzero()[: PLACES_SHOWN - len(bad.places)].tolist()
                    bad.places.extend((row + start, column) for row, column in places)
                start += len(block)
        return bad

    def __repr__(self) -> str:
        stored = str(self.tensor.dtype).removeprefix("torch.")
        rows, columns = self.shape
        return f"TensorSource({rows} x {columns}, stored as {stored} on {self.device})"


def accepts(data: object) -> bool:
    return is_device_array(data)


def source_from(data: Any, columns: Columns | None) -> TensorSource:
    tensor = tensor_of(data)
    shape = tuple(tensor.shape)
    if shape == (0,):
        raise DataError.empty(shape)
    if tensor.ndim not in (2, *PICTURE_AXES):
        raise DataError.not_two_dimensional(shape)
    column_shape = shape[1:] if tensor.ndim in PICTURE_AXES and columns is None else None
    table = tensor.flatten(1) if tensor.ndim in PICTURE_AXES else tensor
    picked = pick_columns(columns, range(table.shape[1]))
    if isinstance(picked, slice):
        return TensorSource(table[:, picked], None, column_shape)
    return TensorSource(table, from_host(picked, table.device, np.int64), column_shape)
