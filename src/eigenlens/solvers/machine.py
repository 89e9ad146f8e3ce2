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


@dataclass(frozen=True)
class Machine:
    """Rates in bytes and floating-point operations per second, float64; float32 is `single` x."""

    read: float
    gram: float  # B'B, counted as n d^2
    thin: float  # products with some tens of vectors, counted as 2 n d l
    eigen: float  # all eigenvectors, counted as p^3
    single: float


@cache
def measured() -> Machine:
    """This machine's rates; the best of three, so that a busy moment does not mislead."""
    rng = np.random.default_rng(0)
    wide = rng.standard_normal((1024, 512))
    low = wide.astype(np.float32)
    vectors = rng.standard_normal((512, 32))
    small = wide[:256, :256] @ wide[:256, :256].T
    gram = 1024 * 512**2 / best(lambda: wide.T @ wide)
    return Machine(
        read=wide.nbytes / best(lambda: np.add.reduce(wide, axis=None)),
        gram=gram,
        thin=2 * 1024 * 512 * 32 / best(lambda: wide @ vectors),
        eigen=256**3 / best(lambda: np.linalg.eigh(small)),
        single=1024 * 512**2 / best(lambda: low.T @ low) / gram,
    )


def best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return max(min(times), 1e-9)
