"""Reading ahead: the next block is read and decoded in a thread while this one is multiplied.

One block at a time is ahead, never more: with the one in use that makes two in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import TypeVar

__all__ = ["read_ahead"]

Item = TypeVar("Item")
Report = tuple[str, object]  # ("block", it), ("error", it) or ("end", None)


def read_ahead(blocks: Iterator[Item]) -> Iterator[Item]:
    """The same blocks in the same order; an error while reading is raised when its turn comes."""
    reports: SimpleQueue[Report] = SimpleQueue()
    wanted = Semaphore(1)  # how many blocks may be read before one is asked for
    stopped: list[bool] = []

    def read() -> None:
        try:
            while wanted.acquire() and not stopped:
                try:
                    block = next(blocks)
                except StopIteration:
                    reports.put(("end", None))
                    return
                reports.put(("block", block))
                del block  # else it would live until the next one is read
        except BaseException as error:  # handed over to whoever waits for the block
            reports.put(("error", error))
        finally:
            close = getattr(blocks, "close", None)
            if close is not None:
                close()

    thread = Thread(target=read, name="eigenlens-read-ahead", daemon=True)
    thread.start()
    try:
        while True:
            kind, what = reports.get()
            if kind == "end":
                return
            if kind == "error":
                raise what  # type: ignore[misc]
            wanted.release()
            yield what  # type: ignore[misc]
            del what
    finally:
        stopped.append(True)
        wanted.release()
        thread.join()
