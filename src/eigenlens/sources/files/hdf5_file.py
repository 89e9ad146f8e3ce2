"""HDF5: one dataset of two dimensions; `store.h5::/group/data` says which, where there are several.

Cost     decoding every chunk of the dataset once per pass; a dataset stored without chunks is read
         like a `.npy` file.
Traps    as in `chunked.py`. What external links and virtual datasets point at may change unseen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from eigenlens.errors import EigenlensError, FileError
from eigenlens.errors.system import os_error_at
from eigenlens.sources.files.choose_array import StoredArray, choose_array, label_of_array
from eigenlens.sources.files.chunked import ChunkedReader

__all__ = ["ENDINGS", "dataset_reader", "datasets_in", "open_hdf5", "reader_of"]

ENDINGS = (".h5", ".hdf5", ".hdf")
KIND = "an HDF5 file"
CHUNK_CACHE_BYTES = 16 << 20  # decoded chunks that two blocks share are decoded once


def reader_of(path: Path, inside: str | None) -> Any:
    from eigenlens.sources.files.tenx_file import find_counts, reader_of_counts

    with open_hdf5(path) as file:
        counts = find_counts(file, inside)
        if counts:
            return reader_of_counts(path, file, counts, inside)
        asked = None if inside is None else f"/{inside.strip('/')}"
        found = datasets_in(file)
        if asked is not None and asked not in found:
            found |= resolve_link(file, asked)
        name = choose_array(path, KIND, found, asked)
        return dataset_reader(path, file[name], name, label_of_array(path, asked))


@contextmanager
def open_hdf5(path: Path, inside: str | None = None) -> Iterator[Any]:
    """The file, or one object in it, for as long as it is read."""
    try:
        import h5py
    except ImportError:
        raise FileError.needs_package(path, "h5py", "files") from None
    try:
        with h5py.File(path, "r", rdcc_nbytes=CHUNK_CACHE_BYTES) as file:
            yield file if inside is None else file[inside]
    except EigenlensError:
        raise
    except (OSError, RuntimeError, KeyError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise os_error_at(path, "read", error) from error
        raise FileError.damaged(path, KIND, error) from error


def datasets_in(file: Any) -> dict[str, StoredArray]:
    """Every array in the file, by its full name."""
    found: dict[str, StoredArray] = {}

    def look(name: str, item: Any) -> None:
        if getattr(item, "shape", None):  # a group has none, a single number an empty one
            try:
                found[f"/{name}"] = StoredArray(tuple(item.shape), item.dtype)
            except TypeError:  # a kind of number that numpy has no word for
                return

    file.visititems(look)
    return found


def resolve_link(file: Any, name: str) -> dict[str, StoredArray]:
    """What a link of that name points to; links are not looked at unless asked for."""
    item = file.get(name)
    return (
        {name: StoredArray(tuple(item.shape), item.dtype)} if getattr(item, "shape", None) else {}
    )


def dataset_reader(
    path: Path, dataset: Any, inside: str, label: str, names: tuple[str, ...] | None = None
) -> ChunkedReader:
    """`inside`: the name it was found by, which that of what a link points to need not be."""
    return ChunkedReader(
        path=path,
        label=label,
        shape=tuple(dataset.shape),
        stored=dataset.dtype,
        rectangle=None if dataset.chunks is None else tuple(dataset.chunks),
        stored_bytes=max(1, dataset.id.get_storage_size()),
        opened=partial(open_hdf5, path, inside),
        names=names,
    )
