"""Passes of an engine: sums over the blocks of a table, kept in the checkpoint of its fit.

Parts are added in the order of the blocks, so the bits depend neither on the number of threads nor
on whether a pass was made in one go. With a checkpoint every pass that was made in an earlier
attempt gives its recorded sums at once, and the pass under way goes on from the row it had reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from eigenlens.algebra.typing import AnyArray
from eigenlens.table.journal import Journal

__all__ = ["EnginePasses", "Summable", "sum_parts"]


class Summable(Protocol):
    """A dataclass of numbers and arrays."""

    def __add__(self, other: Self, /) -> Self: ...


S = TypeVar("S", bound=Summable)
K = TypeVar("K")
PartsFrom = Callable[[int], Iterator[tuple[S, int]]]


@dataclass
class EnginePasses:
    """The passes of an engine in the journal of its fit; `count` of them are made."""

    journal: Journal
    count: int = 0

    def sum_parts(self, kind: type[S], parts_from: PartsFrom[S]) -> S:
        self.count += 1
        kept = self.journal.recorded(self.count)
        if kept is not None:
            return from_arrays(kind, kept)
        first, state = self.journal.state_of(self.count) or (0, [])
        whole = from_arrays(kind, state) if state else None
        for part, row in parts_from(first):
            whole = part if whole is None else whole + part
            self.journal.reached(row, arrays_of(whole))
        self.journal.record(self.count, arrays_of(whole))
        return expect_some(whole)

    def keep(self, kind: type[K], make: Callable[[], K]) -> K:
        """What one pass gives, or gave; nothing is kept of it before its end."""
        self.count += 1
        kept = self.journal.recorded(self.count)
        if kept is not None:
            return from_arrays(kind, kept)
        made = make()
        self.journal.record(self.count, arrays_of(made))
        return made


def sum_parts(passes: EnginePasses | None, kind: type[S], parts_from: PartsFrom[S]) -> S:
    """The sum of the parts from a row on, each given with the row after its last one."""
    if passes is not None:
        return passes.sum_parts(kind, parts_from)
    whole: S | None = None
    for part, _ in parts_from(0):
        whole = part if whole is None else whole + part
    return expect_some(whole)


def expect_some(whole: S | None) -> S:
    if whole is None:
        raise RuntimeError("a table has at least one block")
    return whole


def arrays_of(record: Any) -> list[AnyArray]:
    return [np.asarray(getattr(record, one.name)) for one in fields(record)]


def from_arrays(kind: type[K], arrays: Sequence[AnyArray]) -> K:
    return kind(*(one if one.ndim else one.item() for one in arrays))
