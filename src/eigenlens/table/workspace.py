"""Workspace: how much memory a task has, for all of it and for one block; who follows its passes.

block   at most an eighth of the data and of what the reader leaves of the budget; a table that
        stays in cache is one block, so that what is made of it is kept from pass to pass
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.build import build_table
from eigenlens.table.dense import CACHED_BYTES
from eigenlens.table.meter import Meter
from eigenlens.table.pass_observer import PassObserver
from eigenlens.table.preparation import Preparation
from eigenlens.table.table import TableOperator

__all__ = ["MemoryLike", "Workspace", "bytes_per_block", "workspace_for"]

MemoryLike: TypeAlias = str | float | None  # "2GB", bytes, a fraction of RAM; None: the default
BLOCK_PART = 8  # a block takes at most this part of the budget, and of the data
SMALLEST_BLOCK = 1 << 20


@dataclass(frozen=True)
class Workspace:
    """Memory in bytes; the meter counts every pass over the data, the watch is told of it."""

    budget_bytes: int
    block_bytes: int
    meter: Meter = field(default_factory=Meter)
    watch: PassObserver = field(default_factory=PassObserver)

    def table(self, source: Source, preparation: Preparation) -> TableOperator:
        """The data themselves, every pass over them counted here."""
        table = build_table(source, preparation, self.block_bytes, self.watch)
        self.meter.add(table.meter)
        table.meter = self.meter
        return table


def workspace_for(
    source: Source, budget_bytes: int, watch: PassObserver | None = None
) -> Workspace:
    """Blocks of a size that suits the source and the budget."""
    block = bytes_per_block(source, budget_bytes)
    return Workspace(budget_bytes, block, watch=PassObserver() if watch is None else watch)


def bytes_per_block(source: Source, budget_bytes: int) -> int:
    """What a block may take: a small part of the data, and of the budget the reader leaves.

    Of files that are packed or compressed, a part of what they hold once decoded.
    """
    traits, whole = traits_of(source), source.stored_bytes
    if traits.is_stored and not source.is_sparse:
        whole = max(whole, source.shape[0] * source.shape[1] * source.dtype.itemsize)
    left = max(budget_bytes - traits.working_bytes, budget_bytes // 4)
    part = max(min(left, whole) // BLOCK_PART, SMALLEST_BLOCK)
    return min(CACHED_BYTES if whole <= CACHED_BYTES else part, left // 2)
