"""Checkpoints: what the passes of a fit have found, in a file, so that nothing is lost when killed.

A fit is a chain of passes with small computations in between, the same every time. So nothing of a
solver is stored: when the same call is made again it starts over, every pass already made gives its
recorded result at once, and the pass under way goes on from the row it had reached.

    run.ckpt    records (`records.py`): identity of the fit, chosen solver, results, states

The file is there from the beginning of the fit, and removed after success.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from eigenlens.errors import CheckpointError, OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.errors.system import os_errors, writable_path
from eigenlens.machine.whole_file import unfinished_files
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import fingerprint_of
from eigenlens.table.journal import Journal, close_quietly, lock_file
from eigenlens.table.preparation import Preparation
from eigenlens.table.records import RecordFile
from eigenlens.version import __version__

__all__ = ["Checkpoint", "checkpoint_at", "digest_of_values", "journal_for"]

MOST_SHOWN = 200  # letters of what tells the data from others
TRIES = 5  # to open a file that others may just be removing


@dataclass(frozen=True)
class Checkpoint:
    """Where the state of a fit is kept, and how often at most it is written."""

    path: str | os.PathLike[str]
    every_seconds: float = 30.0

    def __post_init__(self) -> None:
        if not self.every_seconds >= 0:
            raise OptionError.not_positive("every_seconds", self.every_seconds)


def checkpoint_at(given: object) -> Checkpoint | None:
    """What `checkpoint=` means; a place where none can be kept is refused before any work."""
    if given is None:
        return None
    if isinstance(given, str | os.PathLike):
        given = Checkpoint(given)
    if not isinstance(given, Checkpoint):
        raise OptionError.needs(
            SetOption("checkpoint", given),
            "a path or eigenlens.Checkpoint",
            Phrase("pass {}", SetOption("checkpoint", "run.ckpt")),
        )
    path = Path(os.fsdecode(given.path)).expanduser()
    writable_path(path, CheckpointError)
    if path.exists() and not path.is_file():
        raise CheckpointError.no_place(path, "it is not a file")
    return Checkpoint(path, given.every_seconds)


def journal_for(
    checkpoint: Checkpoint | None,
    source: Source,
    preparation: Preparation,
    settings: Mapping[str, object],
    forgiving: bool = False,
) -> AbstractContextManager[Journal | None]:
    """The record of this very fit so far; `forgiving` as in the search for its answer."""
    if checkpoint is None:
        return nullcontext()
    identity = {name: repr(value) for name, value in settings.items()}
    identity["data"] = shorten_setting(fingerprint_of(source))
    identity["scale"] = digest_of_values(preparation.scale)
    identity["weights"] = digest_of_values(preparation.weights)
    identity["eigenlens"] = __version__
    path = Path(checkpoint.path)
    file = open_checkpoint(path)
    remove_unfinished_checkpoints(path)
    is_new = os.fstat(file.fileno()).st_size == 0
    try:
        journal = Journal(
            path, checkpoint.every_seconds, identity, RecordFile(file), forgiving=forgiving
        )
        load_checkpoint(journal)
    except BaseException:
        if is_new:  # a file that a full disk left without a first record would only be in the way
            path.resolve().unlink(missing_ok=True)
        close_quietly(file)
        raise
    return journal


def remove_unfinished_checkpoints(path: Path) -> None:
    """What a process that was killed while it wrote this checkpoint anew has left behind.

    Only one that nobody writes any more, which its lock tells.
    """
    for left in unfinished_files(path):
        with suppress(OSError), left.open("r+b") as file:
            if lock_file(file):
                left.unlink()


def shorten_setting(text: str) -> str:
    """Short enough to be read in a message; others still differ."""
    if len(text) <= MOST_SHOWN:
        return text
    return f"{text[:MOST_SHOWN]}... {digest_of_text(text)}"


def digest_of_text(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def digest_of_values(values: object) -> str:
    """The same text for the same numbers."""
    if not isinstance(values, np.ndarray):
        return repr(values)
    return hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()


def open_checkpoint(path: Path) -> IO[bytes]:
    """The file, new if need be, for this fit alone."""
    for _ in range(TRIES):
        with os_errors(path, "written", CheckpointError):
            path.touch()
            file = path.open("r+b")
        if not lock_file(file):
            file.close()
            raise CheckpointError.in_use(path)
        try:
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        except FileNotFoundError:
            pass  # whoever had it removed it before we had the lock: it is a file without a name
        file.close()
    raise CheckpointError.in_use(path)


def load_checkpoint(journal: Journal) -> None:
    """Go on from what the file holds; begin where it holds nothing; refuse one of another fit."""
    records = journal.file
    if os.fstat(records.file.fileno()).st_size == 0:
        begin_checkpoint(journal)
        return
    if not records.is_one():
        raise CheckpointError.foreign(journal.path)
    try:
        theirs = read_checkpoint(journal)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError.unreadable(journal.path, error) from error
    if theirs is None:
        begin_checkpoint_anew(journal)
        return
    different = [key for key, value in journal.identity.items() if theirs.get(key) != value]
    if different and (journal.kept or journal.state):
        what = {key: (theirs.get(key), journal.identity[key]) for key in different}
        raise CheckpointError.of_another_fit(journal.path, what)
    if different:
        begin_checkpoint(journal)  # of another fit that had not come to anything


def begin_checkpoint_anew(journal: Journal) -> None:
    """Nothing that follows a damaged first record is believed."""
    warnings.warn(
        f"the first record of the checkpoint {str(journal.path)!r} is damaged: the fit starts over",
        RuntimeWarning,
        stacklevel=2,
    )
    journal.kept = journal.last = 0
    journal.state, journal.dropped = None, 0
    begin_checkpoint(journal)


def begin_checkpoint(journal: Journal) -> None:
    with journal.writing():
        journal.file.begin()
        journal.file.append({"kind": "fit", "identity": dict(journal.identity)})
    journal.notes, journal.noted = {}, False


def read_checkpoint(journal: Journal) -> dict[str, Any] | None:
    """The identity of the fit; results are read when they are asked for. None: it is damaged."""
    identity: dict[str, Any] = {}
    for record in journal.file.records():
        said = record.said
        if said["kind"] == "fit":
            identity = dict(said["identity"])
        elif said["kind"] == "notes":
            journal.notes, journal.noted = check_notes(said["notes"]), True
        elif said["kind"] == "pass" and said["number"] == journal.kept + 1:
            journal.kept = journal.last = said["number"]
            journal.drop_state()
        elif said["kind"] == "state":
            journal.drop_state()
            journal.state = record if is_ahead(said, journal.kept) else None
        elif said["number"] > journal.kept:
            raise ValueError(f"pass {journal.kept + 1} is missing")
        journal.file.end = record.stop
    return identity or None


def is_ahead(said: Mapping[str, Any], kept: int) -> bool:
    """Whether a state is that of the pass after those that are kept."""
    row = said["row"]
    if not isinstance(row, int) or row < 0:
        raise ValueError(f"row {row!r}")
    return bool(said["number"] == kept + 1)


def check_notes(notes: Any) -> dict[str, Any]:
    solver = notes.get("solver", ["", "", ""])
    if len(solver) != 3 or not all(isinstance(word, str) for word in solver):
        raise ValueError("it names no solver")
    return dict(notes)
