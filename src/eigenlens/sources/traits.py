"""Traits: what a source may tell besides its eight names, and what holds where it does not.

| trait              | says                                                   | else             |
|--------------------|--------------------------------------------------------|------------------|
| `fingerprint`      | a text that no other data have: the rows lie in a file | in memory        |
| `re_readable`      | False: the rows can be read only once                  | True             |
| `in_place`         | blocks are views of the file: reading takes no work    | False            |
| `by_columns`       | some columns can be read for their share of the cost   | True             |
| `bytes_per_second` | how fast it is read and decoded                        | as memory is     |
| `glance(count)`    | some rows from all over, cheaply                       | `sample` of some |
| `left_out`         | columns that are no part of the table                  | none             |
| `why_left_out`     | by name: why they are not                              | nothing          |
| `header`           | whether a first line names the columns, and why so     | None             |
| `files`            | the files it is read from                              | none             |
| `working_bytes`    | memory its reader needs besides the blocks             | none             |
| `within(bytes)`    | the same, reading with that much memory if it can      | itself           |
| `far`              | True: the rows lie with others, and stay there         | False            |
| `hands`, `workers` | threads, and processes, of a cluster that work on it   | 0, 1             |
| `passes_to_open`   | how often the rows were read to learn their number     | 0                |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.checksum import Checksum
from eigenlens.sources.protocol import Block, Source
from eigenlens.verdict import Verdict

__all__ = [
    "blocks_from",
    "by_columns",
    "bytes_per_second",
    "evenly_spaced",
    "far",
    "files_of",
    "fingerprint_of",
    "glimpse",
    "hands",
    "header_of",
    "in_place",
    "is_stored",
    "left_out",
    "passes_to_open",
    "re_readable",
    "rows_differ",
    "why_left_out",
    "within",
    "workers",
    "working_bytes",
]

ROWS_AT_ONCE = 4096
Thing = TypeVar("Thing")


def is_stored(source: Source) -> bool:
    """Whether the rows lie outside memory: reading them takes time, and room for a block."""
    return hasattr(source, "fingerprint")


def re_readable(source: Source) -> bool:
    return bool(getattr(source, "re_readable", True))


def in_place(source: Source) -> bool:
    return bool(getattr(source, "in_place", False))


def by_columns(source: Source) -> bool:
    return bool(getattr(source, "by_columns", True))


def bytes_per_second(source: Source) -> float:
    return float(getattr(source, "bytes_per_second", np.inf))


def left_out(source: Source) -> tuple[str, ...]:
    return tuple(getattr(source, "left_out", ()))


def why_left_out(source: Source) -> Mapping[str, str]:
    """The columns left out, each with the reason where one is told."""
    told: Mapping[str, str] = getattr(source, "why_left_out", {})
    return {name: told.get(name, "") for name in left_out(source)}


def header_of(source: Source) -> Verdict | None:
    found: Verdict | None = getattr(source, "header", None)
    return found


def files_of(source: Source) -> tuple[Path, ...]:
    return tuple(getattr(source, "files", ()))


def far(source: Source) -> bool:
    return bool(getattr(source, "far", False))


def hands(source: Source) -> int:
    return int(getattr(source, "hands", 0))


def workers(source: Source) -> int:
    return int(getattr(source, "workers", 1))


def passes_to_open(source: Source) -> int:
    return int(getattr(source, "passes_to_open", 0))


def working_bytes(source: Source) -> int:
    return int(getattr(source, "working_bytes", 0))


def within(thing: Thing, budget_bytes: int) -> Thing:
    """A source, or the reader of one, that keeps to a budget if it has a way to."""
    kept = getattr(thing, "within", None)
    return thing if kept is None else cast(Thing, kept(budget_bytes))


def glimpse(source: Source, count: int) -> Float64Array:
    """Some rows to see where the data lie; not in any order, and perhaps fewer than `count`."""
    glance = getattr(source, "glance", None)
    rows = glance(count) if glance is not None else source.sample(evenly_spaced(source, count))
    return np.asarray(rows, dtype=np.float64)


def rows_differ(source: Source, count: int = 1000) -> bool:
    """Whether some rows are seen to differ; of rows that are gone nothing is seen."""
    if not re_readable(source):
        return False
    sample = glimpse(source, count)
    return bool((sample != sample[0]).any())


def evenly_spaced(source: Source, count: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    """`count` distinct rows spread over the table, first and last included."""
    total = source.shape[0]
    return np.unique(np.linspace(0, total - 1, min(count, total)).astype(np.intp))


def blocks_from(source: Source, rows_per_block: int, start: int) -> Iterator[Block]:
    """Blocks from row `start` on; files go there, arrays in memory are cut."""
    if start == 0:
        yield from source.blocks(rows_per_block)
    elif is_stored(source):
        yield from source.blocks(rows_per_block, start)  # type: ignore[call-arg]
    else:
        seen = 0
        for block in source.blocks(rows_per_block):
            seen += block.shape[0]
            if seen > start:
                yield block


def fingerprint_of(source: Source) -> str:
    """A text that tells these data from others: a file's own, or a sum over all numbers."""
    if is_stored(source):
        return str(getattr(source, "fingerprint"))  # noqa: B009
    digest = Checksum()
    for block in source.blocks(ROWS_AT_ONCE):
        digest.add(block)
    return f"{source.shape} {source.dtype} {source.names} {digest}"
