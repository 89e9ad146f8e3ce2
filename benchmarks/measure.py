"""Interleaved timing: A B C A B C ..., medians, nothing dropped.

A busy moment of the machine then meets everybody alike. Everybody runs in the first round; who can
still matter runs in the later ones.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

__all__ = ["THREADS", "Times", "limited_threads", "median", "one_round", "rounds_due"]

Times = dict[str, list[float]]

CLOSE = 2.0  # within this factor of the fastest: all rounds
FAR = 3.0  # beyond this factor, or not accurate enough: the first round is all
FEW_ROUNDS = 3
THREADS = 2
SETTLE_SECONDS = 0.2  # OpenBLAS's helpers spin for 0.1 s after a product: not in others' time


@contextmanager
def limited_threads(count: int = THREADS) -> Iterator[None]:
    """So many threads for everybody, where threadpoolctl can see to it; the report names them."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    import scipy.linalg  # noqa: F401  its BLAS must be loaded to be limited

    with threadpool_limits(count):
        yield


def one_round(works: Mapping[str, Callable[[], Any]], times: Times) -> dict[str, Any]:
    """Do every work once, in order; the wall seconds are added to `times`."""
    results = {}
    gc.collect()  # before, not within: what earlier rounds left is nobody's time
    seconds = 0.0
    for name, work in works.items():
        time.sleep(min(SETTLE_SECONDS, 10 * seconds))  # tiny works, as in a dry run, leave none
        start = time.perf_counter()
        results[name] = work()
        seconds = time.perf_counter() - start
        times.setdefault(name, []).append(seconds)
    return results


def rounds_due(times: Times, reached: set[str], always: set[str], repeats: int) -> dict[str, int]:
    """How many rounds each deserves, judged by the first: fewer for those who cannot win."""
    fastest = min((times[name][0] for name in reached), default=float("inf"))
    due = {}
    for name, (first, *_) in times.items():
        if name in always or (name in reached and first <= CLOSE * fastest):
            due[name] = repeats
        elif name in reached and first <= FAR * fastest:
            due[name] = min(FEW_ROUNDS, repeats)
        else:
            due[name] = 1
    return due


def median(seconds: list[float]) -> float:
    return statistics.median(seconds)
