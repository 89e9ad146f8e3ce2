"""The sign rule: in every component the entry of largest magnitude is positive.

The first such entry wins a tie, so the result depends on the numbers only, not on the solver.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["fix_signs"]


def fix_signs(vectors: Float64Array) -> Float64Array:
    """Flip columns so that each one's largest entry in magnitude is positive."""
    largest = np.argmax(np.abs(vectors), axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)
