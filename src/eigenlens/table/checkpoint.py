"""Checkpoints: what the passes of a fit have found, in a file, so that nothing is lost when killed.

A fit is a chain of passes with small computations in between, the same every time. So nothing of a
solver is stored: when the same call is made again it starts over, every pass already made gives its
recorded result at once, and the pass under way goes on from the row it had reached.

    run.ckpt    a zip of `record.json` (identity, chosen solver, row reached) and `.npy` arrays

The file is replaced as a whole, so that one is always complete; it is removed after success.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray
from eigenlens.errors import CheckpointError, OptionError
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import fingerprint_of
from eigenlens.sources.whole_file import whole_file
from eigenlens.table.preparation import Preparation
from eigenlens.version import __version__

__all__ = ["Checkpoint", "Journal", "journal_for"]

RECORD = "record.json"
FORMAT = 1


@dataclass(frozen=True)
class Checkpoint:
    """Where the state of a fit is kept, and how often at most it is written."""

    path: str | os.PathLike[str]
    every_seconds: float = 30.0

    def __post_init__(self) -> None:
        if not self.every_seconds >= 0:
            raise OptionError.not_positive("every_seconds", self.every_seconds)


def journal_for(
    checkpoint: object, source: Source, preparation: Preparation, settings: Mapping[str, object]
) -> Journal | None:
    """The record of this very fit so far, where `checkpoint` is a path or a `Checkpoint`."""
    if checkpoint is None:
        return None
    if isinstance(checkpoint, str | os.PathLike):
        checkpoint = Checkpoint(checkpoint)
    if not isinstance(checkpoint, Checkpoint):
        raise OptionError.needs(
            f"checkpoint={checkpoint!r}",
            "a path or eigenlens.Checkpoint",
            "Pass checkpoint='run.ckpt'.",
        )
    identity = {name: repr(value) for name, value in settings.items()}
    identity["data"] = fingerprint_of(source)
    identity["scale"] = digest(preparation.scale)
    identity["weights"] = digest(preparation.weights)
    identity["eigenlens"] = __version__
    journal = Journal(checkpoint, identity)
    journal.load()
    return journal


def digest(values: object) -> str:
    """The same text for the same numbers."""
    if not isinstance(values, np.ndarray):
        return repr(values)
    return hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()


@dataclass
class Journal:
    """The record of one fit: results of passes by number, and the state of the one under way."""

    checkpoint: Checkpoint
    identity: Mapping[str, str]
    notes: dict[str, Any] = field(default_factory=dict)
    results: dict[int, list[AnyArray]] = field(default_factory=dict)
    current: int = 0
    row: int = 0
    state: list[AnyArray] = field(default_factory=list)
    written: float = field(default_factory=time.monotonic)

    @property
    def path(self) -> Path:
        return Path(self.checkpoint.path)

    # -- passes ----------------------------------------------------------------------------

    def recorded(self, number: int) -> list[AnyArray] | None:
        return self.results.get(number)

    def record(self, number: int, arrays: Sequence[AnyArray]) -> None:
        self.results[number] = [np.array(array) for array in arrays]
        self.row, self.state = 0, []
        self.write_if_due(list)

    def resumed(self, number: int, state: Sequence[AnyArray]) -> int:
        """The row that pass `number` had reached, with the arrays of its state filled in."""
        if number != self.current or not self.state:
            self.current, self.row, self.state = number, 0, []
            return 0
        for array, kept in zip(state, self.state, strict=True):
            array[...] = kept
        row, self.state = self.row, []
        return row

    def reached(self, row: int, state: Sequence[AnyArray]) -> None:
        self.row = row
        self.write_if_due(lambda: list(state))

    # -- the file --------------------------------------------------------------------------

    def write_if_due(self, state: Callable[[], list[AnyArray]]) -> None:
        if time.monotonic() - self.written >= self.checkpoint.every_seconds:
            self.write(state())
            self.written = time.monotonic()

    def write(self, state: Sequence[AnyArray]) -> None:
        record = {
            "format": FORMAT,
            "identity": dict(self.identity),
            "notes": self.notes,
            "current": self.current,
            "row": self.row if state else 0,
            "results": {str(number): len(arrays) for number, arrays in self.results.items()},
            "state": len(state),
        }
        named = {f"{n}-{i}": a for n, arrays in self.results.items() for i, a in enumerate(arrays)}
        named |= {f"state-{index}": array for index, array in enumerate(state)}
        try:
            with whole_file(self.path) as unfinished, unfinished.open("wb") as file:
                write_archive(file, record, named)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise CheckpointError.not_written(self.path, error.strerror or error) from error

    def load(self) -> None:
        """Go on from the file, where there is one; one of another fit is refused."""
        if not self.path.exists():
            return
        try:
            record, arrays = read_archive(self.path)
            theirs = dict(record["identity"])
            if record["format"] != FORMAT:
                raise ValueError(f"format {record['format']}")
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise CheckpointError.unreadable(self.path, error) from error
        different = [key for key, value in self.identity.items() if theirs.get(key) != value]
        if different:
            what = {key: (theirs.get(key), self.identity[key]) for key in different}
            raise CheckpointError.of_another_fit(self.path, what)
        self.notes = record["notes"]
        self.current, self.row = record["current"], record["row"]
        self.results = {
            int(number): [arrays[f"{number}-{index}"] for index in range(count)]
            for number, count in record["results"].items()
        }
        self.state = [arrays[f"state-{index}"] for index in range(record["state"])]

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)


def write_archive(file: Any, record: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(RECORD, json.dumps(record))
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                # In the order it has: the layout of an array decides how products are rounded.
                np.lib.format.write_array(member, array, allow_pickle=False)


def read_archive(path: Path) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    with zipfile.ZipFile(path) as archive:
        record = json.loads(archive.read(RECORD))
        arrays = {}
        for name in archive.namelist():
            if name != RECORD:
                with archive.open(name) as member:
                    array = np.lib.format.read_array(member, allow_pickle=False)
                arrays[name.removesuffix(".npy")] = array
    return record, arrays
