"""Clusters of this machine, and how large the tables are that they get."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

__all__ = ["DRY_CLUSTER", "FULL_CLUSTER", "ClusterSizes", "cluster_of"]


@dataclass(frozen=True)
class ClusterSizes:
    rows: int
    scaling_rows: int
    columns: int
    rank: int
    chunk: int
    rounds: int
    streamed_bytes: int
    peers: bool


FULL_CLUSTER = ClusterSizes(400_000, 1_600_000, 200, 10, 20_000, 3, 20 * 10**9, True)
DRY_CLUSTER = ClusterSizes(4_000, 4_000, 20, 3, 1_000, 1, 4 * 10**6, False)


@contextmanager
def cluster_of(workers: int, memory: str = "auto") -> Iterator[Any]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=memory,
            dashboard_address="127.0.0.1:0",
        ) as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(workers)
        yield client
