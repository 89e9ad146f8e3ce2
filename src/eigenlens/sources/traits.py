"""Traits: what a source may say beyond its eight names, each with a default.

A source of your own needs none of them. One that has more to say has an attribute `traits`:

    traits = Traits(re_readable=False)

A source made from another one passes its traits on: `replace(traits_of(other), ...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.document.verdict import Verdict
from eigenlens.errors import MemoryBudgetError
from eigenlens.errors.row_place import RowPlace
from eigenlens.sources.checksum import Checksum
from eigenlens.sources.protocol import Block, Source

__all__ = [
    "Inertia",
    "Traits",
    "blocks_from",
    "evenly_spaced",
    "fingerprint_of",
    "keep_within",
    "peek_rows",
    "rows_differ",
    "traits_of",
]

ROWS_AT_ONCE = 4096
LIBRARY_BYTES = 64 << 20


@dataclass(frozen=True)
class Inertia:
    """Columns that are divided by the root of their mean, which is a share of the rows.

    `divided_by`: their squares are divided by as much besides; `row_weights`: the weights of the
    rows, where the table itself says them (counts).
    """

    is_share: npt.NDArray[np.bool_]
    divided_by: float
    row_weights: Float64Array | None = None
    shares: Float64Array | None = None  # where they are known; else they are the weighted means


@dataclass(frozen=True)
class Traits:
    # Where the rows lie. A text that no other data have means outside memory; `blocks` then takes
    # the row to start from as a second argument.
    fingerprint: str | None = None
    files: tuple[Path, ...] = ()
    remote: bool = False  # with the workers of a cluster, and they stay there
    threads: int = 0  # of that cluster
    workers: int = 1
    pieces: int = 0  # tasks that a pass over them takes at least

    # How they are read.
    re_readable: bool = True
    in_place: bool = False  # blocks are views of the file: reading takes no work
    changed: bool = False  # blocks are made of others as they are read, also in memory
    fresh: bool = True  # a block that may be written to is nobody else's
    by_columns: bool = True  # some columns can be read for their share of the cost
    working_bytes: int = 0  # memory the reader needs besides the blocks
    bytes_per_second: float = np.inf  # how fast it is read and decoded, about: by format
    float_stored: bool = False  # every stored number is a float64 or shorter: reading is exact
    passes_to_open: int = 0  # made before: to learn the number of rows, or what is missing

    # Columns that are missing together: for each the first of its kin. None: each by itself.
    together: npt.NDArray[np.intp] | None = None

    # What the rows say: as much about a correlation as this share of complete rows would.
    informative_share: float = 1.0

    # What the columns are: the shape of a picture whose pixels they are, None where in no shape.
    column_shape: tuple[int, ...] | None = None

    # What is no part of the table.
    left_out: Mapping[str, str] = field(default_factory=dict)  # columns by name: why
    # How a text file is written: header, encoding, numbers.
    decided: Mapping[str, Verdict] = field(default_factory=dict)

    # How rows become a table.
    inertia: Inertia | None = None  # of indicators and counts: the scale follows from the shares
    origin: tuple[Float64Array, ...] = ()  # what numbers are given less than
    computed: float = 0.0  # by how many roundings numbers are off that are computed when read
    below: float = 0.0  # how far below 0 variances of some direction are: of a matrix with rounding

    of_unit_length: bool = False  # rows divided by their length, unknown where a cell is missing

    # What the source can do.
    glance: Callable[[int], FloatArray] | None = None  # some rows from all over, cheaply
    within: Callable[[int], Source] | None = (
        None  # the same source with that much memory, if it can
    )
    in_double: Callable[[], Source] | None = None  # unrounded, where float32 rounds its numbers
    null_table: Callable[[int], Source] | None = None  # its noise without structure, by a key
    locate_rows: Callable[[Sequence[int]], Mapping[int, RowPlace]] | None = None
    find_bad_values: Callable[[], Any] | None = None  # NaN and infinity, searched where rows lie

    @property
    def is_stored(self) -> bool:
        """Whether the rows lie outside memory: reading takes time, and memory for a block."""
        return self.fingerprint is not None


PLAIN = Traits(fresh=False)  # of sources that others wrote: they may keep the blocks they give


def traits_of(source: Source) -> Traits:
    found: Traits = getattr(source, "traits", PLAIN)
    return found


def keep_within(source: Source, budget_bytes: int) -> Source:
    """The source, reading with no more than that much memory; an error where it has no way to.

    What a reader states is an estimate, and libraries hold buffers of their own: a reader that
    needs little more than a small budget is let through.
    """
    adapt = traits_of(source).within
    adapted = source if adapt is None else adapt(budget_bytes)
    needed = traits_of(adapted).working_bytes
    if needed > budget_bytes + LIBRARY_BYTES:
        raise MemoryBudgetError.too_small(budget_bytes, needed)
    return adapted


def peek_rows(source: Source, count: int) -> Float64Array:
    """Some rows to see where the data lie; not in any order, and perhaps fewer than `count`."""
    glance = traits_of(source).glance
    rows = glance(count) if glance is not None else source.sample(evenly_spaced(source, count))
    return np.asarray(rows, dtype=np.float64)


def rows_differ(source: Source, count: int = 1000) -> bool:
    """Whether some rows are seen to differ; rows that cannot be read again are not looked at."""
    if not traits_of(source).re_readable:
        return False
    sample = peek_rows(source, count)
    return bool((sample != sample[0]).any())


def evenly_spaced(source: Source, count: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    """`count` distinct rows spread over the table, first and last included."""
    total = source.shape[0]
    if count >= total:
        return np.arange(total, dtype=np.intp)
    # A step of 1 or more: all distinct.
    return np.arange(count, dtype=np.intp) * (total - 1) // max(count - 1, 1)


def blocks_from(source: Source, rows_per_block: int, start: int) -> Iterator[Block]:
    """Blocks from row `start` on; files go there, arrays in memory are cut."""
    if start == 0:
        yield from source.blocks(rows_per_block)
    elif traits_of(source).is_stored:
        yield from source.blocks(rows_per_block, start)  # type: ignore[call-arg]
    else:
        seen = 0
        for block in source.blocks(rows_per_block):
            seen += block.shape[0]
            if seen > start:
                yield block


def fingerprint_of(source: Source) -> str:
    """A text that tells these data from others: a file's own, or a sum over all numbers."""
    own: str | None = traits_of(source).fingerprint or getattr(source, "fingerprint", None)
    if own is not None:
        return own
    digest = Checksum()
    for block in source.blocks(ROWS_AT_ONCE):
        digest.add(block)
    return f"{source.shape} {source.dtype} {source.names} {digest}"
