"""Workers as processes of their own; and a scheduler too, none of them this one."""

import subprocess
import sys
from contextlib import contextmanager

from distributed import Client, LocalCluster

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def started(workers=2):
    """Workers that speak TCP, with a scheduler here."""
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        protocol="tcp",
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
    )


@contextmanager
def apart(folder, workers=2):
    """The client, and the scheduler's process, for those who want to kill it."""
    note = str(folder / "scheduler.json")
    dask, where = [sys.executable, "-m", "dask"], ["--scheduler-file", note]
    page = ["--dashboard-address", "127.0.0.1:0"]
    scheduler = [*dask, "scheduler", *where, "--host", "127.0.0.1", "--port", "0", *page]
    worker = [*dask, "worker", *where, "--nworkers", str(workers), "--nthreads", "1", *page]
    started = [subprocess.Popen(scheduler, **QUIET), subprocess.Popen(worker, **QUIET)]
    try:
        with Client(scheduler_file=note, timeout=60) as client:
            client.wait_for_workers(workers, timeout=60)
            yield client, started[0]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait(10)
