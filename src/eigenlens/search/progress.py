"""Progress: one line on the terminal while a fit reads its data; nothing where there is none.

It appears after a second: what is done sooner needs none.

pass 2 of about 5  ━━━━━━━╸━━━━━  1 250 000 of 4 000 000 rows  2.1M rows/s  0:00:07 left  3e-5

While a network is trained, its epochs, and its loss on the rows set aside as a share of PCA's:

epoch 12 of at most 100  ━━━╸━━━━━━━━━  0.412 of PCA's loss
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["TerminalProgress", "showing_epochs", "showing_progress"]


PATIENCE_SECONDS = 1.0


@contextmanager
def showing_progress(
    wanted: bool, expected_passes: int, patience: float = PATIENCE_SECONDS
) -> Iterator[TerminalProgress | None]:
    """A display on stderr while inside, where somebody asked for it and can see it."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("pass {task.fields[number]} of about {task.fields[expected]}"),
        BarColumn(bar_width=24),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} rows"),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.fields[error]}"),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    try:
        yield TerminalProgress(bar, expected_passes, time.monotonic() + patience)
    finally:
        if bar.live.is_started:
            bar.stop()


@contextmanager
def showing_epochs(wanted: bool, most: int) -> Iterator[Callable[[Any], None] | None]:
    """What is to hear of every epoch, which has `number` and `held_out`; None where nobody sees."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("epoch {task.completed} of at most {task.total}"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[loss]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=most, loss="")

        def tell(epoch: Any) -> None:
            bar.update(task, completed=epoch.number, loss=f"{epoch.held_out:.3g} of PCA's loss")

        yield tell


class TerminalProgress:
    """What the passes tell, as a line; `seen_from`: when it appears."""

    def __init__(self, bar: Any, expected_passes: int, seen_from: float = 0.0) -> None:
        self.bar = bar
        self.seen_from = seen_from
        self.expected = expected_passes
        self.number = 0
        self.began = time.monotonic()
        self.total = 1
        self.task = bar.add_task(
            "", total=1, number=1, expected=expected_passes, rate="", left="", error=""
        )

    def pass_began(self, number: int, total: int) -> None:
        self.number, self.total, self.began = number, total, time.monotonic()
        self.expected = max(self.expected, number)
        self.show(completed=0, total=total, number=number, expected=self.expected)

    def moved(self, done: int) -> None:
        passed = max(time.monotonic() - self.began, 1e-6)
        rate = done / passed
        to_come = (self.expected - self.number + 1) * self.total - done
        left = time.strftime("%H:%M:%S", time.gmtime(to_come / rate)) if rate > 0 else "?"
        self.show(completed=done, rate=f"{format_seconds(rate)} rows/s", left=f"{left} left")

    def proven(self, error: float) -> None:
        self.show(error=f"proven within {error:.0e}")

    def show(self, **fields: Any) -> None:
        self.bar.update(self.task, **fields)
        if time.monotonic() >= self.seen_from:
            self.bar.start()


def format_seconds(value: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.1f}{letter}"
    return f"{value:.0f}"
