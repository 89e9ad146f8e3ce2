"""How a command ends: exit codes, and errors of ours as one message on stderr.

| code | meaning                                                                      |
|------|------------------------------------------------------------------------------|
| 0    | done                                                                         |
| 1    | unexpected: a bug of eigenlens, with a traceback                             |
| 2    | usage: an option that does not fit, or an output that exists (use --force)   |
| 3    | the data, or a model file, cannot be used, or an output cannot be written    |
| 4    | model and data do not fit: columns are missing                               |
| 5    | not converged: the requested tolerance was not certified, or training        |
|      | diverged; what was reached is reported                                       |
| 6    | done, with warnings, under --strict                                          |
| 10   | rows break the limits, under --fail-on outliers                              |
| 130  | interrupted by Ctrl-C                                                        |
| 143  | terminated by SIGTERM                                                        |
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from eigenlens.cli.signals import was_terminated
from eigenlens.cli.stderr import drop_pending, print_to_stderr
from eigenlens.cli.wording import wording_of_command
from eigenlens.errors import (
    DataError,
    EigenlensError,
    FileError,
    MismatchError,
    NotReached,
    TrainingError,
)

__all__ = [
    "DATA_EXIT",
    "DONE",
    "INTERRUPTED",
    "MISMATCH",
    "NOT_CONVERGED",
    "OUTLIERS",
    "TERMINATED_EXIT",
    "USAGE",
    "WARNED",
    "code_of_error",
    "reporting_at_exit",
    "reporting_errors",
]

DONE, USAGE, DATA_EXIT, MISMATCH, NOT_CONVERGED, WARNED, OUTLIERS, INTERRUPTED, TERMINATED_EXIT = (
    0,
    2,
    3,
    4,
    5,
    6,
    10,
    130,
    143,
)


@contextmanager
def reporting_errors() -> Iterator[None]:
    """What the user can mend is said in one message."""
    try:
        yield
    except EigenlensError as error:
        print_to_stderr(f"error: {error.say(wording_of_command())}")
        raise typer.Exit(code_of_error(error)) from None
    except KeyboardInterrupt:
        print_to_stderr("terminated" if was_terminated() else "interrupted")
        raise typer.Exit(TERMINATED_EXIT if was_terminated() else INTERRUPTED) from None


@contextmanager
def reporting_at_exit() -> Iterator[None]:
    """Around the whole program: what is still to be printed at its end, help above all."""
    try:
        try:
            yield
        except SystemExit:
            if sys.stdout is not None:
                sys.stdout.flush()
            raise
    except BrokenPipeError:
        drop_pending(sys.stdout)  # as 'head' leaves: it has what it wanted
        raise SystemExit(DONE) from None
    except OSError as error:
        if error.filename is not None:
            raise  # not about standard output, which has no name
        drop_pending(sys.stdout)
        failure = FileError.not_printed(error.strerror or error)
        print_to_stderr(f"error: {failure.say(wording_of_command())}")
        raise SystemExit(DATA_EXIT) from None


def code_of_error(error: EigenlensError) -> int:
    if isinstance(error, MismatchError):
        return MISMATCH
    if isinstance(error, DataError) or "errno" in error.fields:
        return DATA_EXIT
    return NOT_CONVERGED if isinstance(error, NotReached | TrainingError) else USAGE
