"""dependent_columns: columns that are nearly a linear combination of the others.

1 - 1 / diag(R^-1) is the share of each column that the others explain, R their correlation matrix.
The column that is explained best is left out and the rest asked again: of a total and its parts
only the total is found. Of two columns that are the same one is left out unasked.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["dependent_columns"]

FOLLOWS = 0.999
TINY = 1e-12  # keeps a singular matrix invertible


def dependent_columns(correlation: Float64Array, same: float) -> list[tuple[int, float]]:
    """Positions of such columns, and the share of each that the others explain.

    `same`: the correlation from which on two columns count as one.
    """
    apart = np.abs(correlation) < same
    left = [place for place in range(len(correlation)) if apart[place, :place].all()]
    found: list[tuple[int, float]] = []
    while len(left) > 2:
        matrix = correlation[np.ix_(left, left)] + TINY * np.eye(len(left))
        own = np.linalg.inv(matrix).diagonal()
        first = int(np.argmax(own))
        share = 1 - 1 / float(own[first])
        if share < FOLLOWS:
            break
        found.append((left.pop(first), share))
    return found
