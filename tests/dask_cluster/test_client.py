"""How a client is treated: what is asked of it, waited for and given back."""

import asyncio
import os
import signal
import time

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from distributed import Client

import eigenlens as el
from eigenlens.sources.dask.task_graph import PassGraph
from eigenlens.sources.dask.workers import Workers
from eigenlens.sources.open import open_source
from tests.dask_cluster.processes import started
from tests.dask_cluster.rows import CHUNKINGS, COLUMNS, ROWS, SAME, K, slow_rows, table
from tests.distances import relative_error

WHOLE = table()
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture(scope="module")
def client():
    with started(1) as cluster, Client(cluster) as client:
        yield client


def test_a_result_may_take_longer_than_a_look(client, monkeypatch):
    monkeypatch.setattr("eigenlens.sources.dask.waiting.LOOK_SECONDS", 0.001)
    graph = PassGraph()
    root = graph.add(late_result)

    product = Workers(client).compute(lambda tied: (graph, root, []), None)

    assert product.shape == (1500, 1500)


def late_result():
    time.sleep(0.2)
    return np.ones((1500, 1500))


def test_nothing_is_held_while_somebody_keeps_the_error(client):
    def lowered(block, block_info=None):
        last = block_info[0]["chunk-location"][0] == 4
        return block.astype(np.float32) if last else block

    with pytest.raises(el.DataError) as kept:
        el.fit(CHUNKINGS["rows"](WHOLE).map_blocks(lowered, dtype=float), K)

    deadline = time.monotonic() + 5
    while client.futures and time.monotonic() < deadline:
        time.sleep(0.05)
    assert kept.value.__traceback__ is not None
    assert not client.futures


def test_progress_moves_within_a_pass(client, tmp_path):
    slow = da.from_array(WHOLE, chunks=(300, COLUMNS)).map_blocks(
        slow_rows, 0.2, str(tmp_path), dtype=float, meta=np.empty((0, 0))
    )
    told = []

    total = open_source(slow).reduced(rows_of, plus, told=told.append)

    assert total == ROWS
    assert len(set(told) - {0, 10}) >= 2
    assert told == sorted(told)


def rows_of(source, own):
    return source.shape[0]


def plus(left, right):
    return left + right


@pytest.mark.parametrize("ending", ["npy", "parquet"])
def test_a_file_that_workers_do_not_see_is_said(client, tmp_path, monkeypatch, ending):
    monkeypatch.chdir(tmp_path)  # the workers are elsewhere
    names = [f"c{i}" for i in range(COLUMNS)]
    np.save("rows.npy", WHOLE)
    pd.DataFrame(WHOLE, columns=names).to_parquet("rows.parquet")

    with pytest.raises(el.errors.ClusterError, match=r"cannot read the file: .*rows\.") as told:
        el.fit(f"rows.{ending}", K, cluster=client)
    assert "an absolute path on a disk that all workers see" in str(told.value)


def test_a_closed_client_is_said(client):
    gone = Client(client.scheduler.address, set_as_default=False)
    gone.close()

    with pytest.raises(el.errors.ClusterError, match=r"is closed\. Pass one that"):
        el.fit(CHUNKINGS["rows"](WHOLE), K, cluster=gone)


def test_an_asynchronous_client_is_said(client):
    async def fitted():
        address = client.scheduler.address
        async with Client(address, asynchronous=True, set_as_default=False) as other:
            el.fit(CHUNKINGS["rows"](WHOLE), K, cluster=other)

    with pytest.raises(el.errors.ClusterError, match="is asynchronous, but a fit waits"):
        asyncio.run(fitted())


def test_a_cluster_that_adapts_starts_workers_for_a_fit():
    with started(0) as cluster, Client(cluster, set_as_default=False) as client:
        cluster.adapt(minimum=0, maximum=1, interval="100ms")

        found = el.fit(CHUNKINGS["rows"](WHOLE), K, cluster=client)

    assert relative_error(found.eigenvalues, el.fit(WHOLE, K).eigenvalues) <= SAME


def test_a_cluster_without_workers_is_said(monkeypatch):
    monkeypatch.setattr("eigenlens.sources.dask.cluster.WORKER_SECONDS", 0.5)

    with (
        started(0) as cluster,
        Client(cluster, set_as_default=False) as client,
        pytest.raises(el.errors.ClusterError, match=r"none joined within 0\.5 seconds"),
    ):
        el.fit(CHUNKINGS["rows"](WHOLE), K, cluster=client)


@pytest.mark.parametrize("given", [8786, "nonsense", "", "http://127.0.0.1:80", "inproc://x"])
def test_what_is_no_cluster_is_refused_at_once(given):
    began = time.monotonic()

    with pytest.raises(el.errors.ClusterError, match=f"cluster={given!r} is neither"):
        el.fit(CHUNKINGS["rows"](WHOLE), K, cluster=given)

    assert time.monotonic() - began < 5


def test_a_task_that_kills_its_workers_is_said():
    def deadly(block):
        os.kill(os.getpid(), signal.SIGKILL)

    chunks = CHUNKINGS["rows"](WHOLE).map_blocks(deadly, dtype=float, meta=np.empty((0, 0)))

    with started(1) as cluster, Client(cluster, set_as_default=False) as client:
        client.run_on_scheduler(allow_no_failures)
        with pytest.raises(
            el.errors.ClusterLost, match=r"ran out of memory .* Make the chunks small"
        ):
            el.fit(chunks, K, cluster=client)


def allow_no_failures(dask_scheduler):
    dask_scheduler.allowed_failures = 0
