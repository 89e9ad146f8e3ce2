"""TensorRows: what a source offers whose rows can be had on a device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeGuard

from eigenlens.document.verdict import Verdict
from eigenlens.machine.torch_device import Tensor, TorchDevice
from eigenlens.sources.protocol import Source

__all__ = ["TensorRows", "is_on_device"]


class TensorRows(Source, Protocol):
    """A source with some names more. Tensors have the stored dtype, and are only read."""

    @property
    def device(self) -> TorchDevice: ...

    @property
    def place(self) -> Verdict:
        """Which device it is, and why that one."""

    def tensors(self, rows_per_block: int) -> Iterator[Tensor]:
        """Consecutive row blocks on the device; the last may be shorter."""

    def tensor_panels(self, columns_per_panel: int) -> Iterator[Tensor]:
        """Consecutive column panels (n, columns) on the device."""

    def release(self) -> bool:
        """Give back memory of the device that is not needed; whether there was any."""


def is_on_device(source: Source) -> TypeGuard[TensorRows]:
    return hasattr(source, "tensor_panels")
