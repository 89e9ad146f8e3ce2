"""A real cluster: workers are processes of their own, reached over TCP."""

import gc
import os
import signal
import threading
import time
import tracemalloc

import dask.array as da
import numpy as np
import pytest
from distributed import Client

import eigenlens as el
from tests.dask_cluster.processes import apart, started
from tests.dask_cluster.rows import CHUNKINGS, COLUMNS, ROWS, SAME, K, slow_rows, table
from tests.distances import assert_same_subspace, relative_error

WHOLE = table()
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture(scope="module")
def client():
    with started() as cluster, Client(cluster) as client:
        yield client


@pytest.mark.parametrize("name", CHUNKINGS)
@pytest.mark.parametrize("persisted", [False, True])
def test_the_model_is_the_one_in_memory(client, name, persisted):
    collection = CHUNKINGS[name](WHOLE)
    expected = el.fit(WHOLE, K, solver="covariance")

    found = el.fit(collection.persist() if persisted else collection, K, solver="covariance")

    assert relative_error(found.eigenvalues, expected.eigenvalues) <= SAME
    assert_same_subspace(found.components.T, expected.components.T, 1e-6)


def test_the_same_fit_gives_the_same_bits(client):
    collection = CHUNKINGS["many"](WHOLE).persist()

    one, two = (el.fit(collection, K, solver="krylov") for _ in range(2))

    assert np.array_equal(one.components, two.components)
    assert np.array_equal(one.eigenvalues, two.eigenvalues)


def test_workers_read_files_themselves(client, tmp_path):
    np.save(tmp_path / "rows.npy", WHOLE)

    found = el.fit(tmp_path / "rows.npy", K, cluster=client)

    assert "on a cluster" in found.provenance["data"]
    assert relative_error(found.eigenvalues, el.fit(WHOLE, K).eigenvalues) <= SAME


def test_row_groups_are_read_by_their_workers(client, tmp_path):
    import pandas as pd

    names = [f"c{i}" for i in range(COLUMNS)]
    for part in range(3):
        rows = pd.DataFrame(WHOLE[part * 1000 : (part + 1) * 1000], columns=names)
        rows.to_parquet(tmp_path / f"{part}.parquet", row_group_size=250)

    found = el.fit(str(tmp_path / "*.parquet"), K, cluster=client.scheduler.address)

    assert "12 pieces" in found.provenance["data"]
    assert relative_error(found.eigenvalues, el.fit(WHOLE, K).eigenvalues) <= SAME


def test_client_memory_does_not_grow_with_the_rows(client):
    def peak(rows):
        collection = da.random.default_rng(0).standard_normal((rows, 50), chunks=(5000, 50))
        tracemalloc.start()
        el.fit(collection, 3, solver="covariance")
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(5000)  # what is loaded and cached once

    assert peak(320_000) <= peak(20_000) + 2 * 8 * 320_000


def test_nothing_is_left_on_the_cluster(client):
    collection = CHUNKINGS["rows"](WHOLE)
    before = left(client)  # what other tests persisted may go meanwhile

    el.fit(collection, K)
    model = el.fit(collection, K, cluster=client)

    deadline = time.monotonic() + 30
    while left(client) - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left(client) - before == set()
    assert model.n_rows == ROWS


def left(client):
    gc.collect()
    return set(client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.tasks)))


@pytest.mark.parametrize("bytes_per_task", [1000, 10**9], ids=["between tasks", "in a task"])
def test_a_killed_worker_costs_its_own_work_only(tmp_path, monkeypatch, bytes_per_task):
    monkeypatch.setattr("eigenlens.sources.dask.rows.BYTES_PER_TASK", bytes_per_task)
    chunks = da.from_array(WHOLE, chunks=(100, COLUMNS))
    slow = chunks.map_blocks(slow_rows, 0.05, str(tmp_path), dtype=float, meta=np.empty((0, 0)))
    expected = el.fit(WHOLE, K, solver="covariance")

    with started() as cluster, Client(cluster) as client:
        client.wait_for_workers(2)
        victim = next(iter(cluster.workers.values())).pid
        killer = threading.Thread(target=kill_in_the_middle, args=(victim, tmp_path))
        killer.start()
        found = el.fit(slow, K, solver="covariance", cluster=client)
        killer.join()

    assert not alive(victim)
    assert relative_error(found.eigenvalues, expected.eigenvalues) <= SAME
    assert_same_subspace(found.components.T, expected.components.T, 1e-6)
    bounds = found.certificate.eigenvalue_bounds
    assert (bounds[:, 0] <= expected.eigenvalues).all()
    assert (expected.eigenvalues <= bounds[:, 1]).all()


def kill_in_the_middle(victim, folder):
    """Once it has worked on some chunks of its half."""
    notes = folder / str(victim)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if notes.exists() and notes.stat().st_size >= 5:
            os.kill(victim, signal.SIGKILL)
            return
        time.sleep(0.01)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_lost_scheduler_is_our_error_and_can_be_taken_up_again(tmp_path):
    slow = da.from_array(WHOLE, chunks=(1500, COLUMNS)).map_blocks(
        slow_rows, 0.25, str(tmp_path), dtype=float, meta=np.empty((0, 0))
    )
    checkpoint = el.Checkpoint(tmp_path / "run.ckpt", every_seconds=0)
    solver = el.solvers.OrthogonalIteration(max_passes=8)

    with apart(tmp_path, workers=1) as (client, scheduler):

        def kill_in_the_first_passes():
            while len(list(tmp_path.glob("[0-9]*"))) == 0:
                time.sleep(0.01)
            time.sleep(1)
            scheduler.kill()

        killer = threading.Thread(target=kill_in_the_first_passes)
        killer.start()
        with pytest.raises(el.errors.ClusterLost, match=r"checkpoint='run.ckpt'"):
            el.fit(slow, K, solver=solver, checkpoint=checkpoint, cluster=client)
        killer.join()
    found = el.fit(slow, K, solver=solver, checkpoint=checkpoint)

    expected = el.fit(WHOLE, K, solver=solver)
    assert relative_error(found.eigenvalues, expected.eigenvalues) <= 1e-9


def test_an_unreachable_scheduler_is_named_within_seconds():
    began = time.monotonic()

    with pytest.raises(el.errors.ClusterError, match=r"tcp://127.0.0.1:9 within 5 seconds"):
        el.fit(CHUNKINGS["rows"](WHOLE), K, cluster="tcp://127.0.0.1:9")

    assert time.monotonic() - began < 15


@pytest.mark.parametrize("named", [True, False])
def test_workers_of_another_version_are_named(client, monkeypatch, named):
    monkeypatch.setattr("eigenlens.sources.dask.cluster.__version__", "99.0")
    cluster = client if named else None  # the active client is the same one

    with pytest.raises(el.errors.ClusterError, match=r"tcp://127\.0\.0\.1:\d+: eigenlens \d"):
        el.fit(CHUNKINGS["rows"](WHOLE), K, cluster=cluster)
