"""Remainder: the variance that the first k components leave, for k = 0, 1, 2, ..."""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.rank.spectrum import Spectrum

__all__ = ["floor_of", "left_after", "most_considered"]

EPS = float(np.finfo(np.float64).eps)


def floor_of(spectrum: Spectrum) -> float:
    """Variance that arithmetic cannot tell from zero."""
    size = max(spectrum.rows, spectrum.columns)
    return max(spectrum.rounding, float(size) * EPS) * spectrum.total


def left_after(spectrum: Spectrum, most: int) -> Float64Array:
    """V(0) ... V(most); never below what rounding leaves, so that it has a logarithm."""
    # Summed from the small end: what is left is then accurate also where it is a small part.
    sums = np.cumsum(spectrum.values[::-1])[::-1] + spectrum.tail
    left: Float64Array = np.append(sums, spectrum.tail)[: most + 1]
    return np.maximum(left, floor_of(spectrum))


def most_considered(spectrum: Spectrum, largest: int) -> int:
    """The largest k worth a look: something must be left after it."""
    return min(largest, spectrum.most - 1)
