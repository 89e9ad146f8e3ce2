"""How a command ends: exit codes, and errors of ours as one message on stderr.

| code | meaning                                                                      |
|------|------------------------------------------------------------------------------|
| 0    | done                                                                         |
| 1    | unexpected: a mistake of ours, with a traceback                              |
| 2    | usage: an option that does not fit, or an output that exists (use --force)   |
| 3    | the data, or a model file, cannot be used, or an output cannot be written    |
| 4    | model and data do not fit: columns are missing                               |
| 5    | not converged: the tolerance asked for was not proven; what was is reported; |
|      | or training diverged                                                         |
| 6    | done, with warnings, under --strict                                          |
| 10   | rows break the limits, under --fail-on outliers                              |
| 130  | interrupted                                                                  |
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from eigenlens.cli.talk import aside
from eigenlens.cli.wording import wording_of_command
from eigenlens.errors import DataError, EigenlensError, MismatchError, NotReached, TrainingError

__all__ = [
    "DATA",
    "DONE",
    "INTERRUPTED",
    "MISMATCH",
    "NOT_CONVERGED",
    "OUTLIERS",
    "USAGE",
    "WARNED",
    "code_of",
    "readable_errors",
]

DONE, USAGE, DATA, MISMATCH, NOT_CONVERGED, WARNED, OUTLIERS, INTERRUPTED = (
    0,
    2,
    3,
    4,
    5,
    6,
    10,
    130,
)


@contextmanager
def readable_errors() -> Iterator[None]:
    """As a decorator of a command: what the user can mend is said in one message."""
    try:
        yield
    except EigenlensError as error:
        aside(f"error: {error.say(wording_of_command())}")
        raise typer.Exit(code_of(error)) from None
    except KeyboardInterrupt:
        aside("interrupted")
        raise typer.Exit(INTERRUPTED) from None


def code_of(error: EigenlensError) -> int:
    if isinstance(error, MismatchError):
        return MISMATCH
    if isinstance(error, DataError) or "errno" in error.fields:
        return DATA
    return NOT_CONVERGED if isinstance(error, NotReached | TrainingError) else USAGE
