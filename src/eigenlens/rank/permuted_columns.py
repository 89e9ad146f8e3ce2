"""Null tables of categories and counts: the same columns, without what connects them.

| table       | a twin is                                                                |
|-------------|--------------------------------------------------------------------------|
| categories  | every column, of levels or of numbers, in an order of its own            |
| counts      | a random table with the same sums of rows and columns                    |

Indicators of one column stay together: shares, scales and the total inertia are those of the data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from eigenlens.algebra.typing import IntArray
from eigenlens.errors import RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.sources.array import ArraySource
from eigenlens.sources.categories.counts import ProfileSource
from eigenlens.sources.categories.indicator import IndicatorSource, MemoryCodes
from eigenlens.sources.protocol import Source
from eigenlens.sources.some_rows import SomeRows
from eigenlens.table.preparation import Preparation
from eigenlens.table.workspace import Workspace

__all__ = ["permuted_categories"]

Twins = Callable[[int], tuple[Source, Preparation]]
COUNTED_AT_ONCE = 1 << 31  # cases that random tables are drawn for


def permuted_categories(
    source: Source, preparation: Preparation, workspace: Workspace
) -> Twins | None:
    """A maker of twins; None where the table is one of numbers."""
    inside: Source = source
    places: IntArray = np.arange(source.shape[0])
    if isinstance(source, SomeRows):
        inside, places = source.source, source.places
    if isinstance(inside, ProfileSource):
        return random_counts(inside, preparation)
    if not isinstance(inside, IndicatorSource):
        return None
    width = len(inside.encoding.numbers)
    needed = 8 * source.shape[0] * (width + len(inside.encoding.columns))
    if needed > workspace.budget_bytes:
        raise RankError.needs(
            SetOption("k", "parallel"),
            f"all codes in memory at once, {needed / 1e6:.0f} MB",
            Phrase("pass {}, or a number", SetOption("memory", f"{needed / 1e6 + 1:.0f}MB")),
        )
    codes = inside.codes.take(places)
    numbers = None
    if inside.numbers is not None:
        blocks = [np.array(block, dtype=np.float64) for block in inside.numbers.blocks(1 << 14)]
        numbers = np.concatenate(blocks)[places]

    def twin(key: int) -> tuple[Source, Preparation]:
        rng = np.random.default_rng(key)
        shuffled = MemoryCodes(list(rng.permuted(codes, axis=1)), len(places))
        held = None
        if numbers is not None:
            held = ArraySource(rng.permuted(numbers, axis=0), slice(0, width))
        return replace(inside, numbers=held, codes=shuffled), preparation

    return twin


def random_counts(source: ProfileSource, preparation: Preparation) -> Twins:
    counts = np.concatenate([as_whole(block) for block in source.counts.blocks(1 << 14)])
    total = float(counts.sum())
    if not np.array_equal(counts, np.floor(counts)) or total > COUNTED_AT_ONCE:
        raise RankError.needs(
            SetOption("k", "parallel"),
            "whole numbers of cases, to draw random tables of counts",
            "pass a number of components",
        )
    rows, columns = counts.sum(axis=1).astype(np.int64), counts.sum(axis=0).astype(np.int64)

    def twin(key: int) -> tuple[Source, Preparation]:
        from scipy.stats import random_table

        drawn = random_table.rvs(rows, columns, random_state=np.random.default_rng(key))
        held = ArraySource(np.asarray(drawn, dtype=np.float64), slice(0, len(columns)))
        return replace(source, counts=held), preparation

    return twin


def as_whole(block: Any) -> Any:
    return block if isinstance(block, np.ndarray) else block.toarray()
