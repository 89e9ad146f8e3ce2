"""Rows of the host on a device: blocks are copied there when needed, and kept while they fit.

    first pass    read a block (the next one meanwhile), copy it, keep it
    later passes  blocks that were kept cost no copy; the others are copied again

What is kept has the stored dtype: a float32 table takes half of what its float64 products would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from eigenlens.document.verdict import Verdict
from eigenlens.errors import DeviceError
from eigenlens.machine.parallel import read_ahead
from eigenlens.machine.torch_device import (
    Tensor,
    TorchDevice,
    borrowed_device,
    find_device,
    from_host,
)
from eigenlens.sources.device.rows import TensorRows, is_on_device
from eigenlens.sources.moments_only import MomentsSource
from eigenlens.sources.own_precision import unrounded_source
from eigenlens.sources.protocol import Block, FloatArray, IntArray, Source
from eigenlens.sources.traits import Traits, blocks_from, traits_of
from eigenlens.sources.wrapping import WrappingSource

__all__ = ["UploadedSource", "place_source"]

KEPT_PART = 2  # blocks that are kept take at most this part of the budget


class KeptBlocks:
    """The first blocks of a table, on the device; all have the same number of rows."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.rows_per_block = 0
        self.blocks: list[Tensor] = []

    def of(self, rows_per_block: int) -> list[Tensor]:
        """Those there are; none where they were cut otherwise."""
        if rows_per_block != self.rows_per_block:
            self.rows_per_block, self.blocks = rows_per_block, []
        return list(self.blocks)

    def keep(self, block: Tensor, place: int) -> None:
        size = block.numel() * block.element_size()
        if place == len(self.blocks) and (place + 1) * size <= self.most_bytes:
            self.blocks.append(block)


@dataclass(frozen=True, eq=False)
class UploadedSource(WrappingSource):
    """`source`: the rows as the host has them, dense."""

    device: TorchDevice
    kept: KeptBlocks
    reason: str = field(default="the call named it: rows are copied there block by block")

    is_sparse = False

    @property
    def traits(self) -> Traits:
        return traits_of(self.source)

    @property
    def place(self) -> Verdict:
        return Verdict(str(self.device), "request", self.reason)

    def tensors(self, rows_per_block: int) -> Iterator[Tensor]:
        kept = self.kept.of(rows_per_block)
        yield from kept
        if sum(map(len, kept)) == self.shape[0]:
            return
        rest = blocks_from(self.source, rows_per_block, len(kept) * rows_per_block)
        for place, block in enumerate(read_ahead(rest), len(kept)):
            tensor = self.upload(block)
            self.kept.keep(tensor, place)
            yield tensor

    def tensor_panels(self, columns_per_panel: int) -> Iterator[Tensor]:
        for panel in read_ahead(self.source.panels(columns_per_panel)):
            yield self.upload(panel)

    def upload(self, block: FloatArray) -> Tensor:
        """A copy of its own: a block of the host may be overwritten when the next one is read."""
        with borrowed_device(self.device):
            tensor = from_host(block, self.device, block.dtype)
            return tensor.clone() if self.device.type == "cpu" else tensor

    def release(self) -> bool:
        held = bool(self.kept.blocks)
        self.kept.most_bytes, self.kept.blocks = 0, []
        return held

    # -- the rows as they are at home --------------------------------------------------------

    def blocks(self, rows_per_block: int, *start: int) -> Iterator[Block]:
        return self.source.blocks(rows_per_block, *start)

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        return self.source.panels(columns_per_panel)

    def sample(self, indices: IntArray) -> FloatArray:
        return self.source.sample(indices)

    def __repr__(self) -> str:
        return f"{self.source!r} on {self.device}"


def place_source(
    source: Source, asked: str, budget_of: Callable[[TorchDevice], int], insist: bool = True
) -> Source:
    """The rows on the device `asked`; an error, if the call did `insist`, where they cannot be."""
    if is_on_device(source):
        return place_tensor(source, find_device(asked), budget_of)
    if asked == "cpu":
        return source  # numpy makes the products, without torch
    device = find_device(asked)
    unsuited = kind_for_the_host(source)
    if unsuited is not None:
        if insist:
            raise DeviceError.not_for(unsuited, asked)
        return source
    kept = KeptBlocks(budget_of(device) // KEPT_PART)
    # Products there are of float64: so are the numbers, where float32 would round them.
    return UploadedSource(unrounded_source(source), device, kept)


def kind_for_the_host(source: Source) -> str | None:
    """In words, what is worked on by the processor wherever it comes from; None: nothing is."""
    if traits_of(source).remote:
        return "rows on the workers of a cluster"
    if source.is_sparse:
        return "sparse tables"
    if isinstance(source, MomentsSource):
        return "tables whose covariance matrix is estimated first"
    return None


def place_tensor(
    source: TensorRows, device: TorchDevice, budget_of: Callable[[TorchDevice], int]
) -> Source:
    """Data that lie on a device come home where that is asked, and go to no other device."""
    if device == source.device:
        return source
    if device.type == "cpu":
        why = f"the call named it: rows come from {str(source.device)!r} block by block"
        return UploadedSource(source, device, KeptBlocks(budget_of(device) // KEPT_PART), why)
    raise DeviceError.two_devices(str(source.device), str(device))
