"""Dask arrays and data frames: each chunk is worked on by whoever has it or makes it.

| a chunk of rows                       | how it reaches the work                                  |
|---------------------------------------|----------------------------------------------------------|
| lies in a worker's memory (persisted) | the work goes there                                      |
| is made by tasks of its own           | they are part of the work, so that it is never moved     |
| shares tasks with others (rechunked)  | Dask makes it when it sees fit                           |

Chunks along columns are laid side by side by the worker. Unknown lengths are counted first, which
takes a pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.errors import ChunkError, DataError, UnsupportedData
from eigenlens.sources import array, frame, sparse
from eigenlens.sources.columns import Picked, pick_columns
from eigenlens.sources.dask.cluster import active_workers
from eigenlens.sources.dask.rows import DistributedSource, distributed_source
from eigenlens.sources.dask.waiting import wait_for_futures
from eigenlens.sources.dask.workers import Piece, Workers
from eigenlens.sources.protocol import Columns, Source

__all__ = [
    "accepts",
    "fingerprint_of_recipe",
    "is_array",
    "is_frame",
    "pieces_of_collection",
    "source_from",
]


def accepts(data: object) -> bool:
    return hasattr(data, "__dask_graph__") and hasattr(data, "to_delayed")


def source_from(data: Any, columns: Columns | None) -> DistributedSource:
    if is_frame(data):
        return frame_source(data, columns, active_workers())
    if not is_array(data):
        raise UnsupportedData.unknown_kind(type(data))
    return array_source(data, columns, active_workers())


# The types are asked: a delayed object has every attribute, and a series has columns too.


def is_frame(data: Any) -> bool:
    kind = type(data)
    return hasattr(kind, "partitions") and hasattr(kind, "columns") and data.ndim == 2


def is_array(data: Any) -> bool:
    return hasattr(type(data), "chunks")


def array_source(data: Any, columns: Columns | None, workers: Workers) -> DistributedSource:
    if data.ndim != 2:
        raise DataError.not_two_dimensional(data.shape)
    if data.dtype.kind == "c":
        raise UnsupportedData.complex_numbers(data.dtype)
    if np.isnan(data.shape[1]):
        raise ChunkError.unknown_width(type(data))
    picked = pick_columns(columns, range(data.shape[1]))
    opener = OpenBlocks(None if columns is None else picked)
    pieces = pieces_of_collection(data, opener, workers)
    rows = data.chunks[0]
    lengths = None if np.isnan(rows).any() else [int(count) for count in rows]
    return distributed_source(
        pieces, workers, lengths, None, fingerprint_of_recipe(data, columns), "Dask array"
    )


def frame_source(data: Any, columns: Columns | None, workers: Workers) -> DistributedSource:
    shown = frame.source_from(data._meta, columns)  # refuses columns that are not numbers
    opener = OpenPartition(
        tuple(map(str, data.columns)), None if columns is None else getattr(shown, "picked", None)
    )
    pieces = pieces_of_collection(data, opener, workers)
    return distributed_source(
        pieces, workers, None, shown.names, fingerprint_of_recipe(data, columns), "Dask data frame"
    )


def fingerprint_of_recipe(data: Any, columns: Columns | None) -> str:
    """The recipe the numbers come from; another one is another text, whatever it makes."""
    from dask.base import tokenize

    return f"dask {tokenize(data)} {columns!r}"


# -- pieces ----------------------------------------------------------------------------------


def pieces_of_collection(data: Any, opener: Any, workers: Workers) -> list[Piece]:
    """One piece per chunk of rows."""
    import dask

    ready = data.optimize() if is_frame(data) else dask.optimize(data)[0]
    whole = dict(data.__dask_graph__())
    graph = dict(ready.__dask_graph__())
    # Optimizing loses sight of what is in memory already.
    held = {key: value for key, value in whole.items() if is_future(value)}
    held |= futures_named(graph, workers)
    graph |= held
    rows = [row if isinstance(row, list) else [row] for row in ready.__dask_keys__()]
    holders = holders_of(held, workers)
    needed = [dependencies_of(graph, held, row) for row in rows]
    users = Counter(key for keys in needed for key in keys if key not in held)
    pieces = []
    for row, keys in zip(rows, needed, strict=True):
        given = [key for key in keys if key in held]
        tasks = {key: graph[key] for key in keys if key not in held}
        if all(users[key] == 1 for key in tasks):
            there = Counter(worker for key in given for worker in holders.get(key, ()))
            holder = there.most_common(1)[0][0] if there else None
            made = open_by_tasks(opener, tasks, given, row)
            pieces.append(Piece(made, tuple(held[key] for key in given), holder=holder))
        else:
            named = {key: held[key] for key in given if held[key].key != key}
            pieces.append(Piece(opener, tuple(row), tasks | named))
    return pieces


def dependencies_of(
    graph: Mapping[Any, Any], held: Mapping[Any, Any], keys: Sequence[Any]
) -> list[Any]:
    """All keys that these come from, themselves included; always in the same order."""
    needed: dict[Any, None] = {}
    waiting = list(keys)
    while waiting:
        key = waiting.pop()
        if key not in needed:
            needed[key] = None
            if key not in held:
                waiting.extend(sorted(dependencies_in(graph, key), key=str))
    return list(needed)


def dependencies_in(graph: Mapping[Any, Any], key: Any) -> set[Any]:
    from dask.core import get_dependencies

    # A future as an argument is no key of the graph it is in, and is one of ours.
    own: frozenset[Any] = getattr(graph[key], "dependencies", frozenset())
    return set(get_dependencies(graph, key)) | {one for one in own if one in graph}


def is_future(value: Any) -> bool:
    return hasattr(value, "client") and hasattr(value, "status")


def futures_named(graph: Mapping[Any, Any], workers: Workers) -> dict[Any, Any]:
    """Futures that are arguments of tasks: what tasks need and the graph does not make."""
    if workers.client is None:
        return {}
    from distributed import Future

    needed = {key for task in graph.values() for key in getattr(task, "dependencies", ())}
    return {key: Future(key, workers.client) for key in sorted(needed - set(graph), key=str)}


def open_by_tasks(
    opener: Any, tasks: Mapping[Any, Any], given: Sequence[Any], row: Sequence[Any]
) -> OpenTasks:
    """The opener of a piece whose tasks name what is given instead of holding it.

    A future that travels inside an object of ours would make every worker open a client.
    """
    names = {key: ("given", number) for number, key in enumerate(given)}
    own = {
        key: task.substitute(names) if hasattr(task, "substitute") else task
        for key, task in tasks.items()
    }
    return OpenTasks(opener, own, list(names.values()), [names.get(key, key) for key in row])


def holders_of(held: Mapping[Any, Any], workers: Workers) -> Mapping[Any, Sequence[str]]:
    """Which workers have what in memory."""
    if not held or workers.client is None:
        return {}
    wait_for_futures(workers.client, list(held.values()))
    found: Mapping[Any, Sequence[str]] = workers.client.who_has(list(held.values()))
    return {key: found.get(future.key, ()) for key, future in held.items()}


# -- what travels to the workers ---------------------------------------------------------------


class OpenTasks:
    """Open what some tasks make, kept from Dask's eyes so that they run inside one of ours."""

    def __init__(
        self, opener: Any, tasks: dict[Any, Any], given: Sequence[Any], keys: Sequence[Any]
    ) -> None:
        self.opener, self.tasks, self.given, self.keys = opener, tasks, list(given), list(keys)

    def __call__(self, *values: Any) -> Source:
        from dask import get

        graph = {**self.tasks, **dict(zip(self.given, values, strict=True))}
        opened: Source = self.opener(*get(graph, self.keys))
        return opened


@dataclass(frozen=True)
class OpenBlocks:
    """Open the blocks of an array that lie side by side."""

    picked: Picked | None

    def __call__(self, *blocks: Any) -> Source:
        whole = blocks[0] if len(blocks) == 1 else concatenate_blocks(blocks)
        kind = sparse if sparse.accepts(whole) else array
        columns = None if self.picked is None else np.arange(whole.shape[1])[self.picked]
        opened: Source = kind.source_from(whole, columns)
        return opened


@dataclass(frozen=True)
class OpenPartition:
    """Open a part of a data frame, once it has the columns that all have."""

    labels: tuple[str, ...]
    picked: Picked | None

    def __call__(self, part: Any) -> Source:
        labels = tuple(map(str, part.columns))
        if labels != self.labels:
            missing = [name for name in self.labels if name not in labels]
            extra = [name for name in labels if name not in self.labels]
            raise ChunkError.unlike_others(
                f"missing {missing}, extra {extra}" if missing or extra else "another order",
                f"columns {', '.join(self.labels[:8])}",
            )
        columns = None if self.picked is None else np.arange(len(labels))[self.picked].tolist()
        return frame.source_from(part, columns)


def concatenate_blocks(blocks: Sequence[Any]) -> Any:
    if any(sparse.accepts(block) for block in blocks):
        from scipy.sparse import hstack

        return hstack(blocks, format="csr")
    return np.concatenate(blocks, axis=1)
