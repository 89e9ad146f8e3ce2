"""What the messages about clusters and chunks must say."""

from functools import partial

from eigenlens.errors import ChunkError, ClusterError, ClusterLost

ADDRESS = "tcp://127.0.0.1:9"

CLUSTER_MESSAGES = [
    (
        partial(ClusterError.unreachable, ADDRESS, 5.0, "refused"),
        [ADDRESS, "5 seconds", "refused"],
        ["dask scheduler", f"dask worker {ADDRESS}"],
    ),
    (
        partial(ClusterError.no_workers, ADDRESS, 30.0),
        [ADDRESS, "no workers", "30 seconds"],
        [f"dask worker {ADDRESS}", "close the client"],
    ),
    (
        partial(ClusterError.asynchronous, ADDRESS),
        [ADDRESS, "is asynchronous"],
        [f"cluster='{ADDRESS}'", "without asynchronous=True"],
    ),
    (
        partial(ClusterError.closed, "closed"),
        ["is closed"],
        ["distributed.Client(address)"],
    ),
    (
        partial(ClusterError.unseen, "a.npy is not there.", "node7", "jobs"),
        ["node7", "folder jobs", "a.npy is not there."],
        ["a disk that all workers see"],
    ),
    (
        partial(ClusterError.other_versions, "0.1", {"tcp://a:1": "none"}),
        ["eigenlens 0.1", "tcp://a:1: none"],
        ["pip install eigenlens==0.1", "restart"],
    ),
    (
        partial(ClusterError.not_one, 8786),
        ["cluster=8786"],
        ["distributed.Client", "cluster='tcp://127.0.0.1:8786'"],
    ),
    (
        partial(ClusterError.rows_here, "ArraySource(3 x 4)"),
        ["ArraySource(3 x 4)", "memory of this process"],
        ["Omit cluster=", "Dask collection", "path"],
    ),
    (
        partial(ClusterLost.during, "CommClosedError"),
        ["CommClosedError"],
        ["repeat the call", "checkpoint='run.ckpt'"],
    ),
    (
        partial(ClusterLost.killed, "KilledWorker"),
        ["KilledWorker", "ran out of memory"],
        ["data.rechunk(...)", "more memory"],
    ),
    (
        partial(ChunkError.unlike_others, "3 columns", "4 columns"),
        ["a chunk has 3 columns", "the others have 4 columns"],
        ["map_blocks", "map_partitions"],
    ),
    (
        partial(ChunkError.unknown_width, list),
        ["this list"],
        ["compute_chunk_sizes()"],
    ),
    (
        partial(ChunkError.far_away, "k='bcv'"),
        ["k='bcv' needs the rows in this process"],
        ["data[::100].compute()"],
    ),
]
