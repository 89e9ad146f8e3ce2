"""Zarr: an array of two dimensions, alone in its store or in a group, of format 2 or 3.

    "table.zarr"    "store.zarr::group/data"    "store.zarr.zip::data"

or an AnnData, whose X is read (`anndata_file.py`).

Cost     decoding every chunk once per pass, several of them at once.
Traps    as in `chunked.py`. A chunk that is not there counts as filled with the fill value: a store
         that was copied in part cannot be told from one that was written in part. To see whether a
         store has changed, its files are counted: many small chunks make that slow.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import EigenlensError, FileError
from eigenlens.errors.system import os_error_at
from eigenlens.sources.files.anndata_file import matrix_reader
from eigenlens.sources.files.choose_array import StoredArray, choose_array, label_of_array
from eigenlens.sources.files.chunked import ChunkedReader
from eigenlens.sources.files.stored import Reader

__all__ = ["ENDINGS", "reader_of"]

ENDINGS = (".zarr", ".zarr.zip")
KIND = "a Zarr store"
ANNDATA = "anndata"
SPOILED = (OSError, ValueError, TypeError, KeyError, RuntimeError)


def reader_of(path: Path, inside: str | None) -> Reader:
    with open_zarr(path) as root:
        asked = None if inside is None else inside.strip("/")
        if root.attrs.get("encoding-type") == ANNDATA:
            return matrix_reader(path, root, asked, open_zarr, zarr_reader)
        arrays = {"": root} if hasattr(root, "shape") else arrays_in(root)
        found = {name: StoredArray(tuple(each.shape), each.dtype) for name, each in arrays.items()}
        name = choose_array(path, KIND, found, asked)
        return zarr_reader(path, arrays[name], name, label_of_array(path, asked), None)


def zarr_reader(
    path: Path, array: Any, name: str, label: str, names: tuple[str, ...] | None
) -> ChunkedReader:
    return ChunkedReader(
        path=path,
        label=label,
        shape=tuple(array.shape),
        stored=np.dtype(array.dtype),
        rectangle=tuple(array.chunks),
        stored_bytes=max(1, array.nbytes_stored()),
        opened=partial(open_zarr, path, name),
        names=names,
    )


@contextmanager
def open_zarr(path: Path, name: str = "") -> Iterator[Any]:
    """The group or array at the root of the store, or the one of that name."""
    try:
        import zarr
    except ImportError:
        raise FileError.needs_package(path, "zarr", "files") from None
    try:
        kind = zarr.storage.ZipStore if path.is_file() else zarr.storage.LocalStore
        store = kind(path, read_only=True)
        try:
            # What is consolidated may name kinds of arrays that this zarr does not know.
            yield zarr.open(store, mode="r", path=name, use_consolidated=False)
        finally:
            store.close()
    except EigenlensError:
        raise
    except SPOILED as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise os_error_at(path, "read", error) from error
        raise FileError.damaged(path, KIND, error) from error


def arrays_in(group: Any) -> dict[str, Any]:
    members = group.members(max_depth=None)
    return {name: item for name, item in members if hasattr(item, "shape")}
