"""Work in threads whose results come in the order of the items, and reading ahead in a thread.

    ordered_map(work, items, threads)    work(item) for every item; few items in memory at a time
    read_ahead(blocks)                   the same blocks, the next one read while this one is used
    with keep_threads():                 every `ordered_map` inside works in the same threads

Results do not depend on which thread does what: items are the same, and come out in their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import islice
from typing import Any, TypeVar

__all__ = ["keep_threads", "ordered_map", "read_ahead"]

Item = TypeVar("Item")
Result = TypeVar("Result")
END = object()
Pools = dict[int, ThreadPoolExecutor]  # by how many threads they have
_kept: ContextVar[Pools | None] = ContextVar("kept threads", default=None)


@contextmanager
def keep_threads() -> Iterator[None]:
    """For short works, again and again: new threads often begin on one processor together.

    Products of 3 ms in two new threads took 4.2 ms on average, in two kept ones 2.9. Workers that
    call `ordered_map` themselves start threads of their own: they could wait for each other.
    """
    pools: Pools = {}
    before = _kept.set(pools)
    try:
        yield
    finally:
        _kept.reset(before)
        for pool in pools.values():
            pool.shutdown(wait=False, cancel_futures=True)


def ordered_map(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[Result]:
    """Items are taken in this thread, `threads` + 1 of them ahead of the result in use at most.

    A single item is worked on here too: of many small files each would start threads of its own.
    """
    if threads == 1:
        yield from map(work, items)
        return
    left = iter(items)
    ahead = list(islice(left, 2))
    if len(ahead) < 2:
        yield from map(work, ahead)
        return
    items = chain_consumed(ahead, left)
    waiting: deque[Future[Result]] = deque()
    kept = _kept.get()
    pool = start_threads(threads) if kept is None else kept.get(threads) or start_threads(threads)
    if kept is not None:
        kept[threads] = pool
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            del item  # else it would live until the next one is taken
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        # Without waiting: Python may close this generator wherever it likes, and a Ctrl-C that
        # comes while it waits there would be swallowed.
        if kept is None:
            pool.shutdown(wait=False, cancel_futures=True)
        for future in waiting:
            future.cancel()


def start_threads(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(
        count, thread_name_prefix="eigenlens-map", initializer=partial(_kept.set, None)
    )


def chain_consumed(ahead: list[Item], left: Iterator[Item]) -> Iterator[Item]:
    """All of them in order; none lives on here once it is taken."""
    while ahead:
        yield ahead.pop(0)
    yield from left


def read_ahead(blocks: Iterator[Item]) -> Iterator[Item]:
    """One block ahead, never more; an error while reading is raised when its block is due.

    With the one in use that makes two blocks in memory.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="eigenlens-read-ahead") as pool:
        try:
            waiting: Future[Any] = pool.submit(next, blocks, END)
            while (block := waiting.result()) is not END:
                waiting = pool.submit(next, blocks, END)
                yield block
                del block  # else it would live until the next one is read
        finally:
            pool.submit(getattr(blocks, "close", bool))  # once the read under way has ended
