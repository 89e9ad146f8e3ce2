"""open_source: the first kind that recognizes the data opens it.

| kind     | recognizes                                                         |
|----------|--------------------------------------------------------------------|
| (itself) | anything that already satisfies `Source`                           |
| path     | a path, pattern or folder, or a list of them                       |
| anndata  | AnnData objects: X, with the genes scanpy would choose             |
| dask     | Dask arrays and data frames                                        |
| sparse   | scipy.sparse matrices and arrays of every format                   |
| frame    | pandas, polars, pyarrow tables and batches, other narwhals frames  |
| tensor   | torch tensors, cupy and jax arrays that lie on a device             |
| open     | open datasets of h5py, open arrays of zarr                         |
| array    | numpy arrays, memory maps, lists of rows, objects with `__array__` |
| arrow    | anything with an Arrow stream, datasets and queries                |
| stream   | callables that return blocks, iterators and generators of blocks   |
"""

from __future__ import annotations

import io
import sys
from typing import Any, Protocol

import numpy as np

from eigenlens.errors import DataError, OptionError, UnsupportedData
from eigenlens.errors.phrasing import Option, SetOption
from eigenlens.sources import array, arrow_stream, frame, open_arrays, sparse, stream
from eigenlens.sources.annotated import HIGHLY_VARIABLE, is_anndata
from eigenlens.sources.dask import collection
from eigenlens.sources.device import tensor
from eigenlens.sources.files import path
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.files.text_format import AS_FOUND, TextFormat
from eigenlens.sources.protocol import Columns, Source
from eigenlens.sources.transposed import TransposedSource

__all__ = ["SOURCE_KINDS", "SourceKind", "open_source"]


class SourceKind(Protocol):
    """What a file of this room offers."""

    def accepts(self, data: object) -> bool:
        """Whether this kind reads `data`; cheap, and imports no guest library."""

    def source_from(self, data: Any, columns: Columns | None) -> Source:
        """The source, or the error that says what is wrong with `data`."""


# In this order: frames also have `__array__`, which would copy them whole.
SOURCE_KINDS: tuple[SourceKind, ...] = (
    path, collection, sparse, frame, tensor, open_arrays, array, arrow_stream, stream,
)  # fmt: skip


def open_source(
    data: object,
    columns: Columns | None = None,
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    skip_lines: int | None = None,
    transpose: bool = False,
) -> Source:
    """Rows of numbers from anything that holds them, or from its `columns` only.

    Of CSV files, `header` says whether the first line names the columns, `delimiter` what stands
    between entries, `decimal` ("." or ",") and `thousands` ("," "." " " or "'") how numbers are
    written, `encoding` how letters are, `skip_lines` how many lines stand above the table. None:
    found in the file.
    `transpose`: the columns of the data are the rows of the table; `columns` are then chosen
    before it is turned.
    """
    options = (header, delimiter, decimal, thousands, encoding, skip_lines)
    asked = any(option is not None for option in options)
    said = TextFormat(*options) if asked else AS_FOUND
    source = recognize_kind(data, columns, said)
    if transpose:
        source = TransposedSource(source)
    if source.shape[0] == 0:
        raise DataError.empty(source.shape)
    if source.shape[1] == 0:
        raise DataError.no_columns(source.shape)
    return source


def recognize_kind(data: object, columns: Columns | None, text: TextFormat) -> Source:
    # One of Dask's delayed objects has every attribute, those of a source too.
    # An array is none, and to see that it lacks every name of the protocol takes a while.
    if isinstance(data, array.ArraySource) and columns is None:
        return data
    if type(data) is np.ndarray and array.accepts(data):
        refuse_for_text(text)
        return array.source_from(data, columns)
    is_array = isinstance(data, np.ndarray)
    data = inside_labels(data)
    if not is_array and isinstance(data, Source) and not collection.accepts(data):
        refuse_for_text(text)
        if columns is None:
            return data
        if isinstance(data, StoredSource):
            return data.only(columns)
        raise OptionError.needs(
            Option("columns"),
            "data that are not opened yet",
            "choose the columns when opening the source",
        )
    if is_anndata(data):
        refuse_for_text(text)
        return open_default_matrix(data, columns)
    for kind in SOURCE_KINDS:
        if kind.accepts(data):
            if kind is path:
                return path.source_from(data, columns, text)
            refuse_for_text(text)
            return kind.source_from(data, columns)
    # A list that no kind reads is one of paths or the like: say what it holds.
    held = data[0] if isinstance(data, list | tuple) else data
    raise UnsupportedData.unknown_kind(type(held))


def open_default_matrix(data: Any, columns: Columns | None) -> Source:
    """X of an AnnData; `fit` has options for its other matrices."""
    from eigenlens.sources.reading import open_annotated

    return open_annotated(data, columns, None, None, HIGHLY_VARIABLE)


def inside_labels(data: Any) -> Any:
    """The array in a DataArray of xarray, which may be one of Dask; all else as it is."""
    xarray = sys.modules.get("xarray")
    if isinstance(data, io.IOBase):
        raise UnsupportedData.open_file(type(data))
    if xarray is not None and isinstance(data, xarray.Dataset):
        raise UnsupportedData.labelled_dataset(list(data.data_vars))
    return data.data if xarray is not None and isinstance(data, xarray.DataArray) else data


def refuse_for_text(text: TextFormat) -> None:
    """`text`: what only files of text leave open."""
    for name, value in () if text is AS_FOUND else text.asked.items():
        raise OptionError.needs(
            SetOption(name, value),
            "the path of a CSV file",
            "omit it: only text files have a first line with names, and separators",
        )
