"""How far picked columns reach: what must be read to have them."""

from __future__ import annotations

from eigenlens.sources.columns import Picked

__all__ = ["reach", "takes_all"]


def reach(columns: Picked) -> tuple[int, int]:
    """The first of them in the file, and the one after the last."""
    if isinstance(columns, slice):
        return columns.start, columns.stop
    return (int(columns.min()), int(columns.max()) + 1) if columns.size else (0, 0)


def takes_all(columns: Picked, count: int) -> bool:
    """Whether these are all `count` columns in their order."""
    return isinstance(columns, slice) and columns == slice(0, count)
