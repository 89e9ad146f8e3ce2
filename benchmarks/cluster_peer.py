"""Run by the cluster benchmark with the peers' own Python: dask-ml or Spark on the same rows.

    python cluster_peer.py NAME ROWS COLUMNS RANK CHUNK WORKERS        prints one line of JSON

It stands alone: in the peers' environment there is no eigenlens.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

ITERATIONS = (2, 4, 7, 10, 15)


def main() -> None:
    name, *numbers = sys.argv[1:]
    rows, columns, rank, chunk, workers = map(int, numbers)
    run = {"dask-ml": dask_ml, "spark": spark}[name]
    print("RESULT " + json.dumps(run(rows, columns, rank, chunk, workers)))


def table(rows: int, columns: int, chunk: int) -> Any:
    """The rows that all fit: variances 1/i, turned by nothing, made by the workers."""
    import dask.array as da

    deviations = np.arange(1, columns + 1) ** -0.5
    return da.random.default_rng(0).standard_normal((rows, columns), chunks=(chunk, columns)) * (
        deviations
    )


def dask_ml(rows: int, columns: int, rank: int, chunk: int, workers: int) -> list[dict[str, Any]]:
    from dask_ml.decomposition import PCA
    from distributed import Client, LocalCluster, wait

    found = []
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster),
    ):
        held = table(rows, columns, chunk).persist()
        wait(held)
        options: dict[str, dict[str, Any]] = {"tsqr": {"svd_solver": "tsqr"}}
        for count in ITERATIONS:
            options[f"randomized, {count} iterations"] = {
                "svd_solver": "randomized",
                "iterated_power": count,
            }
        for label, option in options.items():
            began = time.perf_counter()
            model = PCA(n_components=rank, random_state=0, **option).fit(held)
            seconds = time.perf_counter() - began
            values = np.asarray(model.explained_variance_).tolist()
            found.append({"name": f"dask-ml {label}", "seconds": seconds, "eigenvalues": values})
    return found


def spark(rows: int, columns: int, rank: int, chunk: int, workers: int) -> list[dict[str, Any]]:
    from pyspark.ml.feature import PCA
    from pyspark.ml.linalg import Vectors
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master(f"local[{workers}]")
        .config("spark.driver.memory", "6g")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    deviations = np.arange(1, columns + 1) ** -0.5

    def part(number: int) -> Any:
        drawn = np.random.default_rng(number).standard_normal((chunk, columns)) * deviations
        return ((Vectors.dense(row),) for row in drawn)

    numbers = session.sparkContext.parallelize(range(rows // chunk), rows // chunk)
    frame = numbers.flatMap(part).toDF(["features"]).cache()
    frame.count()
    began = time.perf_counter()
    model = PCA(k=rank, inputCol="features", outputCol="scores").fit(frame)
    seconds = time.perf_counter() - began
    shares = np.asarray(model.explainedVariance.toArray())
    session.stop()
    # It gives shares of the variance only; the trace of these rows is known well enough.
    trace = float(np.sum(1 / np.arange(1, columns + 1)))
    return [{"name": "spark", "seconds": seconds, "eigenvalues": (shares * trace).tolist()}]


if __name__ == "__main__":
    main()
