"""The columns an iteration begins with: random, or the first of them given."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option

__all__ = ["first_columns"]


def first_columns(start: Any, size: int, width: int, rng: np.random.Generator) -> Float64Array:
    """(size, width): `start`, (size,) or (size, m), and random columns after it."""
    columns = rng.standard_normal((size, width))
    if start is None:
        return columns
    given = np.array(start, dtype=np.float64)
    given = given[:, None] if given.ndim == 1 else given
    usable = given.ndim == 2 and len(given) == size and given.shape[1] <= width
    if not (usable and np.isfinite(given).all() and given.any(axis=0).all()):
        raise OptionError.needs(
            Option("start"),
            f"finite columns of {size} numbers, none of them all 0, and at most {width}",
            f"pass an array of shape ({size},) or ({size}, {width})",
        )
    columns[:, : given.shape[1]] = given
    return columns
