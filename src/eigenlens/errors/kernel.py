"""Errors about a kernel matrix: what is wrong with it, and what would be right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.errors.remedies import PythonCode

__all__ = ["KernelError"]

ROWS_WITH_RBF = Phrase(
    "to pass rows of numbers, choose a kernel such as {}", SetOption("kernel", "rbf")
)


class KernelError(DataError):
    """The kernel has no components to find on these rows."""

    @classmethod
    def one_row(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the table has one row (n_samples=1, shape={tuple(shape)}), and a single row has no "
            "variance around its mean, whatever the kernel.",
            "pass at least 2 rows",
            rows=1,
        )

    @classmethod
    def not_square(cls, shape: tuple[int, int]) -> Self:
        return cls.of(
            "{setting} needs the square matrix of all pairs of training rows, but {n} x {d} was "
            "given.",
            PythonCode("pass K with K[i, j] = k(x[i], x[j])"),
            ROWS_WITH_RBF,
            setting=SetOption("kernel", "precomputed"),
            n=shape[0],
            d=shape[1],
        )

    @classmethod
    def wrong_columns(cls, columns: int, expected: int) -> Self:
        return cls.of(
            "{setting} needs one value per training row, but the rows have {given} columns and the "
            "model was fitted on {expected} rows.",
            f"pass k(new rows, training rows), {expected} columns wide",
            setting=SetOption("kernel", "precomputed"),
            given=columns,
            expected=expected,
        )

    @classmethod
    def asymmetric(cls, row: int, column: int, one: float, other: float) -> Self:
        return cls(
            f"a kernel matrix is symmetric, but here K[{row}, {column}] = {one:.6g} and "
            f"K[{column}, {row}] = {other:.6g}.",
            PythonCode("if that is rounding, pass (K + K.T) / 2"),
            ROWS_WITH_RBF,
        )

    @classmethod
    def indefinite(
        cls, name: str, least: float, largest: float, share: float, count: int, positive: int
    ) -> Self:
        """`share`: of the `count` negative eigenvalues in the sum of all magnitudes."""
        fewer = Phrase(
            "ask for {} or fewer with {}, the number that is positive",
            SetOption("n_components", positive),
            SetOption("eigen_solver", "dense"),
        )
        return cls(
            f"There are significant negative eigenvalues in the centered {name!r} kernel matrix: "
            f"{count} of them, down to {least:.4g} where the largest is {largest:.4g}; the "
            f"negative part is {share:.2%} of the whole. A kernel holds similarities, not "
            "distances.",
            PythonCode(
                "keep the positive part: values, vectors = np.linalg.eigh(K); K = (vectors * "
                "values.clip(0)) @ vectors.T"
            ),
            *([fewer] if positive else []),
        )

    @classmethod
    def not_semidefinite(cls, name: str, row: int, missing: float, size: float) -> Self:
        return cls(
            f"the kernel {name!r} is not positive semidefinite on these rows: row {row} has the "
            f"squared distance {missing:.4g} to the span of the landmarks (k(x, x) = {size:.4g}), "
            "and a square is never negative.",
            Phrase("pass {}, which measures the negative part", SetOption("method", "exact")),
            Phrase("pass another kernel such as {}", SetOption("kernel", "rbf")),
        )

    @classmethod
    def no_lengths(cls, name: str) -> Self:
        return cls(
            f"the kernel {name!r} gives k(x, x) = 0 for every row, so it is not an inner product. "
            "A kernel holds similarities, largest between a row and itself, not distances.",
            PythonCode("pass for example np.exp(-distances)"),
            ROWS_WITH_RBF,
        )

    @classmethod
    def nothing_varies(cls, name: str, n: int) -> Self:
        return cls(
            f"all {n} points are equal under the kernel {name!r}, so there is no variance to "
            "explain.",
            "pass rows that differ",
            Phrase(
                "if they do, pass a larger {}, or {}", Option("gamma"), SetOption("gamma", "median")
            ),
        )

    @classmethod
    def not_a_number(cls, name: str, found: object) -> Self:
        return cls.of(
            "the kernel {name!r} returned {found!r} for two rows, not one finite number. It is "
            "called as k(x, y) with two 1-D rows, and {params} as keywords.",
            name=name,
            found=found,
            params=Option("kernel_params"),
        )

    @classmethod
    def values_not_finite(cls, name: str) -> Self:
        return cls(
            f"the kernel {name!r} gave values that are NaN or infinite, though the rows are "
            "finite.",
            Phrase("pass a smaller {} or {}", Option("gamma"), Option("degree")),
            "divide the rows by a constant",
            Phrase(
                "if {} is a fraction, make sure that no product x'y is negative", Option("degree")
            ),
        )
