"""Errors about the kind of data: what cannot be read as numbers, or does not match a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.phrasing import Option, Phrase, count_things, did_you_mean, list_words
from eigenlens.errors.remedies import PythonCode

__all__ = ["MismatchError", "UnsupportedData"]

READABLE = (
    "a 2-D numpy array or memmap, a list of rows, a scipy sparse matrix, a pandas, polars or "
    "pyarrow frame, an Arrow stream or query (duckdb, LazyFrame, pyarrow Dataset, Hugging Face), "
    "an AnnData, a 2-D xarray DataArray, a Dask array or data frame, a path to a file or a list of "
    "them, an open h5py or zarr array, a callable or iterator that gives blocks, "
    "any object with a 2-D __array__, or an object that satisfies eigenlens.Source"
)


class UnsupportedData(DataError, TypeError):
    """The kind of object, or of column, is not one we read."""

    @classmethod
    def unknown_kind(cls, kind: type) -> Self:
        return cls(
            f"cannot read rows of numbers from data of type {kind.__name__}. Possible: {READABLE}.",
            PythonCode(
                "convert the data first, for example with np.asarray(data) or "
                "pandas.DataFrame(data)"
            ),
            allowed=READABLE,
        )

    @classmethod
    def open_file(cls, kind: type) -> Self:
        return cls.of(
            "the data are an open file ({kind}), which may be read once only and does not say what "
            "it holds.",
            "pass the path of the file",
            PythonCode("read it first, for example with pandas.read_csv(file)"),
            kind=kind.__name__,
        )

    @classmethod
    def labelled_dataset(cls, names: Sequence[object]) -> Self:
        return cls.of(
            "an xarray Dataset holds several variables ({listing}), and none of them is the table.",
            PythonCode("pass one of them, such as data['name']"),
            PythonCode("call eigenlens.xarray.eof(data, k)"),
            listing=list_words(list(names)),
        )

    @classmethod
    def kind_of_tensor(cls, kind: str) -> Self:
        ways = {"meta": "load its numbers first", "quantized": "pass data.dequantize()"}
        sparse = "pass data.to_dense(), or a scipy sparse matrix of its entries"
        return cls.of(
            "the tensor is of the kind {kind}, which holds no plain array of numbers.",
            PythonCode(ways.get(kind, sparse)),
            kind=kind,
        )

    @classmethod
    def structured(cls, names: Sequence[str]) -> Self:
        return cls(
            f"the array is structured, with fields {list_words(names)}, not a plain table of "
            f"numbers.",
            PythonCode(
                "pass numpy.lib.recfunctions.structured_to_unstructured(data) or a pandas.DataFrame"
            ),
            columns=list(names),
        )

    @classmethod
    def complex_numbers(cls, dtype: object) -> Self:
        return cls(
            f"Complex data not supported: the numbers are {dtype!s}, and PCA is defined here "
            "for real numbers.",
            PythonCode("pass np.hstack([data.real, data.imag])"),
            PythonCode("pass np.abs(data)"),
        )

    @classmethod
    def not_numeric(cls, columns: Mapping[str, str], numeric: Sequence[object] = ()) -> Self:
        """`columns`: the offending ones with their dtype; `numeric`: some that could be used."""
        example = ", ".join(
            [repr(name) for name in numeric[:5]] + ["..."] * (not 0 < len(numeric) <= 5)
        )
        return cls.of(
            "{shown} not hold numbers: {listing}.",
            Phrase("choose numeric columns with {}", Option("columns", f"[{example}]")),
            PythonCode("convert these to numbers first, for example by .astype(float)"),
            count=len(columns),
            shown=f"{count_things(len(columns), 'column')} {'does' if len(columns) == 1 else 'do'}",
            listing=list_words(
                (f"{name!r} ({dtype})" for name, dtype in columns.items()), quote=False
            ),
            columns=list(columns),
            allowed=list(numeric),
        )

    @classmethod
    def unknown_columns(cls, asked: Iterable[object], known: Sequence[object]) -> Self:
        """`known` is a `range` where columns have positions only."""
        unknown = list(asked)
        if isinstance(known, range):
            possible = f"columns here are chosen by position, 0 to {len(known) - 1}"
        else:
            possible = f"the table has {list_words(known)}"
        return cls(
            f"there is no column {list_words(unknown)}: {possible}.{did_you_mean(unknown, known)}",
            columns=unknown,
            allowed=known,
        )


class MismatchError(UnsupportedData):
    """The columns are not those that the model was fitted on."""

    @classmethod
    def missing_columns(cls, missing: Sequence[str], wanted: int, extra: Sequence[object]) -> Self:
        """`wanted`: how many columns the model has; `extra`: what the data have besides."""
        return cls.of(
            "the data have no column {listing}: {count} of the {wanted} that the model was fitted "
            "on.{besides}{hint}",
            "rename or add the missing columns",
            "fit a model on the columns that the data have",
            listing=list_words(missing),
            count=len(missing),
            wanted=wanted,
            besides=f" They also have {list_words(extra)}." if extra else "",
            hint=did_you_mean(missing, extra),
            columns=list(missing),
        )

    @classmethod
    def needs_columns(cls, count: int, given: str) -> Self:
        return cls.of(
            "the model knows {count} columns, some of them categories, by their names, and the "
            "rows are a {given} without names.",
            "pass a frame or a file with these columns",
            count=count,
            given=given,
        )

    @classmethod
    def wrong_width(cls, shape: Sequence[int], expected: int) -> Self:
        return cls.of(
            "the rows have {given} columns, but the model was fitted on {expected}.",
            f"pass rows with the same {expected} columns",
            given=shape[1],
            expected=expected,
        )

    @classmethod
    def other_model(cls, missing: Sequence[object], extra: Sequence[object]) -> Self:
        parts = [f"the second lacks {list_words(missing)}"] if missing else []
        parts += [f"only the second has {list_words(extra)}"] if extra else []
        return cls.of(
            "the models were not fitted on the same columns: {differences}.{hint}",
            "fit both on the same columns to compare them",
            differences=" and ".join(parts),
            hint=did_you_mean(missing, extra),
            columns=[*missing, *extra],
        )
