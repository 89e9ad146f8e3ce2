"""Files with categories on a cluster: numbers are read by the workers, codes go there once."""

import gc
import time

import numpy as np
import pandas as pd
import pytest
from distributed import Client

import eigenlens as el
from eigenlens.errors import ClusterError
from tests.dask_cluster.processes import started

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture(scope="module")
def client():
    with started(1) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    group = rng.choice(list("abcd"), 3000)
    return pd.DataFrame(
        {
            "group": group,
            "word": rng.choice(["u", "v w", "z,q"], 3000),
            "x": rng.standard_normal(3000) + (group == "a") + 1e6,
        }
    )


@pytest.mark.parametrize("columns", [["group", "word", "x"], ["group", "word"]])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_with_categories_gives_the_same_model_on_a_cluster(
    client, frame, tmp_path, kind, columns
):
    path = tmp_path / f"rows.{kind}"
    if kind == "csv":
        frame[columns].to_csv(path, index=False)
    else:
        frame[columns].to_parquet(path, row_group_size=500)

    there = el.fit(path, 3, categories="auto", cluster=client)
    here = el.fit(path, 3, categories="auto")

    assert there.categories == here.categories
    np.testing.assert_allclose(there.eigenvalues, here.eigenvalues, rtol=1e-10)
    np.testing.assert_allclose(np.abs(there.components @ here.components.T), np.eye(3), atol=1e-6)
    np.testing.assert_allclose(there.project(frame), here.project(path), atol=1e-6)


def test_codes_leave_the_cluster_with_the_fit(client, frame, tmp_path):
    frame.to_csv(tmp_path / "rows.csv", index=False)

    el.fit(tmp_path / "rows.csv", 2, categories="auto", cluster=client)
    gc.collect()

    deadline = time.monotonic() + 5
    while client.futures and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not client.futures


def test_a_frame_in_memory_is_still_not_for_a_cluster(client, frame):
    with pytest.raises(ClusterError, match="memory of this process"):
        el.fit(frame, 2, categories="auto", cluster=client)
