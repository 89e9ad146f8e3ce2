"""Where rows come from.

Promises   anything that holds rows of numbers becomes a `Source`: shape, dtype, names, and the rows
           in blocks, the columns in panels. The data are only read, and never copied whole.
Knows      numpy, scipy.sparse, frames (through narwhals), files in `files/`, Dask in `dask/`.
Ignores    means, scales, weights, solvers. Numbers pass through unchanged, NaN included;
           `finite.py` finds the bad ones once somebody has noticed them.

To add a kind: one file with `accepts(data)` and `source_from(data, columns)`, one line in
`SOURCE_KINDS` of `open.py`, one row in the table of `tests/sources/kinds.py`.
"""

from __future__ import annotations

from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Block, Columns, FloatArray, IntArray, Source

__all__ = [
    "Block",
    "Columns",
    "FloatArray",
    "IntArray",
    "Source",
    "locate_not_finite",
    "open_source",
]
