"""Work in threads whose results come in the order of the items, and reading ahead in a thread.

    ordered_map(work, items, threads)    work(item) for every item; few items in memory at a time
    read_ahead(blocks)                   the same blocks, the next one read while this one is used

Results do not depend on which thread does what: items are the same, and come out in their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any, TypeVar

__all__ = ["ordered_map", "read_ahead"]

Item = TypeVar("Item")
Result = TypeVar("Result")
END = object()


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
    pool = ThreadPoolExecutor(threads, thread_name_prefix="eigenlens-map")
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
        pool.shutdown(wait=False, cancel_futures=True)


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
