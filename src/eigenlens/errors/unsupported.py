"""Errors about the kind of data: what cannot be read as a table of numbers, and what can."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.wording import did_you_mean, listed

__all__ = ["UnsupportedData"]

READABLE = (
    "a 2-D numpy array or memmap, a list of rows, a scipy sparse matrix, a pandas, polars or "
    "pyarrow frame, a Dask array or data frame, a path to a file or a list of them, a callable or "
    "iterator that gives blocks, "
    "any object with a 2-D __array__, or an object that satisfies eigenlens.Source"
)


class UnsupportedData(DataError, TypeError):
    """The kind of object, or of column, is not one we read."""

    @classmethod
    def unknown_kind(cls, kind: type) -> Self:
        return cls(
            f"cannot read rows of numbers from data of type {kind.__name__}. Possible: {READABLE}. "
            f"Convert it first, for example with np.asarray(data) or pandas.DataFrame(data)."
        )

    @classmethod
    def lazy_frame(cls, kind: type) -> Self:
        return cls(
            f"a {kind.__module__.split('.')[0]} {kind.__name__} is a plan, not yet rows, and a fit "
            f"reads rows more than once. Call .collect() on it and pass the result."
        )

    @classmethod
    def structured(cls, names: Sequence[str]) -> Self:
        return cls(
            f"the array is structured, with fields {listed(names)}, not a plain table of numbers. "
            f"Pass numpy.lib.recfunctions.structured_to_unstructured(data) or a pandas.DataFrame."
        )

    @classmethod
    def complex_numbers(cls, dtype: object) -> Self:
        return cls(
            f"Complex data not supported: the numbers are {dtype}, and only real ones can be "
            f"ordered by variance. Pass np.hstack([data.real, data.imag]), or np.abs(data)."
        )

    @classmethod
    def not_numeric(cls, columns: Mapping[str, str], numeric: Sequence[object] = ()) -> Self:
        """`columns`: the offending ones with their dtype; `numeric`: some that could be used."""
        given = listed((f"{name!r} ({dtype})" for name, dtype in columns.items()), quote=False)
        example = ", ".join(
            [repr(name) for name in numeric[:5]] + ["..."] * (not 0 < len(numeric) <= 5)
        )
        return cls(
            f"{len(columns)} column(s) do not hold numbers: {given}. Choose the numeric ones with "
            f"columns=[{example}], or turn these into numbers first, for example by .astype(float)."
        )

    @classmethod
    def unknown_columns(cls, asked: Iterable[object], known: Sequence[object]) -> Self:
        """`known` is a `range` where columns have positions only."""
        unknown = list(asked)
        if isinstance(known, range):
            possible = f"columns here are chosen by position, 0 to {len(known) - 1}"
        else:
            possible = f"the table has {listed(known)}"
        return cls(f"no column {listed(unknown)}: {possible}.{did_you_mean(unknown, known)}")
