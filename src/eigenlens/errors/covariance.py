"""Errors about a covariance matrix that is given in the place of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.phrasing import Option, Phrase, SetOption, count_things
from eigenlens.errors.remedies import FitMatrix, PythonCode
from eigenlens.errors.root import ExplainedWarning

__all__ = ["CovarianceError", "LooksLikeCovariance"]


class CovarianceError(DataError):
    """The matrix is no covariance matrix."""

    @classmethod
    def not_square(cls, shape: Sequence[int]) -> Self:
        return cls.of(
            "a covariance matrix is square, with a row for every column, but {n} x {d} was given.",
            PythonCode("to analyze a table of rows, call eigenlens.fit(data)"),
            "pass the matrix itself, words and other columns left out",
            n=shape[0],
            d=shape[1],
        )

    @classmethod
    def bad_entries(cls, count: int, row: str | int, column: str | int) -> Self:
        entries = "entry" if count == 1 else "entries"
        return cls.of(
            "the matrix contains {counted} NaN or infinite, the first in row {row!r}, column "
            "{column!r}.",
            f"fill in the {entries}: both halves of the matrix are needed",
            PythonCode("fit the rows with eigenlens.fit(data, missing='auto')"),
            counted=count_things(count, "entry") + (" that is" if count == 1 else " that are"),
            count=count,
            row=row,
            column=column,
        )

    @classmethod
    def zero(cls, size: int) -> Self:
        return cls.of(
            "all entries of the {size} x {size} matrix are 0, so there is no variance to explain.",
            "pass the covariance matrix of rows that differ",
            size=size,
        )

    @classmethod
    def asymmetric(cls, row: str | int, column: str | int, one: float, other: float) -> Self:
        return cls.of(
            "a covariance matrix is symmetric, but here the entry ({row!r}, {column!r}) is "
            "{one:.6g} and ({column!r}, {row!r}) is {other:.6g}: they differ by {apart:.3g}.",
            PythonCode("if that is rounding, pass (C + C.T) / 2"),
            "if only one half is filled in, fill in the other",
            row=row,
            column=column,
            one=one,
            other=other,
            apart=abs(one - other),
        )

    @classmethod
    def indefinite(cls, least: float, largest: float, count: int) -> Self:
        return cls.of(
            "a covariance matrix has no negative eigenvalues, but this one has {count}, "
            "down to {least:.4g}, which is {share:.2%} of the largest ({largest:.4g}).",
            "if entries were rounded, pass more digits",
            "if pairs of columns were computed from different rows, fit the rows instead",
            PythonCode(
                "to use the nearest covariance matrix, set the negative eigenvalues to 0 "
                "(values, V = np.linalg.eigh(C); C = (V * values.clip(0)) @ V.T)"
            ),
            count=count,
            least=least,
            largest=largest,
            share=abs(least) / abs(largest) if largest else 1.0,
        )

    @classmethod
    def wrong_rows(cls, given: object) -> Self:
        return cls.of(
            "{setting}: a covariance matrix comes from 2 rows or more, as a whole number.",
            "pass the number of rows that the matrix was computed from",
            Phrase("omit {} to take the matrix as exact", Option("n_rows")),
            setting=SetOption("n_rows", given),
            option="n_rows",
            given=given,
        )

    @classmethod
    def too_few_rows(cls, given: int, rank: int) -> Self:
        return cls.of(
            "{setting}, but the matrix has rank {rank}, and {given} rows give at most rank {most}.",
            "pass the number of rows that the matrix was computed from",
            Phrase("omit {} to take the matrix as exact", Option("n_rows")),
            setting=SetOption("n_rows", given),
            option="n_rows",
            given=given,
            rank=rank,
            most=given - 1,
        )

    @classmethod
    def wrong_mean(cls, given: int, size: int) -> Self:
        return cls.of(
            "{mean} is of length {given}, but must hold {size} finite numbers, one per "
            "column of the matrix.",
            f"pass {size} finite numbers",
            mean=Option("mean"),
            given=given,
            size=size,
            option="mean",
        )

    @classmethod
    def wrong_names(cls, given: int, size: int) -> Self:
        return cls.of(
            "{names} is of length {given}, but must hold {size} different names, one per "
            "column of the matrix.",
            f"pass {size} different names",
            names=Option("names"),
            given=given,
            size=size,
            option="names",
        )


class LooksLikeCovariance(ExplainedWarning):
    """A table of rows that is symmetric and positive semidefinite, as covariance matrices are."""

    @classmethod
    def square_table(cls, size: int) -> Self:
        return cls.of(
            "the {size} x {size} table is symmetric and positive semidefinite, as a covariance "
            "matrix is, but its lines were analyzed as rows of data.",
            FitMatrix(),
            size=size,
        )
