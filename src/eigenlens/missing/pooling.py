"""How much each of some candidates counts, by its errors on the same hidden cells.

    weight  ~  loss ^ (-TEMPER * cells / 2)        loss: the mean of Huber's function of the errors

It is the likelihood of the errors if their size is all that candidates differ in. A small table has
few cells to hide: several candidates do about as well, and which of them is best is chance, so that
what is pooled over them is steadier than the best. Huber's function keeps an outlying cell from
deciding. TEMPER is below 1 because rounds share most of their cells, and say little new.

Source   Hoeting, Madigan, Raftery and Volinsky 1999 (averages over models); Huber 1964.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["weigh_by_errors"]

TEMPER = 0.4
KNEE = 2.5  # robust standard deviations: larger errors count in proportion to their size
NORMAL_QUARTILE = 0.6744897501960817
SMALLEST_LOSS = 1e-300


def weigh_by_errors(errors: Sequence[Float64Array]) -> Float64Array:
    """Weights that sum to 1."""
    sizes = np.abs(np.array(errors))
    knee = KNEE / NORMAL_QUARTILE * float(np.median(sizes.mean(axis=0)))
    squares = np.where(sizes <= knee, np.square(sizes), knee * (2 * sizes - knee))
    losses = np.log(np.maximum(squares.mean(axis=1), SMALLEST_LOSS))
    weights = np.exp(-TEMPER * sizes.shape[1] / 2 * (losses - losses.min()))
    found: Float64Array = weights / weights.sum()
    return found
