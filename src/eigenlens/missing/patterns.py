"""Patterns of holes: rows that lack the same cells are solved once.

A pattern is the set of columns a row lacks. Sensors that fail together leave few patterns, cells
that fail one by one nearly as many as rows; both are served by the same groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import IntArray

__all__ = ["PatternGroup", "group_by_pattern"]

KEY_BYTES = 8
BATCH_ENTRIES = 1 << 18  # of the small matrices solved together: 2 MB, so that they stay in cache

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PatternGroup:
    """Rows of a block that lack the same number of cells.

    `columns` (p, m) lists the missing columns of each pattern, `observed` (p, d - m) the others;
    `member` (r,) says which pattern each of the `rows` (r,) has.
    """

    rows: IntArray
    columns: IntArray
    observed: IntArray
    member: IntArray

    @property
    def is_shared(self) -> bool:
        """Whether rows share patterns; else each has its own, in the order of the rows."""
        return len(self.columns) < len(self.rows)


def group_by_pattern(holes: BoolArray) -> Iterator[PatternGroup]:
    """Groups that cover every row with a hole, each small enough to be solved as one batch."""
    counts = holes.sum(axis=1)
    width = holes.shape[1]
    for missing in np.unique(counts[counts > 0]).tolist():
        rows = np.flatnonzero(counts == missing)
        patterns, member = distinct_patterns(holes[rows])
        batch = max(1, BATCH_ENTRIES // (missing * missing))
        order = np.argsort(member, kind="stable")
        rows, member = rows[order], member[order]
        for start in range(0, len(patterns), batch):
            part = patterns[start : start + batch]
            chosen = slice(*np.searchsorted(member, (start, start + batch)))
            yield PatternGroup(
                rows=rows[chosen],
                columns=np.nonzero(part)[1].reshape(len(part), missing),
                observed=np.nonzero(~part)[1].reshape(len(part), width - missing),
                member=member[chosen] - start,
            )


def distinct_patterns(holes: BoolArray) -> tuple[BoolArray, IntArray]:
    """The different rows of `holes`, and for each row which of them it is."""
    packed = np.packbits(holes, axis=1)
    keys: npt.NDArray[Any]
    if packed.shape[1] <= KEY_BYTES:  # whole numbers are sorted much faster than bytes
        padded = np.zeros((len(packed), KEY_BYTES), dtype=np.uint8)
        padded[:, : packed.shape[1]] = packed
        keys = padded.view(np.uint64).ravel()
    else:
        keys = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, member = np.unique(keys, return_index=True, return_inverse=True)
    return holes[first], member.ravel()
