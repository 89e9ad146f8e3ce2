"""input_rows: which rows of a table take part, are supplementary, or are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eigenlens.cli.selection import select_positions
from eigenlens.cli.stderr import Messages
from eigenlens.kernel.subspace import KernelSubspace
from eigenlens.missing.observed import rows_without_holes
from eigenlens.model.subspace import Subspace
from eigenlens.sources.categories.encoding import encoding_of
from eigenlens.sources.protocol import Source
from eigenlens.sources.some_rows import RowMask, SomeRows

__all__ = [
    "default_missing",
    "rows_aside",
    "say_dropped",
    "say_left_out",
    "select_names",
    "select_rows",
]

MOST_BYTES = 1 << 26  # a table of this size is read again in no time
FEW_ROWS = 0.02  # of all rows: leaving out more may change what is left


def rows_aside(which: Sequence[str] | None, names: Any, count: int) -> RowMask:
    """Which rows are supplementary."""
    aside = np.zeros(count, dtype=bool)
    if which:
        labels = [str(row) for row in range(count)] if names is None else names.to_pylist()
        aside[select_positions(which, labels, "sup_rows")] = True
    return aside


def default_missing(
    source: Source, model: Subspace | KernelSubspace | None, keeps_rows: bool
) -> str:
    """What is done about missing numbers where nothing was asked for: few rows are left out.

    None where a line is written for every row (`keeps_rows`), or the model completes them itself.
    Large files are not read once more for it: there the fit itself says where numbers are missing.
    """
    if keeps_rows or (isinstance(model, Subspace) and model.missing is not None):
        return "error"
    if source.shape[1] == 0 or source.stored_bytes > MOST_BYTES or encoding_of(source) is not None:
        return "error"
    incomplete = int((~rows_without_holes(source)).sum())
    return "drop" if 0 < incomplete <= FEW_ROWS * source.shape[0] else "error"


def say_dropped(complete: RowMask, asked: bool, talk: Messages) -> tuple[str, ...]:
    """What is said about rows that are left out, for those who read the page only."""
    if complete.all():
        return ()
    said = say_left_out(complete, "a missing number", "missing numbers")
    if asked:
        talk.note(f"{said} (--missing drop)")
    else:
        talk.warn(f"{said}; --missing auto estimates the missing numbers instead")
    return (f"{said}.",)


def say_left_out(kept: RowMask, why: str, why_several: str | None = None) -> str:
    dropped, count = int((~kept).sum()), len(kept)
    verb = f"has {why} and is" if dropped == 1 else f"have {why_several or why} and are"
    return f"{dropped} of {count} rows {verb} left out"


def select_rows(source: Source, kept: RowMask) -> Source:
    return source if kept.all() else SomeRows(source, kept)


def select_names(names: Any, kept: RowMask) -> Any:
    import pyarrow

    return names if names is None or kept.all() else names.filter(pyarrow.array(kept))
