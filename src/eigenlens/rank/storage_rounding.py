"""Storage rounding: the variance that few digits add to a table, whatever is computed of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["storage_variance"]


def storage_variance(
    dtype: np.dtype[Any], mean: Float64Array, variances: Float64Array, shape: tuple[int, int]
) -> float:
    """What the digits of stored numbers add to the variance of a direction.

    A number x of relative spacing e is stored within e x / 2, evenly: a variance of (e x)^2 / 12,
    which noise of d columns in n rows shows in one direction by (1 + sqrt(d / n))^2. Whole numbers
    are exact. Mean and variances are those of the columns of the table, in its units.
    """
    if dtype.kind != "f":
        return 0.0
    rows, columns = shape
    squares = np.square(mean) + variances
    spread = (1 + np.sqrt(columns / rows)) ** 2
    return float(squares.max(initial=0.0) * np.finfo(dtype).eps ** 2 / 12 * spread)
