"""Watch: follows the passes of a fit for those who want to see them, or to take them up again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from eigenlens.algebra.typing import AnyArray
from eigenlens.table.column_sums import Sums
from eigenlens.table.journal import Journal

__all__ = ["PassObserver", "ProgressDisplay"]


class ProgressDisplay(Protocol):
    """Somebody to tell."""

    def pass_began(self, number: int, total: int) -> None: ...

    def moved(self, done: int) -> None: ...

    def proven(self, error: float) -> None: ...


class PassObserver:
    """Silent unless it has a display, and forgetful unless it has a journal."""

    def __init__(
        self,
        display: ProgressDisplay | None = None,
        journal: Journal | None = None,
        before: int = 0,
    ) -> None:
        self.display = display
        self.journal = journal
        self.before = before  # passes that the journal holds of an engine for missing cells
        self.number = 0

    def one_pass(
        self, number: int, total: int, verb: Callable[[Sums | None], Any], tally: Sums | None
    ) -> Any:
        """What the verb gives, or gave when the pass was made in an earlier attempt."""
        self.began(number, total)
        if self.journal is None:
            return verb(tally)
        place = self.before + number
        kept = self.journal.recorded(place)
        gathered = [] if tally is None else tally.arrays
        if kept is None:
            result = verb(tally)
            self.journal.record(place, [*gathered, *([] if result is None else [result])])
            return result
        self.journal.fill(gathered, kept)
        return kept[-1] if len(kept) > len(gathered) else None

    def began(self, number: int, total: int) -> None:
        self.number = number
        if self.display is not None:
            self.display.pass_began(number, total)

    def begin(self, state: Sequence[AnyArray]) -> int:
        """Where to start the pass under way: at the first row, or where it had come to."""
        place = self.before + self.number
        return 0 if self.journal is None else self.journal.resumed(place, state)

    def reached(self, row: int, state: Sequence[AnyArray]) -> None:
        """All rows before `row` are in `state`."""
        if self.display is not None:
            self.display.moved(row)
        if self.journal is not None:
            self.journal.reached(row, state)

    def proven(self, error: float) -> None:
        if self.display is not None:
            self.display.proven(error)
