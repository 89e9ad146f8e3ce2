"""The same fit on a cluster: beside dask-ml and Spark, on one worker and two, and in 1 GB each.

Peers run in an environment of their own, which is made for the occasion and thrown away; where a
peer cannot be installed the page says so. Rows are persisted before anything is timed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import eigenlens
from benchmarks.cluster_peer import table
from benchmarks.cluster_scaling import scaling
from benchmarks.cluster_sizes import DRY_CLUSTER, FULL_CLUSTER, ClusterSizes, cluster_of
from benchmarks.targets import Target

__all__ = ["DRY_CLUSTER", "FULL_CLUSTER", "ClusterSizes", "cluster_results"]

PEERS = {"dask-ml": ("dask-ml",), "spark": ("pyspark", "numpy")}
SAME = 1e-6  # relative error of eigenvalues up to which an answer counts


def faster_than(name: str) -> Callable[[list[dict[str, Any]]], float | None]:
    """How many times faster than the peer at its best, of what is as accurate."""

    def value(cases: list[dict[str, Any]]) -> float | None:
        times = [
            one["seconds"]
            for one in cases[0]["peers"]
            if one["name"].startswith(name) and "seconds" in one and (one["error"] or 0.0) <= SAME
        ]
        return min(times) / cases[0]["ours"]["seconds"] if times else None

    return value


TARGETS = (
    Target("times faster than dask-ml at its best", faster_than("dask-ml"), 3.0),
    Target("times faster than Spark", faster_than("spark"), 3.0),
    Target(
        "efficiency of two workers, covariance", lambda all: all[0]["efficiency"]["covariance"], 0.8
    ),
    Target("efficiency of two workers, product", lambda all: all[0]["efficiency"]["product"], 0.8),
    Target("gigabytes through workers of 1 GB", lambda all: all[0]["streamed"]["bytes"] / 1e9, 20),
)


def cluster_results(sizes: ClusterSizes) -> dict[str, Any]:
    """Everything this page shows."""
    peers = peer_results(sizes) if sizes.peers else []
    ours, exact = our_results(sizes)
    for one in peers:
        one["error"] = error_of(one, exact)
    found = {
        "sizes": asdict(sizes),
        "ours": ours,
        "peers": peers,
        **scaling(sizes),
        "streamed": streamed(sizes),
    }
    return {"summary": [target.line([found]) for target in TARGETS], **found}


def error_of(one: dict[str, Any], exact: Any) -> float | None:
    # Spark draws its rows itself: they have the same law, not the same numbers.
    if one["name"] == "spark" or "eigenvalues" not in one:
        return None
    return float(np.abs(np.asarray(one["eigenvalues"]) / exact - 1).max())


def our_results(sizes: ClusterSizes) -> tuple[dict[str, Any], Any]:
    from distributed import wait

    with cluster_of(2):
        held = table(sizes.rows, sizes.columns, sizes.chunk).persist()
        wait(held)
        eigenlens.fit(held, sizes.rank)  # whatever is loaded and measured once
        times = []
        for _ in range(sizes.rounds):
            began = time.perf_counter()
            model = eigenlens.fit(held, sizes.rank)
            reached = model.certificate.relative_error
            times.append(time.perf_counter() - began)
    ours = {
        "seconds": median(times),
        "certified": reached,
        "solver": model.choices["solver"].value,
        "passes": model.certificate.passes,
    }
    return ours, model.eigenvalues


# -- peers -------------------------------------------------------------------------------------


def peer_results(sizes: ClusterSizes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    with TemporaryDirectory() as folder:
        for name, packages in PEERS.items():
            python = installed(packages, Path(folder) / name)
            if python is None:
                found.append({"name": name, "missing": f"{packages[0]} could not be installed"})
            else:
                found.extend(asked(python, name, sizes))
    return found


def installed(packages: Sequence[str], folder: Path) -> Path | None:
    """A Python that has the packages, in an environment of its own."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "-qq", *packages]
    done = subprocess.run(install, check=False, capture_output=True)
    return python if done.returncode == 0 else None


def asked(python: Path, name: str, sizes: ClusterSizes) -> list[dict[str, Any]]:
    script = Path(__file__).with_name("cluster_peer.py")
    numbers = (sizes.rows, sizes.columns, sizes.rank, sizes.chunk, 2)
    done = subprocess.run(
        [str(python), str(script), name, *map(str, numbers)], capture_output=True, text=True
    )
    for line in done.stdout.splitlines():
        if line.startswith("RESULT "):
            answers: list[dict[str, Any]] = json.loads(line.removeprefix("RESULT "))
            return answers
    return [{"name": name, "missing": done.stderr.strip().splitlines()[-1:]}]


# -- more rows than memory ---------------------------------------------------------------------


def streamed(sizes: ClusterSizes) -> dict[str, Any]:
    """Rows made by the workers as they are needed, never stored, in 1 GB of memory each."""
    columns = 256
    count = max(2, -(-sizes.streamed_bytes // (8 * columns * 20_000)))
    rows = table(count * 20_000, columns, 20_000)
    with cluster_of(2, "1GB") as client:
        began = time.perf_counter()
        model = eigenlens.fit(rows, 10)
        seconds = time.perf_counter() - began
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
        highest = max(one["metrics"]["memory"] for one in workers)
    return {
        "bytes": int(rows.nbytes),
        "seconds": seconds,
        "solver": model.choices["solver"].value,
        "passes": model.certificate.passes,
        "certified": model.certificate.relative_error,
        "workers_alive": len(workers),
        "memory_at_end": highest,
    }
