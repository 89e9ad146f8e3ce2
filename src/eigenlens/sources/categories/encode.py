"""encoded_source: rows of a mixed table by levels that are known, in a fit or for its new rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors.categories import UnseenCategories
from eigenlens.sources.categories.codes import (
    NO_LEVEL,
    NO_VALUE,
    encode_values,
    unseen_texts,
)
from eigenlens.sources.categories.columns import MixedTable
from eigenlens.sources.categories.encoding import Encoding
from eigenlens.sources.categories.indicator import IndicatorSource, MemoryCodes

__all__ = ["encoded_source"]

SHOWN = 3


def encoded_source(
    table: MixedTable,
    encoding: Encoding,
    shares: Float64Array | None = None,
    left_out: Mapping[str, str] | None = None,
) -> IndicatorSource:
    """Rows by these levels. With `shares` values without a level are counted in a warning, or the
    unseen ones where shares are NaN: missing cells are then estimated.
    """
    names = [column.name for column in encoding.columns]
    codes = [np.empty(table.rows, small_type(len(one.levels))) for one in encoding.columns]
    strange: dict[str, list[str]] = {name: [] for name in names}
    first = 0
    for batch in table.values(names):
        for values, column, line in zip(batch, encoding.columns, codes, strict=True):
            found = encode_values(values, column)
            line[first : first + len(found)] = found
            if (found == NO_LEVEL).any() and len(strange[column.name]) < SHOWN:
                strange[column.name] += unseen_texts(values, column)
        first += len(batch[0])
    if shares is not None:
        estimated = bool(np.isnan(shares).any())
        warn_of_unseen(names, codes, strange, table.rows, estimated)
    numbers = table.numbers(encoding.numbers) if encoding.numbers else None
    origin = np.zeros(len(encoding.numbers))
    return IndicatorSource(
        encoding, numbers, MemoryCodes(codes, table.rows), origin, shares, left_out
    )


def small_type(levels: int) -> Any:
    """The smallest type that holds as many codes, and two negative ones."""
    kinds = (np.int8, np.int16, np.int32)
    return next(kind for kind in kinds if levels <= np.iinfo(kind).max)


def warn_of_unseen(
    names: list[str],
    codes: list[Any],
    strange: Mapping[str, list[str]],
    rows: int,
    estimated: bool,
) -> None:
    found = {}
    for name, line in zip(names, codes, strict=True):
        unseen, missing = int((line == NO_LEVEL).sum()), int((line == NO_VALUE).sum())
        if estimated:
            missing = 0
        if unseen or missing:
            found[name] = (unseen, missing, strange[name])
    if found:
        UnseenCategories.in_columns(found, rows, estimated).warn()
