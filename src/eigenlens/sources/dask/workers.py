"""Workers: who works where the rows lie, and how a pass is dealt out to them.

    chain    pieces that one thread of one worker goes through, one result in memory:
             r <- r + work(piece), cut into a few tasks so that work can be followed and moved
    tree     chains of one worker are added first, then workers pairwise; the root comes here

So one result leaves a worker per pass. Chains are dealt once per table: sums keep their order,
whoever does them. Without a cluster the chains are threads of this process. Decision 0013 says why
this is not left to dask.array's own reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from eigenlens.machine.limits import available_processors
from eigenlens.sources.dask.task_graph import Constant, PassGraph
from eigenlens.sources.dask.waiting import (
    OnProgress,
    WaitingStep,
    compute_on_cluster,
    worker_threads,
)
from eigenlens.sources.protocol import Source

__all__ = ["Chain", "Piece", "Workers"]

TASKS_PER_THREAD = 4  # of small results asked of every piece


@dataclass(frozen=True)
class Piece:
    """Consecutive rows that lie elsewhere: what to call there to open them."""

    opener: Callable[..., Source]
    parts: tuple[Any, ...] = ()  # of the call: futures, or keys of tasks
    tasks: Mapping[Hashable, Any] = field(default_factory=dict)  # that make the parts
    holder: str | None = None  # the worker in whose memory they lie

    @property
    def is_alone(self) -> bool:
        """Whether no other piece needs what its parts are made from."""
        return not self.tasks


@dataclass(frozen=True)
class Chain:
    worker: str | None
    pieces: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Workers:
    """A Dask client, or the threads of this process."""

    client: Any | None = None

    @property
    def threads(self) -> list[str | None]:
        """One entry per thread: the address of its worker."""
        if self.client is None:
            return [None] * available_processors()
        return [name for name, count in worker_threads(self.client).items() for _ in range(count)]

    def chains(self, pieces: Sequence[Piece]) -> list[Chain]:
        """Pieces in memory stay with who holds them; the others are dealt out in runs."""
        threads = self.threads or [None]
        mine: dict[str | None, list[int]] = {}
        free = []
        for number, piece in enumerate(pieces):
            if piece.holder in threads and piece.holder is not None:
                mine.setdefault(piece.holder, []).append(number)
            else:
                free.append(number)
        for worker, share in zip(threads, equal_runs(free, len(threads)), strict=True):
            mine.setdefault(worker, []).extend(share)
        return [
            Chain(worker, tuple(share))
            for worker, numbers in mine.items()
            for share in equal_runs(numbers, threads.count(worker))
            if share
        ]

    # -- work ------------------------------------------------------------------------------

    def reduced(
        self,
        pieces: Sequence[Piece],
        chains: Sequence[Chain],
        cut: Callable[[Sequence[int]], Iterator[Sequence[int]]],
        work: Callable[..., Any],
        together: Callable[[Any, Any], Any],
        shared: tuple[Any, ...] = (),
        own: Sequence[Any] | None = None,
        on_progress: OnProgress | None = None,
    ) -> Any:
        """`work(source, own, *shared)` of every piece, put together two by two.

        `cut`: the pieces of a chain in runs, one task each.
        """

        def build(tied: bool) -> tuple[PassGraph, Any, list[WaitingStep]]:
            graph, steps = PassGraph(), []
            given = graph.add(Constant(shared))
            ends: dict[str | None, Any] = {}
            for chain, place in zip(chains, self.places(chains, tied), strict=True):
                result = None
                for run in cut(chain.pieces):
                    step = ChainStep(work, together, *open_tasks(pieces, run), own_tasks(own, run))
                    parts = add_parts(graph, pieces, run)
                    result = graph.add(step, result, parts, given, worker=place)
                    steps.append((len(run), result))
                known = ends.get(chain.worker)
                if known is not None:
                    result = graph.add(together, known[1], result, worker=place)
                ends[chain.worker] = (place, result)
            return graph, add_tree(graph, list(ends.values()), together), steps

        return self.compute(build, on_progress)

    def each(
        self,
        pieces: Sequence[Piece],
        work: Callable[..., Any],
        shared: tuple[Any, ...] = (),
        own: Sequence[Any] | None = None,
    ) -> list[Any]:
        """`work(source, own, *shared)` of every piece, in their order: for small results."""
        chains = self.chains(pieces)
        order = [number for chain in chains for number in chain.pieces]

        def build(tied: bool) -> tuple[PassGraph, Any, list[WaitingStep]]:
            graph = PassGraph()
            given, results = graph.add(Constant(shared)), []
            for chain, place in zip(chains, self.places(chains, tied), strict=True):
                for run in equal_runs(chain.pieces, min(TASKS_PER_THREAD, len(chain.pieces))):
                    step = EachStep(work, *open_tasks(pieces, run), own_tasks(own, run))
                    parts = add_parts(graph, pieces, run)
                    results.append(graph.add(step, parts, given, worker=place))
            return graph, graph.add(concatenate_results, results), []

        found = dict(zip(order, self.compute(build, None), strict=True))
        return [found[number] for number in range(len(pieces))]

    def assembled(
        self,
        pieces: Sequence[Piece],
        cut: Callable[..., Any],
        finish: Callable[..., Any],
        together: Callable[[Any, Any], Any],
        cuts: Sequence[Any],
        shared: Any,
    ) -> Any:
        """For one of `cuts` after the other: that part of every piece, brought to one worker.

        It does `finish(parts, cut, shared)`; the results are put together, and one comes here.
        """

        def build(tied: bool) -> tuple[PassGraph, Any, list[WaitingStep]]:
            graph, result = PassGraph(), None
            given, nothing = graph.add(Constant(shared)), graph.add(Constant(()))
            for where in cuts:
                parts = []
                for number in range(len(pieces)):
                    step = EachStep(cut, *open_tasks(pieces, [number]), [where])
                    parts.append(graph.add(step, add_parts(graph, pieces, [number]), nothing))
                result = graph.add(FinishStep(finish, together, where), result, parts, given)
            return graph, result, []

        return self.compute(build, None)

    def compute(
        self,
        build: Callable[[bool], tuple[PassGraph, Any, Sequence[WaitingStep]]],
        on_progress: OnProgress | None,
    ) -> Any:
        if self.client is not None:
            return compute_on_cluster(self.client, build, on_progress)
        import dask

        graph, root, _ = build(False)
        return dask.compute(*graph.delayed([root]), scheduler="threads", optimize_graph=False)[0]

    def places(self, chains: Sequence[Chain], tied: bool) -> list[str | None]:
        """Where each chain runs: with its worker, or with another one should that be gone."""
        if not tied or self.client is None:
            return [None] * len(chains)
        alive = list(worker_threads(self.client))
        if not alive:
            return [None] * len(chains)
        lost = sorted({str(chain.worker) for chain in chains} - set(alive))
        instead = {worker: alive[number % len(alive)] for number, worker in enumerate(lost)}
        return [instead.get(str(chain.worker), chain.worker) for chain in chains]


# -- building --------------------------------------------------------------------------------


def open_tasks(pieces: Sequence[Piece], run: Sequence[int]) -> tuple[list[Any], list[int]]:
    """How to open each piece of a run, and how many parts each of them has."""
    return [pieces[i].opener for i in run], [len(pieces[i].parts) for i in run]


def own_tasks(own: Sequence[Any] | None, run: Sequence[int]) -> list[Any]:
    return [None if own is None else own[i] for i in run]


def add_parts(graph: PassGraph, pieces: Sequence[Piece], run: Sequence[int]) -> list[Any]:
    for number in run:
        graph.add_rows(pieces[number].tasks)
    return [part for number in run for part in pieces[number].parts]


def add_tree(
    graph: PassGraph, ends: list[tuple[str | None, Any]], together: Callable[[Any, Any], Any]
) -> Any:
    """Neighbors two by two, each pair where its first one lies."""
    while len(ends) > 1:
        pairs = [
            (worker, graph.add(together, left, right, worker=worker))
            for (worker, left), (_, right) in zip(ends[::2], ends[1::2], strict=False)
        ]
        ends = pairs + (ends[-1:] if len(ends) % 2 else [])
    return ends[0][1]


def equal_runs(numbers: Sequence[int], count: int) -> list[Sequence[int]]:
    """As many runs, as equal as can be; some are empty where there are fewer numbers."""
    cuts = [index * len(numbers) // count for index in range(count + 1)]
    return [numbers[start:stop] for start, stop in pairwise(cuts)]


# -- on the workers ----------------------------------------------------------------------------


@dataclass(frozen=True)
class EachStep:
    """`work` on every piece of a run."""

    work: Callable[..., Any]
    openers: list[Callable[..., Source]]
    part_counts: list[int]
    owned: list[Any]

    def __call__(self, parts: list[Any], shared: tuple[Any, ...]) -> list[Any]:
        return list(self.results(parts, shared))

    def results(self, parts: list[Any], shared: tuple[Any, ...]) -> Iterator[Any]:
        start = 0
        for opener, count, own in zip(self.openers, self.part_counts, self.owned, strict=True):
            yield self.work(opener(*parts[start : start + count]), own, *shared)
            start += count


@dataclass(frozen=True)
class ChainStep:
    """One task of a chain. It leaves `before` as it is: after a loss it may run once more."""

    work: Callable[..., Any]
    together: Callable[[Any, Any], Any]
    openers: list[Callable[..., Source]]
    part_counts: list[int]
    owned: list[Any]

    def __call__(self, before: Any, parts: list[Any], shared: tuple[Any, ...]) -> Any:
        pieces = EachStep(self.work, self.openers, self.part_counts, self.owned)
        for found in pieces.results(parts, shared):
            before = found if before is None else self.together(before, found)
        return before


@dataclass(frozen=True)
class FinishStep:
    finish: Callable[..., Any]
    together: Callable[[Any, Any], Any]
    where: Any

    def __call__(self, before: Any, parts: list[list[Any]], shared: Any) -> Any:
        found = self.finish([part[0] for part in parts], self.where, shared)
        return found if before is None else self.together(before, found)


def concatenate_results(results: list[list[Any]]) -> list[Any]:
    return [one for part in results for one in part]
