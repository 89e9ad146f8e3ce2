"""The fault loop: fits on a cluster that loses workers, its scheduler, or is given odd chunks.

    python -m tests.dask_cluster.fault_loop 100 [results.json]

Every fit must end within what it takes undisturbed plus 60 seconds: with the model of the
undisturbed fit to 1e-9, or with an error of ours. A fit that does not end is a hang, and counts as
a failure of the loop. Each round draws a fault, and the moment at which it comes.
"""

import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import dask.array as da
import numpy as np
from distributed import Client

import eigenlens as el
from tests.dask_cluster.processes import apart, started

WORKERS = 3
PATIENCE_SECONDS = 60
SAME = 1e-9
K = 3
SECONDS_PER_CHUNK = 0.02


def table(rows=1200, columns=12):
    rng = np.random.default_rng(3)
    return rng.standard_normal((rows, columns)) * 0.6 ** np.arange(columns) + 5


WHOLE = table()


def slowly(block):
    time.sleep(SECONDS_PER_CHUNK)
    return block


def rows_of(chunks=40):
    """The table in chunks that take a while to make."""
    return da.from_array(WHOLE, chunks=(chunks, WHOLE.shape[1])).map_blocks(slowly, dtype=float)


def fit_rows(collection, client, solver="krylov"):
    return el.fit(collection, K, solver=solver, tolerance=1e-10, cluster=client)


# -- faults: what to do to a cluster while a fit runs on it ------------------------------------


def kill(cluster, rng, count):
    workers = list(cluster.workers.values())
    for worker in rng.sample(workers, min(count, len(workers))):
        with suppress(ProcessLookupError, TypeError, AttributeError):
            os.kill(worker.pid, signal.SIGKILL)


def kill_one(cluster, rng):
    kill(cluster, rng, 1)


def kill_several(cluster, rng):
    kill(cluster, rng, WORKERS - 1)


def kill_all(cluster, rng):
    kill(cluster, rng, WORKERS)


def scale_to_nothing_and_back(cluster, rng):
    cluster.scale(0)
    time.sleep(rng.uniform(1, 4))
    cluster.scale(2)


def kill_all_twice(cluster, rng):
    kill(cluster, rng, WORKERS)
    time.sleep(rng.uniform(2, 5))
    kill(cluster, rng, WORKERS)


def nothing(cluster, rng):
    pass


def raising(block):
    raise OSError("a disk of a worker is gone")


def odd_chunks():
    """Empty chunks, and chunks of one row."""
    sizes = (0, 1, 1, 0, 400, 1, 0, len(WHOLE) - 403, 0)
    chunks = (sizes, (WHOLE.shape[1],))
    return da.from_array(WHOLE, chunks=chunks).map_blocks(slowly, dtype=float)


def nested_fit(seed):
    """A fit of a Dask array, inside a task."""
    rows = da.from_array(WHOLE, chunks=(300, WHOLE.shape[1]))
    return el.fit(rows, K, solver="covariance").eigenvalues


FAULTS = {
    "kill one": kill_one,
    "kill several": kill_several,
    "kill all": kill_all,
    "kill all twice": kill_all_twice,
    "scale to nothing and back": scale_to_nothing_and_back,
    "undisturbed": nothing,
}
OTHERS = ("scheduler lost", "a task raises", "empty and one-row chunks", "fit in a task")


# -- rounds ------------------------------------------------------------------------------------


class Round:
    """One fit and how it ended: `seconds`, and "same", "other", an error's name, or "hang"."""

    def __init__(self, fault, allowed):
        self.fault, self.allowed = fault, allowed
        self.seconds, self.outcome = 0.0, "hang"

    def run(self, work, expected):
        def body():
            try:
                found = work()
                close = np.allclose(found, expected, rtol=SAME, atol=0)
                self.outcome = "same" if close else "other"
            except el.EigenlensError as error:
                self.outcome = type(error).__name__
            except BaseException as error:
                self.outcome = f"not ours: {error!r}"

        began = time.monotonic()
        thread = threading.Thread(target=body, daemon=True)
        thread.start()
        thread.join(self.allowed)
        self.seconds = time.monotonic() - began
        return self

    @property
    def is_good(self):
        ours = self.outcome == "same" or hasattr(el.errors, self.outcome)
        return ours or (self.fault == "a task raises" and "a disk of a worker" in self.outcome)


def disturbed(fault, rng, expected, normal):
    """A round on a cluster of its own, so that a fault before does not count."""
    with quiet(), started(WORKERS) as cluster, Client(cluster) as client:
        client.wait_for_workers(WORKERS, timeout=60)
        moment = rng.uniform(0.1, max(0.2, normal))
        timer = threading.Timer(moment, FAULTS[fault], (cluster, rng))
        timer.start()
        found = Round(fault, normal + PATIENCE_SECONDS).run(
            lambda: fit_rows(rows_of(), client).eigenvalues, expected
        )
        timer.join()
        return found


def other(name, rng, expected, normal):
    allowed = normal + PATIENCE_SECONDS
    if name == "scheduler lost":
        with (
            quiet(),
            tempfile.TemporaryDirectory() as folder,
            apart(Path(folder)) as (
                client,
                scheduler,
            ),
        ):
            timer = threading.Timer(rng.uniform(0.1, normal), scheduler.kill)
            timer.start()
            found = Round(name, allowed).run(
                lambda: fit_rows(rows_of(), client).eigenvalues, expected
            )
            timer.join()
            return found
    with (
        quiet(),
        started(1 if name == "fit in a task" else 2) as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(1, timeout=60)
        if name == "fit in a task":
            work = lambda: client.submit(nested_fit, rng.random()).result()  # noqa: E731
        elif name == "a task raises":
            spoiled = rows_of().map_blocks(raising, dtype=float)
            work = lambda: fit_rows(spoiled, client).eigenvalues  # noqa: E731
        else:
            solver = rng.choice(["krylov", "svd", "covariance", "dual", "power"])
            work = lambda: fit_rows(odd_chunks(), client, solver).eigenvalues  # noqa: E731
        return Round(name, allowed).run(work, expected)


@contextmanager
def quiet():
    """Workers that die complain, and so do clients of clusters that are gone."""
    import logging

    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def undisturbed():
    """Eigenvalues, and the seconds they take."""
    with quiet(), started(WORKERS) as cluster, Client(cluster) as client:
        client.wait_for_workers(WORKERS, timeout=60)
        began = time.monotonic()
        model = fit_rows(rows_of(), client)
        return model.eigenvalues, time.monotonic() - began


def loop(rounds, seed=0, names=(*FAULTS, *OTHERS), say=lambda text: None):
    rng = random.Random(seed)
    expected, normal = undisturbed()
    done = []
    for number in range(rounds):
        name = names[number % len(names)]
        play = disturbed if name in FAULTS else other
        done.append(play(name, rng, expected, normal))
        say(f"{number + 1:4d} {name:28s} {done[-1].seconds:6.1f} s  {done[-1].outcome}")
    return done, normal


def say(text):
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(rounds, place=None):
    done, normal = loop(rounds, say=say)
    bad = [one for one in done if not one.is_good]
    summary = {
        "rounds": len(done),
        "undisturbed_seconds": round(normal, 1),
        "longest_seconds": round(max(one.seconds for one in done), 1),
        "hangs": sum(one.outcome == "hang" for one in done),
        "failures": len(bad),
        "outcomes": {
            name: {
                outcome: sum(one.fault == name and one.outcome == outcome for one in done)
                for outcome in sorted({one.outcome for one in done if one.fault == name})
            }
            for name in sorted({one.fault for one in done})
        },
    }
    say(json.dumps(summary, indent=1))
    if place is not None:
        Path(place).write_text(json.dumps(summary, indent=1) + "\n")
    # Threads of fits that hang, and clients of lost schedulers, would keep the process.
    os._exit(1 if bad else 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:3])
