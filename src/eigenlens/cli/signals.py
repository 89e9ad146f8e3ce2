"""signals: SIGTERM, as Slurm and Kubernetes send it, stops a command as Ctrl-C does.

A fit with a checkpoint saves its state and says where; the exit code is 143 in place of 130.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["sigterm_as_interrupt", "was_terminated"]

TERMINATED = threading.Event()


def was_terminated() -> bool:
    """Whether an interruption came from SIGTERM."""
    return TERMINATED.is_set()


@contextmanager
def sigterm_as_interrupt() -> Iterator[None]:
    """While inside, SIGTERM does what SIGINT would do at that moment."""
    TERMINATED.clear()
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def interrupt(number: int, frame: Any) -> None:
    TERMINATED.set()
    handler = signal.getsignal(signal.SIGINT)  # a fit that saves its state has set one of its own
    if callable(handler):
        handler(signal.SIGINT, frame)
    else:  # a shell starts jobs in the background deaf to Ctrl-C, but not to this
        raise KeyboardInterrupt
