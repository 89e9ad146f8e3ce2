"""Which levels a column has: their order, the rare ones, and what makes a column useless.

| order       | levels stand in                                                             |
|-------------|-----------------------------------------------------------------------------|
| declared    | their own order: ordered categories of pandas and Arrow, enumerations       |
| numbers     | the order of the numbers                                                    |
| others      | alphabetical order, so that every kind of data gives the same model         |

A level is rare when its share of the rows is below `rare`. Two or more rare levels become one,
"other", unless they hold half of the rows: then the column has many levels, and no rare ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.errors.categories import CategoryError
from eigenlens.sources.categories.codes import LevelCounter
from eigenlens.sources.categories.encoding import MISSING_LEVEL, OTHER_LEVEL, CategoryColumn

__all__ = ["MOST_PER_ROW", "learn_column", "why_no_category"]

MOST_RARE = 0.5  # of the rows: more are not rare
MOST_PER_ROW = 0.5  # levels per row: text with more is no category


def learn_column(
    name: str, counter: LevelCounter, rows: int, rare: float, missing: Any
) -> CategoryColumn:
    """The levels of a column; an error where it has one only, or one for every row."""
    known = [(text, int(counter.counts[code])) for text, code in counter.codes.items()]
    counts = {text: count for text, count in known if count}
    if counter.missing and missing in ("error", "unstored"):
        raise CategoryError.missing_values(name, counter.missing, rows)
    with_missing = bool(counter.missing) and missing == "level"
    if len(counts) + with_missing < 2:
        raise CategoryError.one_level(name, next(iter(counts), None))
    if len(counts) == rows - counter.missing and len(counts) > 2:
        raise CategoryError.identifier(name, len(counts))
    if len(counts) > MOST_PER_ROW * rows and len(counts) > 2:
        raise CategoryError.too_many_levels(name, len(counts), rows)
    merged = find_rare(counts, rows, rare)
    levels = [text for text in sort_levels(counter, counts) if text not in merged]
    if merged and OTHER_LEVEL not in levels:
        levels.append(OTHER_LEVEL)
    if with_missing and MISSING_LEVEL not in levels:
        levels.append(MISSING_LEVEL)
    if len(levels) < 2:
        levels, merged = sort_levels(counter, counts), ()
    return CategoryColumn(name, tuple(levels), tuple(sorted(merged)), with_missing)


def find_rare(counts: dict[str, int], rows: int, rare: float) -> tuple[str, ...]:
    found = tuple(text for text, count in counts.items() if count < rare * rows)
    held = sum(counts[text] for text in found)
    return found if len(found) > 1 and held < MOST_RARE * rows else ()


def sort_levels(counter: LevelCounter, counts: dict[str, int]) -> list[str]:
    if counter.ordered:
        return [text for text in counter.declared if text in counts]
    if counter.numeric:
        return sorted(counts, key=float)
    return sorted(counts)


def why_no_category(counter: LevelCounter, rows: int) -> str | None:
    """Why a column that nobody named takes no part; None: it does."""
    known = int(np.count_nonzero(counter.counts))
    there = rows - counter.missing
    if known <= 1:
        return "constant" if known else "empty: no cell has a value"
    if known == there and known > 2:
        return "identifier: text that differs in every row"
    if known > MOST_PER_ROW * there and known > 2:
        return f"text: {known} different values in {there} rows"
    return None
