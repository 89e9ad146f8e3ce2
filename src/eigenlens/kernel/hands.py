"""Hands: the same work on many tiles, in threads, results in the order of the tiles.

Every thread takes a tile through products and exponentials while it is in cache, with one BLAS
thread each: BLAS's own would idle, spinning, through the exponentials (docs/decisions/0010). Which
thread does what leaves no trace: tiles are the same, and are added up in their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from eigenlens.table.threads import one_blas_thread

__all__ = ["each"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def each(work: Callable[[Item], Result], items: Iterable[Item], hands: int) -> Iterator[Result]:
    """`work` on every item; at most two items per hand are in memory at one time.

    One hand takes one BLAS thread too, so that it rounds as many do.
    What is not finite is told of by whoever asked for it, not by numpy in the middle of the work.
    """

    def quietly(item: Item) -> Result:
        with np.errstate(over="ignore", invalid="ignore"):
            return work(item)

    if hands == 1:
        with one_blas_thread():
            yield from map(quietly, items)
        return
    waiting: deque[Future[Result]] = deque()
    with one_blas_thread(), ThreadPoolExecutor(hands) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(quietly, item))
                if len(waiting) > hands:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
