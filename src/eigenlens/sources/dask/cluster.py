"""Which cluster to work on: the one named, else the active client, else threads of this process.

The user's cluster stays as it was: nothing is left in its memory, and a client we made is closed.
"""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import ClusterError, FileError
from eigenlens.sources.dask.rows import DistributedSource, distributed_source
from eigenlens.sources.dask.workers import Piece, Workers
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.protocol import FloatArray, Source
from eigenlens.sources.traits import Traits, blocks_from
from eigenlens.version import __version__

__all__ = ["RowRange", "active_workers", "distribute_rows", "on_cluster", "row_cuts"]

PATIENCE_SECONDS = 5.0
WORKER_SECONDS = 30.0  # for a cluster without workers to start one
ADDRESS = re.compile(r"((tcp|tls|wss?|ucx)://)?[^/\s]+:\d+/?|inproc://[^/\s]+/\d+/\w+")
PIECES_PER_THREAD = 16  # of a file: enough to even out, few enough to open


@contextmanager
def on_cluster(cluster: Any) -> Iterator[None]:
    """Dask collections opened inside are worked on there."""
    if cluster is None:
        yield
        return
    client, ours = client_of(cluster)
    try:
        with client.as_current():
            yield
    finally:
        if ours:
            client.close()


def client_of(cluster: Any) -> tuple[Any, bool]:
    """The client, and whether we made it."""
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError.needs_package("cluster=", "distributed", "dask") from None
    if isinstance(cluster, Client):
        if cluster.status != "running":
            raise ClusterError.closed(cluster.status)
        return cluster, False
    # Of what is no address a client is half made, which waits for seconds when it is let go of.
    if not isinstance(cluster, str) or ADDRESS.fullmatch(cluster) is None:
        raise ClusterError.not_one(cluster)
    try:
        return Client(cluster, timeout=PATIENCE_SECONDS, set_as_default=False), True
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError.unreachable(cluster, PATIENCE_SECONDS, error) from error


def active_workers() -> Workers:
    """The current client of Dask, if any; without distributed loaded there can be none."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return Workers()
    try:
        client = distributed.default_client()
    except ValueError:
        return Workers()
    refuse_other_versions(client)
    return Workers(client)


def refuse_other_versions(client: Any) -> None:
    """A worker that cannot load what it is sent dies of it, and Dask waits for another one."""
    from pkgutil import resolve_name

    if client.asynchronous:
        raise ClusterError.asynchronous(client.scheduler.address)
    # A function of the standard library: a worker without eigenlens could not even load ours.
    found = client.run(resolve_name, "eigenlens.version:__version__", on_error="return")
    if not found:
        wait_for_worker(client)
        found = client.run(resolve_name, "eigenlens.version:__version__", on_error="return")
    theirs = {
        str(worker): f"eigenlens {version}" if isinstance(version, str) else "none"
        for worker, version in found.items()
        # Another error is that of a worker that has just gone, which Dask copes with.
        if isinstance(version, str | ImportError) and version != __version__
    }
    if theirs:
        raise ClusterError.other_versions(__version__, theirs)


def wait_for_worker(client: Any) -> None:
    """A cluster that adapts starts one once there is something to do."""
    asked = client.submit(int, pure=False)
    try:
        asked.result(timeout=WORKER_SECONDS)
    except TimeoutError:
        raise ClusterError.no_workers(client.scheduler.address, WORKER_SECONDS) from None
    finally:
        asked.release()


# -- files, each worker its own rows ---------------------------------------------------------


def distribute_rows(source: Source, cluster: Any) -> Source:
    """The source as it is, or with its rows dealt out where a cluster was named."""
    if cluster is None or isinstance(source, DistributedSource):
        return source
    if not isinstance(source, StoredSource):
        raise ClusterError.rows_here(repr(source))
    workers = active_workers()
    cuts = row_cuts(source, PIECES_PER_THREAD * max(1, len(workers.threads)))
    pieces = [Piece(partial(RowRange, source, start, stop)) for start, stop in pairwise(cuts)]
    lengths = np.diff(cuts).tolist()
    return distributed_source(
        pieces, workers, lengths, source.names, source.fingerprint, f"{source!r} on a cluster"
    )


def row_cuts(source: StoredSource, most: int) -> list[int]:
    """Where to cut: anywhere, or at row groups and files, which are not read in part."""
    rows, starts = source.shape[0], source.reader.starts
    if starts is None:
        return [int(cut) for cut in np.unique(np.linspace(0, rows, most + 1).astype(int))]
    places = np.array(sorted({*starts, 0}))
    if len(places) > most:
        places = places[np.unique(np.linspace(0, len(places), most, endpoint=False).astype(int))]
    return [*places.tolist(), rows]


class RowRange:
    """Rows `start` to `stop` of a file, opened by the worker that reads them."""

    def __init__(self, source: StoredSource, start: int, stop: int) -> None:
        self.source, self.start, self.stop = source, start, stop
        self.dtype, self.names, self.is_sparse = source.dtype, source.names, source.is_sparse
        self.fingerprint = source.fingerprint
        self.shape = (stop - start, source.shape[1])
        self.stored_bytes = max(1, source.stored_bytes * (stop - start) // source.shape[0])
        self.traits = Traits(fingerprint=self.fingerprint, by_columns=False)

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Any]:
        left = self.shape[0] - start
        blocks = blocks_from(self.source, rows_per_block, self.start + start)
        while left > 0:
            try:
                block = next(blocks)
            except FileError as error:
                raise ClusterError.unseen(error, platform.node(), Path.cwd()) from error
            yield block[:left]
            left -= block.shape[0]

    def panels(self, columns_per_panel: int) -> Iterator[Any]:
        for whole in self.blocks(self.shape[0]):
            for column in range(0, self.shape[1], columns_per_panel):
                yield whole[:, column : column + columns_per_panel]

    def sample(self, indices: Any) -> FloatArray:
        (whole,) = self.blocks(self.shape[0])
        rows = whole[indices]
        full = rows if isinstance(rows, np.ndarray) else rows.toarray()
        return np.asarray(full, dtype=np.float64)
