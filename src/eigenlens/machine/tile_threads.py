"""The same work on many tiles, in threads, results in the order of the tiles.

Every thread takes a tile through all that is done with it while it is in cache, with one BLAS
thread each: BLAS's own would idle, spinning, while anything else is done (docs/decisions/0010).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import numpy as np

from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.machine.parallel import ordered_map

__all__ = ["map_in_threads"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_threads(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[Result]:
    """`work` on every item; at most two items per thread are in memory at one time.

    One thread takes one BLAS thread too, so that it rounds as many do.
    Values that are not finite are reported by the caller, not by numpy in the middle of the work.
    """

    def quietly(item: Item) -> Result:
        with np.errstate(over="ignore", invalid="ignore"):
            return work(item)

    with one_blas_thread():
        yield from ordered_map(quietly, items, threads)
