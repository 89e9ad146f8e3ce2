"""The kernel matrix of all rows, checked and centered in place.

    Kc = H K H,   H = I - 11'/n:   K[i, j] - mean of row i - mean of column j + mean of all

Cost     n^2 / 2 kernel values, each pair once, and 8 n^2 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.errors import KernelError
from eigenlens.kernel.points import Points
from eigenlens.kernel.protocol import Kernel
from eigenlens.kernel.user_kernels import Precomputed
from eigenlens.machine.tile_threads import map_in_threads

__all__ = [
    "CenteredMatrix",
    "NegativePart",
    "center_kernel_matrix",
    "negative_part",
    "refuse_asymmetric_matrix",
]

TILE = 1024
SYMMETRIC = 1e-6  # of the largest entry: float32 matrices are symmetric to 1e-7
# scikit-learn's limits: below the first part of the largest, negative eigenvalues are rounding.
SIGNIFICANT = 1e-5


@dataclass(frozen=True)
class CenteredMatrix:
    """The matrix after centering, and what new points need to be centered alike."""

    matrix: Float64Array
    row_means: Float64Array
    grand_mean: float
    trace_before: float
    largest: float  # k(x, x), at most, before centering

    @property
    def trace(self) -> float:
        return float(np.trace(self.matrix))


def center_kernel_matrix(kernel: Kernel, points: Points, hands: int) -> CenteredMatrix:
    """The whole matrix, in memory that is nobody else's."""
    matrix = (
        check_user_matrix(points)
        if isinstance(kernel, Precomputed)
        else fill_pairs(kernel, points, hands)
    )
    diagonal = np.diag(matrix).copy()
    means: Float64Array = matrix.mean(axis=0)
    grand = float(means.mean())
    matrix -= means
    matrix -= means[:, None]
    matrix += grand
    size = max(float(np.abs(diagonal).max()), float(np.abs(means).max()))
    return CenteredMatrix(matrix, means, grand, float(diagonal.sum()), size)


def fill_pairs(kernel: Kernel, points: Points, hands: int) -> Float64Array:
    """Each pair once, tile by tile; the diagonal as the kernel knows it."""
    n = len(points)
    matrix = np.empty((n, n))

    def fill(tile: tuple[slice, slice]) -> None:
        rows, columns = tile
        values = kernel.against(points.part(columns))(points.part(rows))
        if rows == columns and not kernel.is_psd:
            refuse_asymmetric_matrix(values, points.numbers[rows])
        matrix[rows, columns] = values
        matrix[columns, rows] = values.T

    for _ in map_in_threads(fill, upper_tiles(n), hands):
        pass
    np.fill_diagonal(matrix, kernel.diagonal(points))
    return matrix


def upper_tiles(n: int) -> Iterator[tuple[slice, slice]]:
    for start in range(0, n, TILE):
        for beyond in range(start, n, TILE):
            yield slice(start, min(start + TILE, n)), slice(beyond, min(beyond + TILE, n))


def check_user_matrix(points: Points) -> Float64Array:
    """A copy of the matrix at hand, if it is one of all pairs and symmetric."""
    matrix = np.array(points.dense(), dtype=np.float64)
    if matrix.shape[0] != matrix.shape[1]:
        raise KernelError.not_square((matrix.shape[0], matrix.shape[1]))
    refuse_asymmetric_matrix(matrix, points.numbers)
    matrix += matrix.T
    matrix /= 2
    return matrix


def refuse_asymmetric_matrix(matrix: Float64Array, numbers: IntArray) -> None:
    """Of rows with these numbers; NaN is somebody else's business."""
    apart = np.abs(matrix - matrix.T)
    row, column = np.sort(np.unravel_index(np.argmax(apart), apart.shape))
    if apart[row, column] > SYMMETRIC * np.abs(matrix).max():
        one, other = float(matrix[row, column]), float(matrix[column, row])
        raise KernelError.asymmetric(int(numbers[row]), int(numbers[column]), one, other)


# -- kernels that are not positive semidefinite by theory --------------------------------------


@dataclass(frozen=True)
class NegativePart:
    """How far a matrix is from being positive semidefinite."""

    least: float  # the smallest eigenvalue
    largest: float
    share: float  # of the negative ones in the sum of all magnitudes
    count: int
    positive: int  # how many are positive beyond rounding
    vectors: Float64Array  # (n, count), the eigenvectors of the negative ones

    @property
    def is_significant(self) -> bool:
        return self.least < -SIGNIFICANT * self.largest

    def remove_from(self, columns: Float64Array) -> Float64Array:
        """The columns without what rounding left of the negative part in them.

        Along a small eigenvalue, kernel values of the whole matrix multiply it by least / that one.
        """
        return np.asarray(columns - self.vectors @ (self.vectors.T @ columns))


def negative_part(matrix: Float64Array) -> NegativePart | None:
    """None where a Cholesky factor proves that there is none beyond rounding.

    Otherwise all eigenvalues are found, and the matrix is replaced by its positive part.
    """
    n, trace = len(matrix), float(np.trace(matrix))
    shifted = matrix.copy()
    shifted[np.diag_indices(n)] += 10 * n * EPS * abs(trace)
    try:
        np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        del shifted
        values, vectors = np.linalg.eigh(matrix)
        kept = values > 0
        scaled = vectors[:, kept] * np.sqrt(values[kept])
        matrix[:] = scaled @ scaled.T
        rounding = 10 * n * EPS * float(np.abs(values).max())
        negative = values < -rounding
        below = values[negative]
        return NegativePart(
            least=float(values[0]),
            largest=float(values[-1]),
            share=float(-below.sum() / np.abs(values).sum()),
            count=len(below),
            positive=int((values > rounding).sum()),
            vectors=vectors[:, negative],
        )
    return None
