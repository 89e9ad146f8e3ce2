"""Memory of a device: blocks are halved where it ends, and the pass is made again."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from eigenlens.errors import DeviceError
from eigenlens.machine.torch_device import borrowed_device, free_bytes, is_out_of_memory
from eigenlens.sources.device.rows import TensorRows
from eigenlens.table.column_sums import Sums
from eigenlens.table.roundings import UNIT_ROUNDOFF

__all__ = ["BlockLimit", "on_device"]

LEAST_BYTES = 1 << 16
FEWEST_ROWS, MANY_ROWS = 4096, 1 << 30  # of a block, however small and large the tolerance
ROUNDING_SHARE = 20 * UNIT_ROUNDOFF[8]  # a twentieth of what may be left, per rounding

Verb = TypeVar("Verb", bound=Callable[..., Any])


class HasBlocks(Protocol):
    """Rows that are read in blocks from a device."""

    @property
    def source(self) -> TensorRows: ...

    @property
    def limit(self) -> BlockLimit: ...


class BlockLimit:
    """How large a block may be: less after a device had no memory for it.

    `accuracy`: what may be left to rounding, as in `table/build.py`. Sums of a block are off by as
    many roundings as it has rows: blocks are shorter where that would spoil a small tolerance.
    """

    def __init__(self, size: int, accuracy: float = 0.0) -> None:
        self.first = self.size = size
        self.most_rows = max(FEWEST_ROWS, int(min(accuracy / ROUNDING_SHARE, MANY_ROWS)))

    def cut(self, error: BaseException, rows: HasBlocks) -> None:
        """Half of it, or the error in words where blocks are small already."""
        if rows.source.release():
            return
        if self.size <= LEAST_BYTES:
            device = rows.source.device
            raise DeviceError.out_of_memory(str(device), self.size, free_bytes(device)) from error
        self.size //= 2


def on_device(verb: Verb) -> Verb:
    """A verb with torch as it should be, and once more with smaller blocks where memory ends."""

    @wraps(verb)
    def run(rows: HasBlocks, *arguments: Any) -> Any:
        while True:
            try:
                with borrowed_device(rows.source.device):
                    return verb(rows, *arguments)
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
                rows.limit.cut(error, rows)
            for one in arguments:
                if isinstance(one, Sums):  # gathered from the first row on
                    for array in one.arrays:
                        array[:] = 0.0

    return cast(Verb, run)
