"""How a command ends: exit codes, and errors of ours as one message on stderr.

| code | meaning                                         |
|------|-------------------------------------------------|
| 0    | done                                            |
| 1    | unexpected: a mistake of ours, with a traceback |
| 2    | usage: an option that does not fit              |
| 3    | the data cannot be used                         |
| 130  | interrupted                                     |
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from eigenlens.errors import DataError, EigenlensError

__all__ = ["DATA", "INTERRUPTED", "USAGE", "readable_errors"]

USAGE, DATA, INTERRUPTED = 2, 3, 130


@contextmanager
def readable_errors() -> Iterator[None]:
    """As a decorator of a command: what the user can mend is said in one message."""
    try:
        yield
    except EigenlensError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(DATA if isinstance(error, DataError) else USAGE) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
