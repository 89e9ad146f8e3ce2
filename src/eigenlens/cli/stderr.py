"""talk: what is said beside the results, on stderr.

    note       something to know: what was left out, what was written
    warning    something to decide; under --strict it makes the exit code 6

`--quiet` silences both; warnings are in the JSON document all the same.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

from eigenlens.cli.wording import wording_of_command
from eigenlens.errors import NotCertified
from eigenlens.errors.phrasing import escape_controls
from eigenlens.errors.root import ExplainedWarning

__all__ = ["Messages", "drop_pending", "print_to_stderr"]


def print_to_stderr(text: str) -> None:
    """A line on stderr; where that is closed or full, the results come all the same."""
    if sys.stderr is None:  # print would take stdout in its place
        return
    try:
        print(escape_controls(text), file=sys.stderr, flush=True)
    except OSError:
        drop_pending(sys.stderr)


def drop_pending(stream: TextIO) -> None:
    """What is still held for the stream is dropped: at the very end it would fail once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def words_of(message: Any) -> str:
    """A warning of ours in the words of this command; others as they are."""
    if isinstance(message, ExplainedWarning):
        return message.say(wording_of_command())
    return str(message)


@dataclass
class Messages:
    """Collects warnings; `unproven`: a tolerance was asked for and not reached."""

    quiet: bool = False
    warnings: list[str] = field(default_factory=list)
    unproven: bool = False

    def note(self, text: str) -> None:
        self.say(text)

    def warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)
            self.say(f"warning: {text}")

    def say(self, text: str) -> None:
        if not self.quiet:
            print_to_stderr(text)

    @property
    def shows_progress(self) -> bool:
        return not self.quiet and sys.stderr is not None and sys.stderr.isatty()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Warnings of the library are said here rather than with a line of its source."""
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            heard = warnings.showwarning

            def hear(message: Any, category: Any, *rest: Any) -> None:
                if issubclass(category, UserWarning):
                    self.unproven |= issubclass(category, NotCertified)
                    self.warn(words_of(message))
                else:
                    heard(message, category, *rest)

            warnings.showwarning = hear  # type: ignore[assignment]
            yield
