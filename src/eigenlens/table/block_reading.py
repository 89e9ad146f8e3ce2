"""Blocks of dense rows as they are read: as many rows at once as are multiplied while in cache."""

from __future__ import annotations

from collections.abc import Iterator

from eigenlens.algebra.typing import FloatArray
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.parallel import read_ahead
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import blocks_from, traits_of

__all__ = ["read_blocks"]

WARM_BYTES = 4 << 20  # a block of this size or more is worth a call of its own
COPIED_BYTES = 1 << 19  # and a shifted copy of this size


def read_blocks(
    source: Source, start: int, rows: int, block_bytes: int, copied: bool
) -> Iterator[FloatArray]:
    """From files as many times `rows` as a block may have; from memory where those are few."""
    row_bytes, traits = source.shape[1] * source.dtype.itemsize, traits_of(source)
    most = WARM_BYTES if traits.changed and not traits.is_stored else block_bytes
    many = max(1, most // row_bytes // rows) * rows
    if not traits.is_stored or traits.in_place:
        few = max(1, COPIED_BYTES // row_bytes // rows) * rows if copied else many
        few = rows if rows * row_bytes >= WARM_BYTES else few
        yield from blocks_from(source, few, start)
        return
    with one_blas_thread():  # decoding is most of the work, and idle helpers would slow it down
        yield from read_ahead(blocks_from(source, many, start))
