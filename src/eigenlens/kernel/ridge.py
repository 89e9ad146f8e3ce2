"""Ridge: rows as a smooth function of their scores, learned from some of the data.

    x(y) = mean + sum_i c_i exp(-g |y - y_i|^2),    (G + a I) c = rows - mean

g and a are those with the smallest error on every fourth row, which is held out for that; then all
rows take part. Not generalized cross-validation: it would learn to reproduce the noise that the
components have left behind.

Cost     eigenvectors of a 750 x 750 matrix for every g tried: a second, whatever the data.
Source   Bakir, Weston and Schoelkopf 2004.
Differs  scikit-learn takes the kernel of the data, in its gamma, also for scores, and a = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.kernel.points import Points
from eigenlens.kernel.radial import RBF

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace

__all__ = ["RidgePreimage", "learn_ridge"]

HELD_OUT = 4  # every so many
WIDTHS = (0.25, 1.0, 4.0, 16.0)  # times 1 / (2 median^2)
PENALTIES = tuple(10.0**power for power in range(-8, 2))


@dataclass(frozen=True, eq=False)
class RidgePreimage:
    """`centers` (c, k) are scores, `weights` (c, d) go with them; rows without the shift."""

    centers: Float64Array
    weights: Float64Array
    mean: Float64Array
    gamma: float
    penalty: float

    name = "ridge"

    def rows_for(self, model: KernelSubspace, scores: Float64Array) -> Float64Array:
        found: Float64Array = gaussian_gram(scores, self.centers, self.gamma) @ self.weights
        found += self.mean
        return found

    def truncated(self, k: int) -> None:
        return None

    def learned_from(self, model: KernelSubspace) -> tuple[Float64Array, Float64Array]:
        return self.centers, self.weights


def learn_ridge(scores: Float64Array, rows: Float64Array, penalty: float | None) -> RidgePreimage:
    """From scores (c, k) and rows (c, d); a given penalty is taken as it is."""
    mean = rows.mean(axis=0)
    targets = rows - mean
    gammas = [width / (2 * typical_square(scores)) for width in WIDTHS]
    penalties = PENALTIES if penalty is None else (penalty,)
    gamma, alpha = best_parameters(scores, targets, gammas, penalties)
    matrix = gaussian_gram(scores, scores, gamma)
    matrix[np.diag_indices(len(matrix))] += alpha
    # Least squares where a penalty of 0 was asked for and scores repeat.
    weights = (
        np.linalg.lstsq(matrix, targets)[0] if alpha == 0 else np.linalg.solve(matrix, targets)
    )
    return RidgePreimage(scores, weights, mean, gamma, alpha)


def best_parameters(
    scores: Float64Array,
    targets: Float64Array,
    gammas: list[float],
    penalties: tuple[float, ...],
) -> tuple[float, float]:
    """The pair with the smallest squared error on rows that were not learned from."""
    out = np.arange(len(scores)) % HELD_OUT == HELD_OUT - 1
    if len(scores) < 2 * HELD_OUT:
        return gammas[1], penalties[len(penalties) // 2]
    best, chosen = np.inf, (gammas[0], penalties[0])
    for gamma in gammas:
        values, vectors = np.linalg.eigh(gaussian_gram(scores[~out], scores[~out], gamma))
        within = vectors.T @ targets[~out]
        across = gaussian_gram(scores[out], scores[~out], gamma) @ vectors
        for alpha in penalties:
            floor = np.finfo(np.float64).eps * len(values) * values[-1]
            guess = across @ (within / np.maximum(values + alpha, floor)[:, None])
            error = float(np.square(guess - targets[out]).sum())
            if error < best:
                best, chosen = error, (gamma, alpha)
    return chosen


def gaussian_gram(one: Float64Array, other: Float64Array, gamma: float) -> Float64Array:
    def points(rows: Float64Array) -> Points:
        return Points(np.ascontiguousarray(rows), np.arange(len(rows)))

    return RBF(gamma).against(points(other))(points(one))


def typical_square(scores: Float64Array) -> float:
    from scipy.spatial.distance import pdist

    found = float(np.median(pdist(scores, "sqeuclidean"))) if len(scores) > 1 else 1.0
    return found if found > 0 else 1.0
