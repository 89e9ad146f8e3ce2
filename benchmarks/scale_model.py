"""What a pass costs on W workers, from rates measured on one machine.

    seconds = work / (min(W t, cores) rate) + W t overhead + tasks of a lane * latency
            + (log2 W + 1) * (result bytes / network + latency)
            + vector bytes / network                            once to every worker, side by side

work is n d^2 flops for the covariance matrix, 4 n d l for a product with l vectors; a result is
8 d^2 or 8 d l bytes. `cores` is how many of the threads can run at once: all of them, but for
several workers on one small machine.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from eigenlens.sources.dask.rows import BYTES_PER_TASK, MOST_TASKS

__all__ = ["FORESEEN", "Rates", "foreseen", "pass_seconds"]


@dataclass(frozen=True)
class Rates:
    """Of one thread, and of the network between two workers."""

    gram: float  # flops per second of X'X, counted as n d^2
    thin: float  # flops per second of X'(X V), counted as 4 n d l
    network: float  # bytes per second
    latency: float  # seconds for a task that does nothing, there and back
    overhead: float  # seconds per task


@dataclass(frozen=True)
class Work:
    """A table and what is asked of one pass over it."""

    rows: float
    columns: float
    vectors: float | None  # None: the covariance matrix

    def flops(self, rates: Rates) -> float:
        """In units of the rate's own seconds."""
        if self.vectors is None:
            return self.rows * self.columns**2 / rates.gram
        return 4 * self.rows * self.columns * self.vectors / rates.thin

    def tasks(self, hands: int) -> int:
        """One after the other, in each hand."""
        share = 8 * self.rows * self.columns / hands
        return min(MOST_TASKS, math.ceil(share / BYTES_PER_TASK))

    @property
    def result_bytes(self) -> float:
        return 8 * self.columns * (self.columns if self.vectors is None else self.vectors)


def pass_seconds(
    work: Work, workers: int, rates: Rates, threads: int = 1, cores: int | None = None
) -> float:
    """Predicted seconds of one pass."""
    hands = workers * threads
    busy = hands if cores is None else min(hands, cores)
    gathering = (math.log2(workers) + 1) * (work.result_bytes / rates.network + rates.latency)
    sending = 0.0 if work.vectors is None else work.result_bytes / rates.network
    dealing = hands * rates.overhead + work.tasks(hands) * rates.latency
    return work.flops(rates) / busy + dealing + gathering + sending


# Tables that no machine here could hold: (name, work, passes, workers, threads per worker).
FORESEEN = (
    ("1e10 x 1000, covariance", Work(1e10, 1e3, None), 1, 100, 16),
    ("1e10 x 1000, covariance", Work(1e10, 1e3, None), 1, 1000, 16),
    ("1e10 x 1000, 20 components by krylov", Work(1e10, 1e3, 32), 6, 100, 16),
    ("5e5 x 6e6, 20 components by krylov", Work(5e5, 6e6, 32), 6, 100, 16),
    ("5e5 x 6e6, 20 components by krylov", Work(5e5, 6e6, 32), 6, 1000, 16),
)


def foreseen(rates: Rates, network: float) -> list[dict[str, Any]]:
    """The tables above on a cluster with this network and threads like the one measured."""
    there = Rates(**{**asdict(rates), "network": network})
    return [
        {
            "table": name,
            "workers": workers,
            "threads": threads,
            "passes": passes,
            "seconds": passes * pass_seconds(work, workers, there, threads),
            "result_bytes": work.result_bytes,
        }
        for name, work, passes, workers, threads in FORESEEN
    ]
