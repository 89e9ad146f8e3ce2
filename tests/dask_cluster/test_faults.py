"""Whatever happens to a cluster, a fit on it ends; the long loop is `fault_loop.py`."""

import cloudpickle
import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client

import eigenlens as el
from eigenlens.sources.dask import waiting
from eigenlens.sources.dask.task_graph import PassGraph
from tests.dask_cluster import fault_loop
from tests.dask_cluster.processes import started

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.mark.slow
def test_every_fit_ends_with_the_answer_or_an_error():
    names = ("kill all", "scale to nothing and back", "kill several")

    done, _ = fault_loop.loop(len(names), seed=1, names=names)

    assert [one.outcome for one in done if not one.is_good] == []


def test_a_round_that_hangs_or_gives_another_answer_is_seen():
    one = fault_loop.Round("kill one", 0.05).run(lambda: __import__("time").sleep(1), 1.0)
    two = fault_loop.Round("kill one", 5).run(lambda: np.array([1 + 2e-9]), np.array([1.0]))

    assert (one.outcome, one.is_good) == ("hang", False)
    assert (two.outcome, two.is_good) == ("other", False)


@pytest.fixture(scope="module")
def client():
    with started(1) as cluster, Client(cluster) as client:
        yield client


def test_a_fit_inside_a_task_of_the_only_thread_ends(client):
    found = client.submit(fault_loop.nested_fit, 0).result(timeout=60)

    expected = el.fit(fault_loop.WHOLE, fault_loop.K).eigenvalues
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("solver", ["svd", "covariance", "krylov", "dual", "power", "lanczos"])
def test_empty_chunks_and_chunks_of_one_row_change_nothing(client, solver):
    expected = el.fit(fault_loop.WHOLE, 2, solver=solver, tolerance=1e-10).eigenvalues

    found = el.fit(fault_loop.odd_chunks(), 2, solver=solver, tolerance=1e-10).eigenvalues

    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("solver", ["auto", "svd"])
def test_a_selection_that_empties_partitions(client, solver):
    table = pd.DataFrame(np.random.default_rng(0).standard_normal((10_000, 6)), columns=[*"abcdef"])
    frame = dd.from_pandas(table, npartitions=10)

    found = el.fit(frame[frame.a > 3.0], 2, solver=solver)

    expected = el.fit(table[table.a > 3.0], 2)
    np.testing.assert_allclose(found.eigenvalues, expected.eigenvalues, rtol=1e-9)


def test_bad_values_are_told_with_the_partition_as_the_user_counts():
    whole = fault_loop.WHOLE.copy()
    whole[-1, 2] = np.nan
    rows = da.from_array(whole, chunks=((0, 600, 600), (12,)))

    assert el.open(rows).bad_values().piece == 2


def test_a_future_may_be_an_argument_of_the_tasks(client):
    kept = client.scatter(fault_loop.WHOLE)
    shape = fault_loop.WHOLE.shape
    rows = da.from_delayed(dask.delayed(np.asarray)(kept), shape, float)

    found = el.fit(rows, 2)

    np.testing.assert_allclose(found.eigenvalues, el.fit(fault_loop.WHOLE, 2).eigenvalues)


def test_an_empty_cluster_is_an_error_in_time(monkeypatch):
    monkeypatch.setattr(waiting, "NO_WORKER_SECONDS", 0.5)
    graph = PassGraph()
    root = graph.add(dict)

    with started(0) as cluster, Client(cluster) as client, pytest.raises(el.errors.ClusterLost):
        waiting.compute_on_cluster(client, lambda tied: (graph, root, []), None)


def test_a_function_that_uses_the_package_travels_by_its_name():
    assert cloudpickle.loads(cloudpickle.dumps(el)) is el
