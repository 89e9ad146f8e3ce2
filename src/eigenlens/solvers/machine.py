"""What this machine can do: bytes read and products computed per second, measured once.

A few products of the kinds the solvers use, tens of milliseconds in all, cached for the process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

__all__ = ["Machine", "measured"]

TRIES = 6
ENOUGH_SECONDS = 0.05


@dataclass(frozen=True)
class Machine:
    """Rates in bytes and floating-point operations per second, in float64.

    Only reading and the Gram product are measured; the others follow it from machine to machine.
    """

    read: float
    gram: float  # B'B, counted as n d^2
    single: float  # how many times faster in float32

    @property
    def thin(self) -> float:
        """Products with some tens of vectors, counted as 2 n d l."""
        return 0.7 * self.gram

    @property
    def eigen(self) -> float:
        """All eigenvectors of a p x p matrix, counted as p^3."""
        return self.gram / 9


@cache
def measured() -> Machine:
    """This machine's rates; the best of several tries, so that a busy moment does not mislead."""
    rows = np.ones((2048, 512))
    part = rows[:1024]
    low = part.astype(np.float32)
    gram = part.size * 512 / best(lambda: part.T @ part)
    single = part.size * 512 / best(lambda: low.T @ low) / gram
    return Machine(
        read=rows.nbytes / best(lambda: rows.sum(axis=0)),
        gram=gram,
        single=float(np.clip(single, 1.0, 2.5)),
    )


def best(work: Callable[[], object]) -> float:
    times: list[float] = []
    # On a crowded machine a product can take a hundred times as long: then one try must do.
    while len(times) < TRIES and sum(times) < ENOUGH_SECONDS:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return max(min(times), 1e-9)
