"""The command line on a cluster of its own, and on one that is not there."""

import json
import subprocess
import sys

import numpy as np
import pytest

import eigenlens as el
from tests.dask_cluster.rows import SAME, K, table
from tests.distances import relative_error

WHOLE = table()


def run(*words):
    command = [sys.executable, "-m", "eigenlens", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_workers_of_a_command_read_its_file(tmp_path):
    np.save(tmp_path / "rows.npy", WHOLE)

    done = run("fit", tmp_path / "rows.npy", "-k", K, "--workers", 2, "--json", "--no-summary")

    assert done.returncode == 0, done.stderr
    assert "distributed" not in done.stderr
    found = [one["eigenvalue"] for one in json.loads(done.stdout)["result"]["eigenvalues"]]
    assert relative_error(found, el.fit(WHOLE, K).eigenvalues) <= SAME


def test_a_cluster_that_is_not_there_is_said(tmp_path):
    np.save(tmp_path / "rows.npy", WHOLE)

    done = run("fit", tmp_path / "rows.npy", "--cluster", "tcp://127.0.0.1:9")

    assert done.returncode == 2
    assert "no scheduler answered at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr
