"""One worker, two, four: a pass on each, beside what the model of `scale_model.py` foresees."""

from __future__ import annotations

import os
import time
from dataclasses import asdict
from statistics import median
from typing import Any

import numpy as np

from benchmarks.cluster_peer import table
from benchmarks.cluster_sizes import ClusterSizes, cluster_of
from benchmarks.scale_model import Rates, Work, foreseen, pass_seconds
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.dask_table import PieceProduct, WorkerRows
from eigenlens.table.dense import CACHE_BYTES
from eigenlens.table.preparation import prepare

__all__ = ["scaling"]

ORDINARY_NETWORK = 1.25e9  # ten gigabits per second
TURNS = (1, 2, 1, 2, 1, 2, 4)  # workers
PASSES = {"covariance": None, "product": 32}  # vectors to multiply by
MANY_TASKS = 300


def scaling(sizes: ClusterSizes) -> dict[str, Any]:
    """Passes on 1, 2 and 4 workers beside what the model foresees from rates measured here.

    Of a table large enough that the work counts; clusters take turns, and only one is there at a
    time, for idle ones cost something too.
    """
    cores = len(os.sched_getaffinity(0))
    rates: Rates | None = None
    times: dict[tuple[int, str], list[float]] = {}
    for workers in TURNS:
        with cluster_of(workers) as client:
            held = dealt(client, sizes)
            rates = measured_rates(client, sizes) if rates is None else rates
            for name, vectors in PASSES.items():
                spent = median(pass_time(held, vectors) for _ in range(sizes.rounds + 1))
                times.setdefault((workers, name), []).append(spent)
    assert rates is not None
    lines = []
    for (workers, name), spent in sorted(times.items()):
        work = Work(sizes.scaling_rows, sizes.columns, PASSES[name])
        told = pass_seconds(work, workers, rates, cores=cores)
        line = {"workers": workers, "pass": name, "seconds": median(spent), "foreseen": told}
        lines.append(line)
    pairs = {name: zip(times[1, name], times[2, name], strict=True) for name in PASSES}
    efficiency = {name: median(a / (2 * b) for a, b in pair) for name, pair in pairs.items()}
    return {
        "rates": asdict(rates),
        "scaling": lines,
        "efficiency": efficiency,
        "foreseen": foreseen(rates, ORDINARY_NETWORK),
    }


def dealt(client: Any, sizes: ClusterSizes) -> Any:
    """The rows in memory, as many with one worker as with the other."""
    import dask.array as da
    from distributed import wait

    whole = table(sizes.scaling_rows, sizes.columns, sizes.chunk)
    workers = sorted(client.scheduler_info(n_workers=-1)["workers"])
    parts = [
        client.persist(whole.blocks[index :: len(workers)], workers=[worker])
        for index, worker in enumerate(workers)
    ]
    wait(parts)
    return da.concatenate(parts)


def pass_time(held: Any, vectors: int | None) -> float:
    """One pass, without a solver around it."""
    source = open_source(held)
    rows = build_table(source, prepare(source, True, None, None))
    block = None if vectors is None else np.ones((source.shape[1], min(vectors, source.shape[1])))
    began = time.perf_counter()
    if block is None:
        rows.covariance()
    else:
        rows.covariance_times(block)
    return time.perf_counter() - began


def measured_rates(client: Any, sizes: ClusterSizes) -> Rates:
    """What one worker of this cluster does in a second."""
    gram, thin = client.submit(product_rates, sizes.chunk, sizes.columns).result()
    began = time.perf_counter()
    for _ in range(20):
        client.submit(len, (), pure=False).result()
    latency = (time.perf_counter() - began) / 20
    began = time.perf_counter()
    client.gather(client.map(len, [()] * MANY_TASKS, pure=False))
    overhead = (time.perf_counter() - began) / MANY_TASKS
    payload = np.ones(4_000_000)
    began = time.perf_counter()
    client.submit(np.copy, client.scatter(payload, direct=True), pure=False).result()
    network = 2 * payload.nbytes / (time.perf_counter() - began)
    return Rates(gram, thin, network, latency, overhead)


def product_rates(rows: int, columns: int) -> tuple[float, float]:
    """Of the verbs that a pass is made of, on one chunk."""
    block = np.random.default_rng(0).standard_normal((rows, columns))
    source, local = open_source(block), WorkerRows(None, False, CACHE_BYTES)

    def seconds(name: str, *given: Any) -> float:
        verb, spent = PieceProduct(name, local, np.ones(columns), True, True), []
        for _ in range(15):
            began = time.perf_counter()
            verb(source, (None, None), *given)
            spent.append(time.perf_counter() - began)
        return median(spent)

    gram = rows * columns**2 / seconds("gram")
    thin = 4 * rows * columns * 32 / seconds("gram_times", np.ones((columns, 32)))
    return gram, thin
