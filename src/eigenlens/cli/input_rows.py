"""input_rows: which rows of a table take part, are supplementary, or are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eigenlens.cli.selection import select_positions
from eigenlens.cli.stderr import Messages
from eigenlens.sources.protocol import Source
from eigenlens.sources.some_rows import RowMask, SomeRows

__all__ = ["rows_aside", "say_dropped", "select_names", "select_rows"]


def rows_aside(which: Sequence[str] | None, names: Any, count: int) -> RowMask:
    """Which rows are supplementary."""
    aside = np.zeros(count, dtype=bool)
    if which:
        labels = [str(row) for row in range(count)] if names is None else names.to_pylist()
        aside[select_positions(which, labels, "sup_rows")] = True
    return aside


def say_dropped(dropped: int, count: int, talk: Messages) -> None:
    if dropped:
        verb = "has a missing number and is" if dropped == 1 else "have missing numbers and are"
        talk.note(f"{dropped} of {count} rows {verb} left out (--missing drop)")


def select_rows(source: Source, kept: RowMask) -> Source:
    return source if kept.all() else SomeRows(source, kept)


def select_names(names: Any, kept: RowMask) -> Any:
    import pyarrow

    return names if names is None or kept.all() else names.filter(pyarrow.array(kept))
