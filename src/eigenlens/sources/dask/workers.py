"""Workers: who works where the rows lie, and how a pass is dealt out to them.

    chain     pieces that one thread of one worker goes through, one result in memory: a chain
             r <- r + work(piece), cut into a few tasks so that work can be followed and moved
    tree     chains of one worker are added first, then workers pairwise; the root comes here

So one result leaves a worker per pass. Lanes are dealt once per table: sums keep their order.
Without a cluster the chains are threads of this process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from eigenlens.errors import ClusterLost
from eigenlens.machine.limits import available_processors
from eigenlens.sources.protocol import Source

__all__ = ["Chain", "OnProgress", "Piece", "Workers"]

LOOK_SECONDS = 0.5
PATIENCE_SECONDS = 10.0  # for a scheduler that does not answer: it may only be busy
# A graph holds the vectors to multiply by, which is what graphs are not meant for; a scattered
# copy would be lost with the worker that holds it, and the fit with it.
QUIET = {"distributed.admin.large-graph-warning-threshold": "1TB"}

OnProgress = Callable[[int], None]  # is told how many pieces are done


@dataclass(frozen=True)
class Piece:
    """Consecutive rows that lie elsewhere: what to call there to open them."""

    opener: Callable[..., Source]
    parts: tuple[Any, ...]  # of the call: plain values, futures, or Dask's delayed objects
    alone: bool = True  # nobody else needs what its parts are made from
    holder: str | None = None  # the worker in whose memory they lie


@dataclass(frozen=True)
class Chain:
    worker: str | None
    pieces: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Workers:
    """A Dask client, or the threads of this process."""

    client: Any | None = None

    @property
    def hands(self) -> list[str | None]:
        """One entry per thread: the address of its worker."""
        if self.client is None:
            return [None] * available_processors()
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        return [name for name, one in sorted(workers.items()) for _ in range(one["nthreads"])]

    @property
    def workers(self) -> int:
        return len(set(self.hands)) if self.client is not None else 1

    def chains(self, pieces: Sequence[Piece]) -> list[Chain]:
        """Pieces in memory stay with who holds them; the others are dealt out in runs."""
        hands = self.hands or [None]
        mine: dict[str | None, list[int]] = {}
        free = []
        for number, piece in enumerate(pieces):
            if piece.holder in hands and piece.holder is not None:
                mine.setdefault(piece.holder, []).append(number)
            else:
                free.append(number)
        for index, hand in enumerate(hands):
            share = free[index * len(free) // len(hands) : (index + 1) * len(free) // len(hands)]
            mine.setdefault(hand, []).extend(share)
        chains = []
        for worker, numbers in mine.items():
            threads = hands.count(worker)
            for index in range(threads):
                bounds = (
                    index * len(numbers) // threads,
                    (index + 1) * len(numbers) // threads,
                )
                chains.append(Chain(worker, tuple(numbers[slice(*bounds)])))
        return [chain for chain in chains if chain.pieces]

    # -- work ------------------------------------------------------------------------------

    def reduced(
        self,
        pieces: Sequence[Piece],
        chains: Sequence[Chain],
        tasks: int,
        work: Callable[..., Any],
        together: Callable[[Any, Any], Any],
        shared: tuple[Any, ...] = (),
        own: Sequence[Any] | None = None,
        told: OnProgress | None = None,
    ) -> Any:
        """`work(source, own, *shared)` of every piece, put together two by two.

        `tasks`: how many a chain is cut into, so that work can be followed and moved.
        """
        from dask import delayed

        given = delayed(shared, pure=False, traverse=False)
        step, join = delayed(worked, pure=False), delayed(together, pure=False)
        ends: dict[str | None, Any] = {}
        steps: list[tuple[int, Any]] = []
        for chain in chains:
            with placed(chain.worker):
                result = None
                for run in runs(chain.pieces, pieces, tasks):
                    calls = [(pieces[i].opener, list(pieces[i].parts)) for i in run]
                    owned = [None if own is None else own[i] for i in run]
                    result = step(result, work, together, calls, owned, given)
                    steps.append((len(run), result))
                known = ends.get(chain.worker)
                ends[chain.worker] = result if known is None else join(known, result)
        return self.compute(tree(list(ends.items()), join), steps, told)

    def each(
        self,
        pieces: Sequence[Piece],
        work: Callable[..., Any],
        shared: tuple[Any, ...] = (),
        own: Sequence[Any] | None = None,
    ) -> list[Any]:
        """`work(source, own, *shared)` of every piece, in their order: for small results."""
        from dask import delayed

        given = delayed(shared, pure=False, traverse=False)
        single = delayed(one, pure=False)
        results = []
        for number, piece in enumerate(pieces):
            with placed(piece.holder):
                mine = None if own is None else own[number]
                results.append(single(work, piece.opener, list(piece.parts), mine, given))
        found: list[Any] = self.compute(delayed(list, pure=False)(results), [], None)
        return found

    def assembled(
        self,
        pieces: Sequence[Piece],
        cut: Callable[..., Any],
        finish: Callable[..., Any],
        together: Callable[[Any, Any], Any],
        cuts: Sequence[Any],
        shared: Any,
    ) -> Any:
        """For one of `cuts` after the other: that part of every piece, put in one worker's hands.

        It does `finish(parts, cut, shared)`; the results are put together, and one comes here.
        """
        from dask import delayed

        given = delayed(shared, pure=False, traverse=False)
        single, last = delayed(one, pure=False), delayed(finished, pure=False)
        result = None
        for where in cuts:
            parts = [single(cut, p.opener, list(p.parts), where, ()) for p in pieces]
            result = last(result, finish, together, parts, where, given)
        return self.compute(result, [], None)

    def compute(self, root: Any, steps: Sequence[tuple[int, Any]], told: OnProgress | None) -> Any:
        import dask

        if self.client is None:
            return dask.compute(root, scheduler="threads", optimize_graph=False)[0]
        with dask.config.set(QUIET), losses_told():
            # Of one chain the last step is the root, and they would be one future.
            watched = [one for one in steps if told is not None and one[1].key != root.key]
            wanted = [step for _, step in watched] + [root]
            *made, last = self.client.compute(wanted, optimize_graph=False)
            sizes = [count for count, _ in watched]
            try:
                self.wait_for(last, list(zip(sizes, made, strict=True)), told)
                return last.result()
            finally:
                # An error's traceback, which an interactive session keeps, holds them too: after
                # Ctrl-C the cluster would go on working.
                for future in [*made, last]:
                    future.release()

    def wait_for(self, future: Any, steps: list[tuple[int, Any]], told: OnProgress | None) -> None:
        """Until it is done, telling how far it has come, or the error that the scheduler is gone.

        A future would wait forever. Its result is fetched without a limit: a large one takes long.
        """
        from distributed import wait

        assert self.client is not None
        lonely, done = 0.0, 0
        while not future.done():
            with suppress(TimeoutError):
                wait([future], timeout=LOOK_SECONDS)
            if told is not None:
                for count, step in [one for one in steps if one[1].status == "finished"]:
                    steps.remove((count, step))
                    step.release()  # its worker need not keep what the next one has taken up
                    done += count
                told(done)
            lonely = 0.0 if self.client.status == "running" else lonely + LOOK_SECONDS
            if lonely >= PATIENCE_SECONDS:
                raise ClusterLost.during(f"no scheduler for {PATIENCE_SECONDS:g} seconds")


def worked(
    before: Any,
    work: Callable[..., Any],
    together: Callable[[Any, Any], Any],
    calls: Sequence[tuple[Callable[..., Source], list[Any]]],
    owned: Sequence[Any],
    shared: tuple[Any, ...],
) -> Any:
    """One task of a chain. It leaves `before` as it is: after a loss the task may run once more."""
    for (opener, parts), own in zip(calls, owned, strict=True):
        found = work(opener(*parts), own, *shared)
        before = found if before is None else together(before, found)
    return before


def one(
    work: Callable[..., Any],
    opener: Callable[..., Source],
    parts: list[Any],
    own: Any,
    shared: tuple[Any, ...],
) -> Any:
    return work(opener(*parts), own, *shared)


def finished(
    before: Any,
    finish: Callable[..., Any],
    together: Callable[[Any, Any], Any],
    parts: Sequence[Any],
    where: Any,
    shared: Any,
) -> Any:
    found = finish(parts, where, shared)
    return found if before is None else together(before, found)


def runs(numbers: Sequence[int], pieces: Sequence[Piece], count: int) -> Iterator[Sequence[int]]:
    """A few runs of pieces that stand alone; the others one by one, as they are made."""
    if not all(pieces[number].alone for number in numbers):
        yield from ((number,) for number in numbers)
        return
    length = -(-len(numbers) // count)
    for start in range(0, len(numbers), length):
        yield numbers[start : start + length]


def tree(ends: list[tuple[str | None, Any]], join: Any) -> Any:
    """Neighbors two by two, each pair where its first one lies."""
    while len(ends) > 1:
        pairs = []
        for (worker, left), (_, right) in zip(ends[::2], ends[1::2], strict=False):
            with placed(worker):
                pairs.append((worker, join(left, right)))
        ends = pairs + (ends[-1:] if len(ends) % 2 else [])
    return ends[0][1]


@contextmanager
def placed(worker: str | None) -> Iterator[None]:
    """Tasks made inside run on that worker; should it be gone, on another one."""
    if worker is None:
        yield
        return
    import dask

    with dask.annotate(workers=[worker], allow_other_workers=True):
        yield


@contextmanager
def losses_told() -> Iterator[None]:
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
