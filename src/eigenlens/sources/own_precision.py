"""The precision of numbers: float32 where nothing that is read is stored in more.

of_picked       columns of a file: an `id` of whole numbers beside float32 lists changes nothing
single_columns  which columns of a block float32 holds
unrounded       a source that rounds to float32 for speed, with all its digits
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.sources.columns import Picked
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of

__all__ = ["dtype_of_picked", "float_for", "single_columns", "unrounded_source"]


def float_for(single: Any) -> np.dtype[Any]:
    """What columns are read in, given which of them float32 holds."""
    return np.dtype(np.float32 if np.size(single) and np.all(single) else np.float64)


def dtype_of_picked(reader: Any, columns: Picked) -> np.dtype[Any]:
    """float32 where none of the picked columns is stored in more, as far as the reader can tell."""
    of_some = getattr(reader, "dtype_of", None)
    found: np.dtype[Any] = reader.dtype if of_some is None else of_some(columns)
    return found


def single_columns(source: Source) -> Any:
    """Which columns float32 holds: all, none, or a mask."""
    by_column = getattr(source, "single", None)
    return source.dtype == np.float32 if by_column is None else np.array(by_column, dtype=bool)


def unrounded_source(source: Source) -> Source:
    """The source in float64, where it would else round its numbers to float32."""
    wider = traits_of(source).in_double
    return source if wider is None else wider()
