"""Threads: how to have the processors to ourselves.

OpenBLAS's helpers wait for more work by spinning, for a tenth of a second after every product.
Sparse products run in threads of our own; between two dense ones they would share the processors
with those idle helpers and take twice as long (docs/decisions/0010).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

__all__ = ["one_blas_thread"]

_held = Lock()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """BLAS in one thread while inside; a second one to enter meanwhile changes nothing.

    Limits that overlap in time would each restore what the other had set.
    """
    if not _held.acquire(blocking=False):
        yield
        return
    try:
        with controller().limit(limits=1, user_api="blas"):
            yield
    finally:
        _held.release()


@cache
def controller() -> Any:
    from threadpoolctl import ThreadpoolController  # five milliseconds to look around, once

    return ThreadpoolController()
