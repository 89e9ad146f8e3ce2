"""Repeated rows: the rows of a table without their weights, each as often as its weight says.

A weight of 3 is three copies; one of 2.5 is two copies and a third of weight 0.5; a row of weight 0
is not there. Whatever is done to rows one by one, flipped, shuffled or left out by chance, is done
to copies, so that integer weights are repeated rows to every rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray, IntArray
from eigenlens.errors import RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.sources.block import spans
from eigenlens.table.table import TableOperator

__all__ = ["RepeatedRows", "count_copies", "most_copies", "repeated_rows"]

MANY = 1 << 20  # copies in all, and so many times the rows: more are not worth their time
TIMES = 10


@dataclass(frozen=True, eq=False)
class RepeatedRows:
    """`table` has rows W^1/2 (X - 1m') D^-1; `weights` of the copies are None where all are 1."""

    table: TableOperator
    heights: Float64Array | None  # (n,): roots of the weights that the table's rows come with
    counts: IntArray | None  # (n,): how many copies of each row; None: one
    weights: Float64Array | None
    shape: tuple[int, int]

    def pieces(self) -> Iterator[FloatArray]:
        """The copies in order, each piece the caller's to overwrite."""
        start = 0
        for block in self.table.prepared_rows():
            if self.heights is None or self.counts is None:
                yield block
                continue
            rows = slice(start, start + len(block))
            start = rows.stop
            heights = self.heights[rows].astype(block.dtype)
            plain = block / np.where(heights > 0, heights, 1)[:, None]
            which = np.repeat(np.arange(len(block)), self.counts[rows])
            for part in spans(len(which), max(len(block), 1), "copies"):
                yield plain[which[part]]


def repeated_rows(table: TableOperator, weights: Float64Array | None) -> RepeatedRows:
    """`weights` are those that the rows of the table come with, whatever it knows of them."""
    if weights is None:
        return RepeatedRows(table, None, None, None, table.shape)
    counts, parts = count_copies(weights)
    whole = bool(np.all(parts == 1))
    shape = (len(parts), table.shape[1])
    return RepeatedRows(table, np.sqrt(weights), counts, None if whole else parts, shape)


def most_copies(rows: int) -> int:
    return max(MANY, TIMES * rows)


def count_copies(weights: Float64Array) -> tuple[IntArray, Float64Array]:
    """How many copies each row has, and the weight of every copy."""
    total = float(weights.sum())
    if total > most_copies(len(weights)):
        raise RankError.needs(
            f"a rule that looks at rows one by one, with weights that add up to {total:.4g},",
            f"as many copies of the {len(weights)} rows, which is too much to go through",
            Phrase(
                "pass weights * n / weights.sum(), or {} or {}, which need the spectrum only",
                SetOption("k", "dpa"),
                SetOption("k", "screenot"),
            ),
        )
    counts = np.ceil(weights).astype(np.intp)
    parts = np.ones(int(counts.sum()))
    last = np.cumsum(counts)[counts > 0] - 1
    parts[last] = (weights - counts + 1)[counts > 0]
    return counts, parts
