"""New rows of a model that knows categories: read by its levels, whatever order they stand in."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import MismatchError
from eigenlens.sources.categories.columns import mixed_table_of
from eigenlens.sources.categories.counts import ProfileSource, row_sums_of
from eigenlens.sources.categories.encode import encoded_source
from eigenlens.sources.categories.encoding import Encoding
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source

__all__ = ["open_model_rows"]


def open_model_rows(
    encoding: Encoding, mean: Float64Array | None, rows: Any, estimated: bool = False
) -> Source:
    """The rows as the model sees them; values without a level are counted in a warning.

    `estimated`: by a model that fills missing categories, whose indicators are NaN.
    """
    if encoding.method == "ca":
        return open_profiles(encoding, rows)
    table = mixed_table_of(rows)
    if table is None:
        raise MismatchError.needs_columns(len(encoding.column_names), type(rows).__name__)
    lacking = [name for name in encoding.column_names if name not in table.names]
    if lacking:
        extra = [name for name in table.names if name not in encoding.column_names]
        raise MismatchError.missing_columns(lacking, len(encoding.column_names), extra)
    shares = np.zeros(encoding.width) if mean is None else mean
    return encoded_source(table, encoding, np.full(encoding.width, np.nan) if estimated else shares)


def open_profiles(encoding: Encoding, rows: Any) -> Source:
    """Rows of counts as profiles, each with its sum as weight."""
    table = mixed_table_of(rows)
    names = encoding.numbers
    if table is not None and set(names) <= set(table.names):
        counts = table.numbers(names)
    else:
        counts = open_source(rows)
    if counts.shape[1] != len(names):
        raise MismatchError.wrong_width(counts.shape, len(names))
    sums, _, _ = row_sums_of(counts, names, columns_too=False)
    return ProfileSource(counts, sums, sums, names)
