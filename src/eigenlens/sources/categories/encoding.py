"""Encoding: which columns take part, the levels of each, and where their indicators stand.

Columns of the indicator table are first the numbers, then the levels of every categorical column.
An encoding belongs to the model and to its file: new rows are read by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import IntArray
from eigenlens.document.verdict import Verdict
from eigenlens.sources.protocol import Source

__all__ = [
    "METHODS",
    "MISSING_LEVEL",
    "OTHER_LEVEL",
    "CategoryColumn",
    "Encoding",
    "categories_verdict",
    "encoding_of",
]

METHODS = {
    "famd": "factor analysis of mixed data",
    "mca": "multiple correspondence analysis",
    "ca": "correspondence analysis",
}
OTHER_LEVEL, MISSING_LEVEL = "other", "missing"


@dataclass(frozen=True)
class CategoryColumn:
    """`merged`: rare values that `OTHER_LEVEL` stands for."""

    name: str
    levels: tuple[str, ...]
    merged: tuple[str, ...] = ()
    missing_level: bool = False

    @cached_property
    def code_of(self) -> Mapping[str, int]:
        """From a value, as text, to the number of its level."""
        codes = {level: code for code, level in enumerate(self.levels)}
        return codes | dict.fromkeys(self.merged, codes.get(OTHER_LEVEL, 0))

    @property
    def missing_code(self) -> int | None:
        return self.levels.index(MISSING_LEVEL) if self.missing_level else None


@dataclass(frozen=True)
class Encoding:
    """`numbers`: names of the columns of numbers; of counts, all there are."""

    method: str
    numbers: tuple[str, ...]
    columns: tuple[CategoryColumn, ...] = ()
    levels_of: IntArray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        counts = np.array([len(column.levels) for column in self.columns], dtype=np.intp)
        object.__setattr__(self, "levels_of", counts)

    @property
    def width(self) -> int:
        """Columns of the indicator table."""
        return len(self.numbers) + int(self.levels_of.sum())

    @property
    def directions(self) -> int:
        """Dimensions of the centered table at most: the indicators of a column sum to 1."""
        return self.width - (1 if self.method == "ca" else len(self.columns))

    @cached_property
    def starts(self) -> IntArray:
        """Where the indicators of every column begin, and where those of the last one end."""
        return len(self.numbers) + np.concatenate([[0], np.cumsum(self.levels_of)]).astype(np.intp)

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        pairs = [f"{one.name}={level}" for one in self.columns for level in one.levels]
        return (*self.numbers, *pairs)

    @property
    def column_names(self) -> tuple[str, ...]:
        """Columns of the data, numbers first."""
        return (*self.numbers, *(column.name for column in self.columns))

    @property
    def is_share(self) -> npt.NDArray[np.bool_]:
        """Which columns of the table have a share as their mean."""
        if self.method == "ca":
            return np.ones(self.width, dtype=bool)
        return np.arange(self.width) >= len(self.numbers)

    @property
    def divided_by(self) -> float:
        """Squares of indicators are divided by as much: the number of columns in MCA."""
        return float(len(self.columns)) if self.method == "mca" else 1.0

    def span_of(self, place: int) -> slice:
        """The indicators of categorical column number `place`."""
        return slice(int(self.starts[place]), int(self.starts[place + 1]))


def encoding_of(source: Source) -> Encoding | None:
    """That of a source whose columns are indicators or counts."""
    inside = getattr(source, "source", source)  # of some rows
    found: Encoding | None = getattr(inside, "encoding", None)
    return found


def categories_verdict(encoding: Encoding) -> Verdict:
    """Which columns take part as categories, with how many levels, and which were merged."""
    levels = {column.name: len(column.levels) for column in encoding.columns}
    merged = {one.name: list(one.merged) for one in encoding.columns if one.merged}
    words = METHODS[encoding.method]
    if encoding.method == "ca":
        reason = f"{words} of a table of counts with {len(encoding.numbers)} columns"
    else:
        reason = f"{words}: {len(levels)} categorical columns with {sum(levels.values())} levels"
        if encoding.numbers:
            reason += f" and {len(encoding.numbers)} columns of numbers"
    for name, values in merged.items():
        reason += f"; {len(values)} rare levels of {name!r} are merged into {OTHER_LEVEL!r}"
    evidence = {"levels": levels, "merged": merged, "numbers": len(encoding.numbers)}
    return Verdict(encoding.method, "request", reason, evidence)
