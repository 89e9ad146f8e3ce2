"""Spread rows: a table whose pieces lie with others, who work on them where they are.

What comes to this process is what was asked for: a sample of rows, counts, sums. Whole blocks come
only to whoever asks for blocks, and a fit does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.errors import ChunkError
from eigenlens.sources.block import spans
from eigenlens.sources.dask.waiting import OnProgress
from eigenlens.sources.dask.workers import Chain, Piece, Workers, equal_runs
from eigenlens.sources.finite import BadValues, bad_values
from eigenlens.sources.protocol import Block, FloatArray, IntArray, Source
from eigenlens.sources.regroup import regroup_rows
from eigenlens.sources.traits import Traits, blocks_from

__all__ = ["DistributedSource", "PieceFacts", "distributed_source", "facts_of_piece"]

BYTES_PER_TASK = 256 << 20  # a task follows the one before it after some 5 ms
MOST_TASKS = 8  # per chain
BYTES_GATHERED = 32 << 20  # of pieces made by Dask that one task takes up
GLANCES = 8  # pieces that are looked at to see where the rows lie


@dataclass(frozen=True)
class PieceFacts:
    """What a piece must agree with the others in, and how many rows it has."""

    rows: int
    columns: int
    dtype: str
    is_sparse: bool
    stored_bytes: int


@dataclass(frozen=True, eq=False)
class DistributedSource:
    pieces: tuple[Piece, ...]
    workers: Workers
    lengths: tuple[int, ...]
    common: PieceFacts
    names: tuple[str, ...] | None
    fingerprint: str
    label: str
    partitions: tuple[int, ...]  # where each piece stands among the user's, empty ones included
    passes_to_open: int = 0
    added: Mapping[str, Any] = field(default_factory=dict)  # traits of indicator rows
    encoding: Any = None

    @property
    def shape(self) -> tuple[int, int]:
        return sum(self.lengths), self.common.columns

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.common.dtype)

    @property
    def is_sparse(self) -> bool:
        return self.common.is_sparse

    @property
    def stored_bytes(self) -> int:
        rows = max(1, self.common.rows)
        return max(1, round(self.common.stored_bytes / rows * self.shape[0]))

    @cached_property
    def traits(self) -> Traits:
        threads = [] if self.workers.client is None else self.workers.threads
        return Traits(
            fingerprint=self.fingerprint,
            remote=True,
            threads=len(threads),
            workers=max(1, len(set(threads))),
            pieces=0 if self.workers.client is None else len(self.pieces),
            by_columns=False,
            passes_to_open=self.passes_to_open,
            glance=self.glance,
            find_bad_values=self.bad_values,
            **self.added,
        )

    @cached_property
    def chains(self) -> list[Chain]:
        return self.workers.chains(self.pieces)

    def runs(self, numbers: Sequence[int], tasks: int | None = None) -> Iterator[Sequence[int]]:
        """The pieces of a chain in runs, one task each.

        As many as let work be moved, while each does enough to be worth its while. Pieces that
        share tasks with others are made by Dask: as many of them as fit into little memory.
        """
        piece_bytes = max(1, self.stored_bytes // len(self.pieces))
        if all(self.pieces[number].is_alone for number in numbers):
            tasks = tasks or min(MOST_TASKS, -(-piece_bytes * len(numbers) // BYTES_PER_TASK))
        else:
            tasks = -(-len(numbers) // max(1, BYTES_GATHERED // piece_bytes))
        yield from equal_runs(numbers, min(tasks, len(numbers)))

    def runs_followed(self, numbers: Sequence[int]) -> Iterator[Sequence[int]]:
        return self.runs(numbers, MOST_TASKS)

    @cached_property
    def starts(self) -> IntArray:
        """The first row of each piece, and one past the last."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.intp)

    def parts(self, per_row: Any) -> list[Any] | None:
        """Something that has an entry for every row, cut as the pieces are."""
        if per_row is None:
            return None
        return [per_row[a:b] for a, b in zip(self.starts[:-1], self.starts[1:], strict=True)]

    def reduced(
        self,
        work: Callable[..., Any],
        together: Callable[[Any, Any], Any],
        shared: tuple[Any, ...] = (),
        own: Sequence[Any] | None = None,
        told: OnProgress | None = None,
    ) -> Any:
        """`work` where the rows lie, put together on the way here."""
        return self.workers.reduced(
            self.pieces,
            self.chains,
            self.runs_followed if told is not None else self.runs,
            CheckedWork(work, self.common),
            together,
            shared,
            own,
            told,
        )

    def each(
        self, work: Callable[..., Any], shared: tuple[Any, ...] = (), own: Any = None
    ) -> list[Any]:
        return self.workers.each(self.pieces, CheckedWork(work, self.common), shared, own)

    # -- what a source gives ---------------------------------------------------------------

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        return regroup_rows(self.fetched(start), rows_per_block, self.shape[1], self.dtype)

    def fetched(self, start: int) -> Iterator[Block]:
        for number, piece in enumerate(self.pieces):
            begin, end = self.starts[number], self.starts[number + 1]
            if end > max(start, begin):
                whole = self.workers.each([piece], CheckedWork(read_everything, self.common))[0]
                yield whole[max(0, start - begin) :]

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        for columns in spans(self.shape[1], columns_per_panel, "columns_per_panel"):
            parts = self.each(read_some_columns, (columns,))
            yield stack_parts(parts)

    def sample(self, indices: IntArray) -> FloatArray:
        wanted = np.asarray(indices)
        holder = np.searchsorted(self.starts, wanted, side="right") - 1
        rows = np.empty((len(wanted), self.shape[1]))
        asked = np.unique(holder).tolist()
        found = self.workers.each(
            [self.pieces[number] for number in asked],
            CheckedWork(read_some_rows, self.common),
            own=[wanted[holder == number] - self.starts[number] for number in asked],
        )
        for number, part in zip(asked, found, strict=True):
            rows[holder == number] = part
        return rows

    def glance(self, count: int) -> FloatArray:
        """Rows from some pieces, evenly spaced in each: other pieces are not even made."""
        full = [number for number, length in enumerate(self.lengths) if length]
        places = np.linspace(0, len(full) - 1, min(GLANCES, len(full))).astype(int)
        chosen = [full[place] for place in np.unique(places)]
        each = -(-count // len(chosen))
        indices = [
            self.starts[number]
            + np.unique(np.linspace(0, self.lengths[number] - 1, each).astype(np.intp))
            for number in chosen
        ]
        return self.sample(np.concatenate(indices))

    def bad_values(self) -> BadValues:
        """Where NaN and infinity are, with the piece they were met in."""
        total = BadValues()
        for number, found in enumerate(self.each(bad_values_of)):
            total.add(found, int(self.starts[number]), self.partitions[number])
        return total

    def __repr__(self) -> str:
        return f"{self.label} ({self.shape[0]} x {self.shape[1]}, {len(self.pieces)} pieces)"


@dataclass(frozen=True)
class CheckedWork:
    """`work`, once the piece is found to be what all are."""

    work: Callable[..., Any]
    common: PieceFacts

    def __call__(self, source: Source, own: Any, *shared: Any) -> Any:
        facts = facts_of_piece(source)
        ours = (self.common.columns, self.common.dtype, self.common.is_sparse)
        if (facts.columns, facts.dtype, facts.is_sparse) != ours:
            raise ChunkError.unlike_others(describe_facts(facts), describe_facts(self.common))
        return self.work(source, own, *shared)


def distributed_source(
    pieces: Sequence[Piece],
    workers: Workers,
    lengths: Sequence[int] | None,
    names: tuple[str, ...] | None,
    fingerprint: str,
    label: str,
) -> DistributedSource:
    """The table of these pieces, without the empty ones; unknown lengths are counted in a pass."""
    if lengths is None:
        every = workers.each(pieces, count_rows)
        common = next((facts for facts in every if facts.rows), every[0])
        lengths, passes = [facts.rows for facts in every], 1
    else:
        first = next((number for number, rows in enumerate(lengths) if rows), 0)
        common, passes = workers.each([pieces[first]], count_rows)[0], 0
    filled = [number for number, rows in enumerate(lengths) if rows] or [0]
    return DistributedSource(
        tuple(pieces[number] for number in filled),
        workers,
        tuple(lengths[number] for number in filled),
        common,
        names,
        fingerprint,
        label,
        tuple(filled),
        passes,
    )


def facts_of_piece(source: Source) -> PieceFacts:
    rows, columns = source.shape
    return PieceFacts(rows, columns, str(source.dtype), source.is_sparse, source.stored_bytes)


def describe_facts(facts: PieceFacts) -> str:
    kind = "sparse" if facts.is_sparse else "dense"
    return f"{facts.columns} columns of {facts.dtype}, {kind}"


# -- what is done with a piece, where it lies ------------------------------------------------


def count_rows(source: Source, own: None) -> PieceFacts:
    return facts_of_piece(source)


def read_everything(source: Source, own: None) -> Block:
    return stack_parts(list(blocks_from(source, max(1, source.shape[0]), 0)))


def read_some_rows(source: Source, own: IntArray) -> FloatArray:
    return source.sample(own)


def read_some_columns(source: Source, own: None, columns: slice) -> Block:
    return read_everything(source, own)[:, columns]


def bad_values_of(source: Source, own: None) -> BadValues:
    return bad_values(source)


def stack_parts(parts: Sequence[Block]) -> Block:
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    from scipy import sparse

    return sparse.vstack(parts, format="csr")
