"""Patterns of holes: rows that lack the same cells are solved once.

A pattern is the set of columns a row lacks. Sensors that fail together leave few patterns, cells
that fail one by one nearly as many as rows; both are served by the same groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import IntArray

__all__ = ["PatternGroup", "group_by_pattern"]

KEY_BYTES = 8
FEW_HOLES = 3
FEW_CELLS, MOST_REMEMBERED = 2000, 64  # of tables whose groups are kept
BATCH_ENTRIES = 1 << 18  # of the small matrices solved together: 2 MB, so that they stay in cache

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PatternGroup:
    """Rows of a block that lack the same number of cells.

    `columns` (p, m) lists the missing columns of each pattern, `member` (r,) says which pattern
    each of the `rows` (r,) has.
    """

    rows: IntArray
    columns: IntArray
    member: IntArray
    width: int

    @cached_property
    def observed(self) -> IntArray:
        """(p, d - m): the other columns of each pattern."""
        others = np.ones((len(self.columns), self.width), dtype=bool)
        np.put_along_axis(others, self.columns, False, axis=1)
        return np.nonzero(others)[1].reshape(len(others), -1)

    @property
    def is_small(self) -> bool:
        """Whether rows lack at most half of their cells."""
        return bool(2 * self.columns.shape[1] <= self.width)

    @property
    def is_shared(self) -> bool:
        """Whether rows share patterns; else each has its own, in the order of the rows."""
        return len(self.columns) < len(self.rows)


def group_by_pattern(holes: BoolArray) -> Iterable[PatternGroup]:
    """Groups that cover every row with a hole, each small enough to be solved as one batch."""
    if holes.size <= FEW_CELLS:
        return remembered_groups(holes.tobytes(), holes.shape[1])
    return group_rows(holes)


@lru_cache(maxsize=MOST_REMEMBERED)
def remembered_groups(cells: bytes, width: int) -> tuple[PatternGroup, ...]:
    """A small table is passed over hundreds of times, each pass as short as the grouping."""
    return tuple(group_rows(np.frombuffer(cells, dtype=bool).reshape(-1, width)))


def group_rows(holes: BoolArray) -> Iterator[PatternGroup]:
    width = holes.shape[1]
    places = np.flatnonzero(holes)
    lines, columns = np.divmod(places, width)
    counts = np.bincount(lines, minlength=len(holes))
    starts = np.cumsum(counts) - counts
    patterns: IntArray
    member: IntArray
    for missing in np.unique(counts[counts > 0]).tolist():
        rows = np.flatnonzero(counts == missing)
        lists = columns[starts[rows][:, None] + np.arange(missing)]
        if 1 < missing <= FEW_HOLES:  # soon solved: it does not pay to look for equal ones
            patterns, member = lists, np.arange(len(rows))
        else:
            if missing == 1:
                marks = np.bincount(lists[:, 0], minlength=width) > 0
                patterns, member = (
                    np.flatnonzero(marks)[:, None],
                    (np.cumsum(marks) - 1)[lists[:, 0]],
                )
            else:
                found, member = distinct_patterns(holes[rows])
                patterns = np.nonzero(found)[1].reshape(len(found), missing)
        batch = max(1, BATCH_ENTRIES // (missing * missing))
        if len(patterns) < len(rows) and len(patterns) <= batch:
            yield PatternGroup(rows, patterns, member, width)
            continue
        order = np.argsort(member, kind="stable")
        rows, member = rows[order], member[order]
        for start in range(0, len(patterns), batch):
            chosen = slice(*np.searchsorted(member, (start, start + batch)))
            part = patterns[start : start + batch]
            yield PatternGroup(rows[chosen], part, member[chosen] - start, width)


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
