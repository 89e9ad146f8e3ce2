"""Journal: what the passes of one fit have given, in a file that grows by what is new.

Results of passes and states of the pass under way are appended; nothing is held in memory but what
waits to be written. States that a later one has replaced are dropped, by writing the file anew
under another name, once they take more room than all the rest. So the file is never larger than
twice what must be kept, with one state more, and one complete version of it exists at any time.

A lock keeps a second fit away from it. In the middle of a pass Ctrl-C is put off to the end of a
block, so that the state written then is that of whole blocks; a second one is not.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from eigenlens.algebra.typing import AnyArray
from eigenlens.errors import CheckpointError, DataError, FileError, OptionError
from eigenlens.errors.system import os_errors
from eigenlens.machine.whole_file import whole_file
from eigenlens.table.records import CHECKPOINT_MAGIC, Record, RecordFile

__all__ = ["Journal", "close_quietly", "lock_file"]

MOST_WAITING = 16 << 20  # bytes of results that wait in memory for the next time to write
SLACK = 1 << 20  # of states no longer needed, for which no file is written anew


@dataclass
class Journal:
    """The record of one fit: results of passes by number, and the state of the one under way."""

    path: Path
    every_seconds: float
    identity: Mapping[str, str]
    file: RecordFile
    forgiving: bool = False  # a fit that was complete when Ctrl-C came counts as complete
    notes: dict[str, Any] = field(default_factory=dict)
    finished: bool = False
    kept: int = 0  # passes in the file
    last: int = 0  # and those that wait
    waiting: deque[list[AnyArray]] = field(default_factory=deque)
    waiting_bytes: int = 0
    next_record: int = len(CHECKPOINT_MAGIC)  # where to look for the next result
    state: Record | None = None
    dropped: int = 0  # bytes of states no longer needed
    noted: bool = False
    current: int = 0
    row: int = 0
    in_pass: bool = False
    stopping: bool = False
    written: float = field(default_factory=time.monotonic)
    before: Any = None  # whoever else is told of Ctrl-C

    # -- passes ----------------------------------------------------------------------------

    def recorded(self, number: int) -> list[AnyArray] | None:
        """What a pass gave in an earlier attempt; asked for in order, each once."""
        if number > self.kept:
            return None
        for record in self.file.records(self.next_record, self.file.end):
            self.next_record = record.stop
            if record.said["kind"] == "pass" and record.said["number"] == number:
                return self.arrays(record)
        return None

    def record(self, number: int, arrays: Sequence[AnyArray]) -> None:
        if number != self.last + 1:
            return  # an interrupted pass is missing, and what follows it belongs to another end
        self.last = number
        self.waiting_bytes += sum(array.nbytes for array in arrays)
        full, now = self.waiting_bytes > MOST_WAITING, self.is_due or self.stopping
        # Whoever gets the arrays may overwrite them, so those that wait are copies.
        self.waiting.append(list(arrays) if full or now else [np.array(one) for one in arrays])
        if now:
            self.write([])
        elif full:
            with self.writing():
                self.append_results()
        self.in_pass = False
        self.stop_if_asked()

    def resumed(self, number: int, state: Sequence[AnyArray]) -> int:
        """The row that pass `number` had reached, with the arrays of its state filled in."""
        found = self.state_of(number)
        if found is None or not state:
            return 0
        row, kept = found
        self.fill(state, kept)
        return row

    def state_of(self, number: int) -> tuple[int, list[AnyArray]] | None:
        """The row that pass `number`, which now begins, had reached, and the arrays it had."""
        self.current, self.in_pass = number, True
        if self.state is None or self.state.said["number"] != number:
            return None
        return int(self.state.said["row"]), self.arrays(self.state)

    def reached(self, row: int, state: Sequence[AnyArray]) -> None:
        self.row = row
        if self.is_due or self.stopping:
            self.write(list(state))
        self.stop_if_asked()

    def fill(self, arrays: Sequence[AnyArray], kept: Sequence[AnyArray]) -> None:
        alike = [one.shape == two.shape for one, two in zip(arrays, kept, strict=False)]
        if len(arrays) > len(kept) or not all(alike):
            raise CheckpointError.unreadable(self.path, "its arrays are not of this fit's shapes")
        for array, found in zip(arrays, kept, strict=False):
            array[...] = found

    def arrays(self, record: Record) -> list[AnyArray]:
        try:
            return self.file.arrays(record)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CheckpointError.unreadable(self.path, error) from error

    # -- the file --------------------------------------------------------------------------

    @property
    def is_due(self) -> bool:
        return time.monotonic() - self.written >= self.every_seconds

    def write(self, state: Sequence[AnyArray]) -> None:
        """All that is new: results that waited, and the state of the pass under way."""
        with self.writing():
            self.append_results()
            if state and self.current == self.kept + 1:
                self.drop_state()
                said = {"kind": "state", "number": self.current, "row": self.row}
                self.state = self.file.append(said, state)
            if self.dropped > SLACK + self.file.end - self.dropped:
                self.write_anew()
            self.file.sync()
        self.written = time.monotonic()

    @contextmanager
    def writing(self) -> Iterator[None]:
        with os_errors(self.path, "written", CheckpointError):
            yield

    def append_results(self) -> None:
        if not self.noted:
            self.file.append({"kind": "notes", "notes": self.notes})
            self.noted = True
        while self.waiting:
            self.file.append({"kind": "pass", "number": self.kept + 1}, self.waiting[0])
            self.kept += 1
            self.waiting.popleft()
            self.drop_state()
        self.waiting_bytes = 0

    def drop_state(self) -> None:
        if self.state is not None:
            self.dropped += self.state.size
            self.state = None

    def write_anew(self) -> None:
        """The same file without the states that are no longer needed."""
        with whole_file(self.path) as unfinished:
            fresh = RecordFile(unfinished.open("w+b"))
            try:
                lock_file(fresh.file)
                state = self.copy_needed(fresh)
                fresh.sync()
            except BaseException:
                fresh.file.close()
                raise
        self.file.file.close()
        self.file, self.state, self.dropped = fresh, state, 0

    def copy_needed(self, fresh: RecordFile) -> Record | None:
        """All but old states; where the state is now."""
        fresh.begin()
        state = None
        for record in self.file.records(stop=self.file.end):
            if record.said["kind"] != "state":
                self.file.copy_to(fresh, record)
            elif self.state is not None and record.start == self.state.start:
                state = self.file.copy_to(fresh, record)
        return state

    # -- begin and end ---------------------------------------------------------------------

    def __enter__(self) -> Self:
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self.before = signal.signal(signal.SIGINT, self.asked_to_stop)
        return self

    def asked_to_stop(self, number: int, frame: Any) -> None:
        if self.stopping or not self.in_pass:
            signal.default_int_handler(number, frame)
        self.stopping = True

    def stop_if_asked(self) -> None:
        if self.stopping:
            self.stopping = self.in_pass = False
            raise KeyboardInterrupt

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
        try:
            if error is None and self.stopping and not self.forgiving:
                error = KeyboardInterrupt()
            if isinstance(error, KeyboardInterrupt):
                self.write([])
            elif error is not None and not will_recur(error):
                with suppress(CheckpointError):  # what went wrong first is what is told
                    self.write([])
            if (self.finished and error is None) or not (self.kept or self.state):
                self.path.resolve().unlink(missing_ok=True)
            elif error is not None and not will_recur(error):
                error.add_note(f"repeat the same call to resume from {str(self.path)!r}")
        finally:
            close_quietly(self.file.file)  # what is worth keeping was flushed before
        if kind is None and error is not None:
            raise error


def close_quietly(file: IO[bytes]) -> None:
    """What could not be written before cannot be written now, and was said already."""
    with suppress(OSError):
        file.close()


def will_recur(error: BaseException) -> bool:
    """Whether the same call would fail again: with other data or options it is another fit."""
    return isinstance(error, DataError | OptionError) and not isinstance(error, FileError)


def lock_file(file: IO[bytes]) -> bool:
    """Whether this process may write; True also where the system knows no locks."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
