"""The command line on a cluster of its own, and on one that is not there."""

import json
import os
import signal
import subprocess
import sys
import time

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


@pytest.mark.slow
def test_ctrl_c_is_heard_once(tmp_path):
    """A terminal sends it to all processes of a command; the workers have nothing to say to it."""
    import psutil

    np.save(tmp_path / "rows.npy", np.random.default_rng(0).standard_normal((200_000, 50)))
    words = ["fit", tmp_path / "rows.npy", "-k", 20, "--solver", "power", "--tolerance", 1e-12]
    command = [sys.executable, "-m", "eigenlens", *map(str, words), "--workers", "2"]

    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        deadline = time.monotonic() + 60
        while len(psutil.Process(process.pid).children()) < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(2)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)

    assert process.returncode == 130
    assert b"Traceback" not in said


def test_a_cluster_that_is_not_there_is_said(tmp_path):
    np.save(tmp_path / "rows.npy", WHOLE)

    done = run("fit", tmp_path / "rows.npy", "--cluster", "tcp://127.0.0.1:9")

    assert done.returncode == 2
    assert "no scheduler answered at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr
