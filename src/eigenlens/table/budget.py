"""The memory budget: "2GB", "500 MiB", a number of bytes, or a fraction of the machine's memory."""

from __future__ import annotations

import re
from numbers import Real

from eigenlens.errors import MemoryBudgetError
from eigenlens.machine.limits import available_memory

__all__ = ["budget_bytes"]

DEFAULT_FRACTION = 0.25
UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}
BINARY = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def budget_bytes(memory: object, all_bytes: int | None = None) -> int:
    """Bytes that a fit may use beside the data; `all_bytes`: those of a device, of which a part."""
    if memory is None:
        memory = DEFAULT_FRACTION
    if isinstance(memory, bool):
        raise MemoryBudgetError.unreadable(memory)
    if isinstance(memory, str):
        return parse_bytes(memory)
    if isinstance(memory, Real) and 0 < (given := float(memory)) < float("inf"):
        if given >= 1:
            return int(given)
        return int(given * (available_memory() if all_bytes is None else all_bytes))
    raise MemoryBudgetError.unreadable(memory)


def parse_bytes(text: str) -> int:
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([kmgt]?)(i?)b?\s*", text.lower())
    if match is None or float(match[1]) <= 0 or (match[3] and not match[2]):
        raise MemoryBudgetError.unreadable(text)
    unit = BINARY[match[2]] if match[3] else UNITS[match[2]]
    return int(float(match[1]) * unit)
