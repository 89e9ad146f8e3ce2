"""Edges: where the eigenvalues of noise end, and by how much their largest varies.

    generalized edge    noise with variances t_1 ... t_p in the columns and n independent rows:
                        y > max t solves (p/n) mean [t / (y - t)]^2 = 1, and the edge is
                        y (1 + (p/n) mean t / (y - t)); any p/n. White noise: (1 + sqrt(p/n))^2
    its unit            by which the largest eigenvalue varies around the edge:
                        y (1 + (p/n) mean [t / (y - t)]^3)^(1/3) n^(-2/3)
    Tracy-Widom         the law of (largest eigenvalue - edge) / unit

Source    El Karoui 2007 (edge and unit); Dobriban and Owen 2019 (columns' variances as the t);
          Chiani 2014 (Tracy-Widom as a shifted gamma law: within 0.03 down to the 0.1 % level).
Differs   from the textbook: y instead of v = -1/y, so that the root has a bracket for any p/n.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.roots import find_root
from eigenlens.algebra.typing import Float64Array

__all__ = ["generalized_edge", "tracy_widom"]


def generalized_edge(variances: Float64Array, rows: float) -> tuple[float, float]:
    """Edge and unit, in the units of the variances; `rows` counts degrees of freedom."""
    largest = float(variances.max())
    t = variances / largest
    aspect = len(t) / rows

    def ratios(gap: float) -> Float64Array:
        result: Float64Array = t / (gap + (1 - t))  # t / (y - t) with y = 1 + gap
        return result

    def excess(log_gap: float) -> float:
        return float(aspect * np.mean(np.square(ratios(np.exp(log_gap)))) - 1)

    # The largest column alone gives the lower end, all columns as large as it the upper one.
    ends = -0.5 * np.log(rows) - 0.01, 0.5 * np.log(aspect) + 0.01
    gap = float(np.exp(find_root(excess, *ends, width=1e-14)))
    y, found = 1 + gap, ratios(gap)
    edge = y * (1 + aspect * float(found.mean()))
    unit = y * (1 + aspect * float((found**3).mean())) ** (1 / 3) * rows ** (-2 / 3)
    return edge * largest, unit * largest


def tracy_widom(level: float) -> float:
    """What the largest eigenvalue of real white noise exceeds with probability `level`."""
    from scipy.special import gammaincinv

    shape, scale, shift = 46.446, 0.186054, 9.84801
    return float(scale * gammaincinv(shape, 1 - level) - shift)
