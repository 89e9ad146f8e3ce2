"""Errors about a kernel matrix: what is wrong with it, and what would be right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from eigenlens.errors.data import DataError

__all__ = ["KernelError"]


class KernelError(DataError):
    """The kernel, on these rows, is not one that components can be found of."""

    @classmethod
    def one_row(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the table has one row (n_samples=1, shape={tuple(shape)}): around its own mean it "
            f"varies nowhere, whatever the kernel. Pass at least 2 rows."
        )

    @classmethod
    def not_square(cls, shape: tuple[int, int]) -> Self:
        return cls(
            f"kernel='precomputed' wants the square matrix of all pairs of training rows, but "
            f"{shape[0]} x {shape[1]} was given. Pass K with K[i, j] = k(x[i], x[j]); rows of "
            f"numbers go with another kernel=, for example 'rbf'."
        )

    @classmethod
    def wrong_columns(cls, columns: int, expected: int) -> Self:
        return cls(
            f"kernel='precomputed' wants one value per training row, but the rows have {columns} "
            f"columns where the model was fitted on {expected} rows. Pass k(new rows, training "
            f"rows), {expected} columns wide."
        )

    @classmethod
    def asymmetric(cls, row: int, column: int, one: float, other: float) -> Self:
        return cls(
            f"a kernel matrix is symmetric, but here K[{row}, {column}] = {one:.6g} and "
            f"K[{column}, {row}] = {other:.6g}. Pass (K + K.T) / 2 if that is rounding; rows of "
            f"numbers go with another kernel=, for example 'rbf'."
        )

    @classmethod
    def indefinite(
        cls, name: str, least: float, largest: float, share: float, count: int, positive: int
    ) -> Self:
        """`share`: of the `count` negative eigenvalues in the sum of all magnitudes."""
        fewer = (
            f" Or ask for n_components={positive} or fewer, with eigen_solver='dense': so many "
            f"are positive."
            if positive
            else ""
        )
        return cls(
            f"There are significant negative eigenvalues in the centered {name!r} kernel matrix: "
            f"{count} of them, down to {least:.4g} where the largest is {largest:.4g}; the "
            f"negative part is {share:.2%} of the whole. Similarities are wanted, not distances. "
            f"To keep the positive part: values, vectors = np.linalg.eigh(K); K = (vectors * "
            f"values.clip(0)) @ vectors.T.{fewer}"
        )

    @classmethod
    def not_semidefinite(cls, name: str, row: int, missing: float, size: float) -> Self:
        return cls(
            f"the kernel {name!r} is not positive semidefinite on these rows: row {row} has the "
            f"squared distance {missing:.4g} to the span of the landmarks, for k(x, x) = "
            f"{size:.4g}, and a square is never negative. Pass method='exact', which tells how "
            f"large the negative part is, or another kernel, for example kernel='rbf'."
        )

    @classmethod
    def no_lengths(cls, name: str) -> Self:
        return cls(
            f"the kernel {name!r} gives k(x, x) = 0 for every row, so it holds no inner products. "
            f"Similarities are wanted, largest between a row and itself, not distances: pass for "
            f"example np.exp(-distances), or rows with kernel='rbf'."
        )

    @classmethod
    def nothing_varies(cls, name: str, n: int) -> Self:
        return cls(
            f"all {n} points are equal to the kernel {name!r}, so there is no variance to explain. "
            f"Pass rows that differ; for kernels of distances, a larger gamma= (or gamma='median') "
            f"if they do."
        )

    @classmethod
    def not_a_number(cls, name: str, found: object) -> Self:
        return cls(
            f"the kernel {name!r} gave {found!r} for two rows, and one finite number is wanted. "
            f"It is called as k(x, y) with two 1-D rows, and kernel_params= as keywords."
        )

    @classmethod
    def values_not_finite(cls, name: str) -> Self:
        return cls(
            f"the kernel {name!r} gave values that are NaN or infinite, though the rows are "
            f"finite. A smaller gamma= or degree=, or rows of a smaller scale, would do; a "
            f"fraction as degree= wants products x'y that are not negative."
        )
