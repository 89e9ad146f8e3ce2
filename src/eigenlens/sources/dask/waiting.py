"""Waiting for a pass on a cluster: it ends with the result or an error, never not at all.

| what happens                                | what is done                                      |
|---------------------------------------------|---------------------------------------------------|
| some workers are lost                       | Dask does their tasks elsewhere                   |
| all workers are lost, and new ones come     | the pass is submitted again, tied to no worker    |
| all workers are lost, and none comes        | `ClusterLost` after `NO_WORKER_SECONDS`           |
| the scheduler is lost                       | `ClusterLost` after `NO_SCHEDULER_SECONDS`        |
| the fit itself runs in a task of a worker   | its thread is given back while it waits           |

Why submit again: the scheduler keeps tasks that became ready while there was no worker aside, and
gives them to a new worker only if that is the very one they are tied to, even if loosely.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from eigenlens.errors import ClusterLost
from eigenlens.sources.dask.task_graph import PassGraph

__all__ = ["compute_on_cluster", "wait_for_futures", "worker_threads"]

LOOK_SECONDS = 0.5
NO_SCHEDULER_SECONDS = 10.0  # it may only be busy
NO_WORKER_SECONDS = 30.0  # as long as a cluster is given to start its first one
STUCK_SECONDS = 3.0  # workers are lost, and no task of ours is with any worker
FETCH_SECONDS = 30.0  # for a result to arrive before its worker is asked about; then twice that
# A graph holds the vectors to multiply by, which is what graphs are not meant for; a scattered
# copy would be lost with the worker that holds it, and the fit with it.
QUIET = {"distributed.admin.large-graph-warning-threshold": "1TB"}

OnProgress = Callable[[int], None]  # is called with how many pieces are done
WaitingStep = tuple[int, Any]  # how many pieces a task does, and its key; or its future


class WorkersGone(Exception):
    """Tasks are tied to workers that are gone."""


def compute_on_cluster(
    client: Any,
    built: Callable[[bool], tuple[PassGraph, Any, Sequence[WaitingStep]]],
    on_progress: OnProgress | None,
) -> Any:
    """The result of the last task of `built(tied to workers)`: graph, its key, and the steps."""
    import dask

    with dask.config.set(QUIET), explaining_losses(), seceding_from_worker():
        try:
            return submit_graph(client, *built(True), on_progress)
        except WorkersGone:
            return submit_graph(client, *built(False), on_progress)


def submit_graph(
    client: Any,
    graph: PassGraph,
    root: Any,
    steps: Sequence[WaitingStep],
    on_progress: OnProgress | None,
) -> Any:
    # Of one chain the last step is the root, and they would be one future.
    followed = [step for step in steps if on_progress is not None and step[1] != root]
    wanted = graph.delayed([*(key for _, key in followed), root])
    *made, last = client.compute(wanted, optimize_graph=False)
    sizes = [size for size, _ in followed]
    watch = GraphWatch(client, graph)
    try:
        for seconds in doubling(FETCH_SECONDS):
            watch.wait_for(last, list(zip(sizes, made, strict=True)), on_progress)
            with suppress(TimeoutError):  # the worker that has it may be lost meanwhile
                return last.result(timeout=seconds)
    finally:
        # An error's traceback, which an interactive session keeps, holds them too: after
        # Ctrl-C the cluster would go on working.
        for future in [*made, last]:
            future.release()


class GraphWatch:
    """Looks after a submitted graph, and raises when nothing more will come of it."""

    def __init__(self, client: Any, graph: PassGraph | None = None) -> None:
        self.client = client
        self.pins = set() if graph is None else graph.pins
        self.keys = set() if graph is None else {*graph.places, *graph.rows}
        self.without_scheduler = self.without_workers = self.idle = 0.0

    def wait_for(
        self, future: Any, steps: list[WaitingStep], on_progress: OnProgress | None = None
    ) -> None:
        from distributed import wait

        done, looked = 0, time.monotonic()
        while not future.done():
            with suppress(TimeoutError):
                wait([future], timeout=LOOK_SECONDS)
            if on_progress is not None:
                for size, step in [one for one in steps if one[1].status == "finished"]:
                    steps.remove((size, step))
                    step.release()  # its worker need not keep what the next one has taken up
                    done += size
                on_progress(done)
            now = time.monotonic()
            if not future.done():
                self.look(now - looked)
            looked = now

    def look(self, passed: float) -> None:
        """`passed`: seconds since the last look."""
        if self.client.status != "running":
            self.without_scheduler += passed
            if self.without_scheduler >= NO_SCHEDULER_SECONDS:
                raise ClusterLost.during(f"no scheduler for {NO_SCHEDULER_SECONDS:g} seconds")
            return
        self.without_scheduler = 0.0
        alive = set(worker_threads(self.client))
        self.without_workers = 0.0 if alive else self.without_workers + passed
        if self.without_workers >= NO_WORKER_SECONDS:
            raise ClusterLost.during(f"no worker for {NO_WORKER_SECONDS:g} seconds")
        lost = alive and self.pins - alive
        self.idle = self.idle + passed if lost and not self.is_worked_on() else 0.0
        if self.idle >= STUCK_SECONDS:
            raise WorkersGone

    def is_worked_on(self) -> bool:
        """Whether some worker has a task of ours."""
        try:
            having = self.client.processing()
        except (OSError, TimeoutError):
            return True  # not known: look again
        return any(key in self.keys for keys in having.values() for key in keys)


def wait_for_futures(client: Any, futures: Sequence[Any]) -> None:
    """Until all are done, or the error that the cluster is lost."""
    watch = GraphWatch(client)
    with explaining_losses(), seceding_from_worker():
        for future in futures:
            watch.wait_for(future, [])


def worker_threads(client: Any) -> dict[str, int]:
    """Threads of each worker there is now, by its address."""
    try:
        found = client.scheduler_info(n_workers=-1)["workers"]
    except (OSError, TimeoutError, KeyError):
        return {}
    return {name: found[name]["nthreads"] for name in sorted(found)}


def doubling(seconds: float) -> Iterator[float]:
    while True:
        yield seconds
        seconds *= 2


@contextmanager
def seceding_from_worker() -> Iterator[None]:
    """Inside a task, give the thread back to its worker, as Dask's own `compute` does.

    Else a worker with one thread would wait for tasks that only that thread could do.
    """
    from distributed import rejoin, secede
    from distributed.worker import thread_state

    if not getattr(thread_state, "key", None):
        yield
        return
    secede()
    try:
        yield
    finally:
        rejoin()


@contextmanager
def explaining_losses() -> Iterator[None]:
    """What Dask raises when scheduler or workers are gone, in our words."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    try:
        yield
    except KilledWorker as error:
        raise ClusterLost.killed(error) from error
    except (CancelledError, CommClosedError) as error:
        raise ClusterLost.during(f"{type(error).__name__}: {error}") from error
