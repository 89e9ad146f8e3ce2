"""Paths: one file, a glob, a list of files or a folder of them, by the ending of their names.

    "rows.npy"   "more/*.parquet"   ["a.csv", "b.csv.gz"]   "store.h5::/group/data"

Several files are one table, one below the other: all must have the same columns.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from eigenlens.errors import FileError
from eigenlens.sources import (
    anndata_file,
    arrow_file,
    csv_file,
    hdf5_file,
    matrix_market,
    npy_file,
    npz_file,
    parquet_file,
    zarr_store,
)
from eigenlens.sources.columns import picked_columns, repeated
from eigenlens.sources.joined import joined
from eigenlens.sources.protocol import Columns, Source
from eigenlens.sources.stored import Reader, StoredSource

__all__ = ["KINDS_OF_FILE", "accepts", "source_from"]

# Each has ENDINGS, and `reader_of(path, inside)` which opens the file, looks, and closes it again.
KINDS_OF_FILE: tuple[ModuleType, ...] = (
    npy_file,
    npz_file,
    csv_file,
    parquet_file,
    arrow_file,
    hdf5_file,
    anndata_file,
    zarr_store,
    matrix_market,
)
INSIDE = "::"  # between a path and the name of a table inside it


def accepts(data: object) -> bool:
    if isinstance(data, list | tuple):
        return bool(data) and all(isinstance(part, str | os.PathLike) for part in data)
    return isinstance(data, str | os.PathLike)


def source_from(data: Any, columns: Columns | None) -> Source:
    readers = [reader for given in paths_in(data) for reader in readers_at(given)]
    reader = joined(readers, by_name=columns is not None)
    if reader.shape[0] == 0:
        raise FileError.empty(reader.label)
    labels: Sequence[object] = reader.names or range(reader.shape[1])
    twice = repeated(list(labels))
    if twice:
        raise FileError.duplicate_names(twice)
    refuse_left_out(columns, reader)
    return StoredSource(reader, picked_columns(columns, labels), reader.fingerprint())


def paths_in(data: Any) -> list[str]:
    given = [data] if isinstance(data, str | os.PathLike) else list(data)
    return [os.fspath(part) for part in given]


def readers_at(given: str) -> list[Reader]:
    """The tables that one path, pattern or folder stands for."""
    name, _, inside = given.partition(INSIDE)
    path = Path(name).expanduser()
    if path.exists():
        if path.is_dir() and not is_store(path):
            return [reader_at(part, inside) for part in files_in(path)]
        return [reader_at(path, inside)]
    if not glob.has_magic(name):
        raise FileError.missing(name)
    found = sorted(Path(part) for part in glob.glob(str(path), recursive=True))
    if not found:
        raise FileError.nothing_matches(name)
    return [reader_at(part, inside) for part in found]


def reader_at(path: Path, inside: str) -> Reader:
    kind = kind_of(path)
    if not os.access(path, os.R_OK):
        raise FileError.no_permission(path)
    if path.is_file() and path.stat().st_size == 0:
        raise FileError.empty(path)
    reader: Reader = kind.reader_of(path, inside or None)
    return reader


def kind_of(path: Path) -> ModuleType:
    name = path.name.lower()
    for kind in KINDS_OF_FILE:
        if name.endswith(kind.ENDINGS):
            return kind
    raise FileError.unknown_kind(path, [end for kind in KINDS_OF_FILE for end in kind.ENDINGS])


def is_store(path: Path) -> bool:
    """Zarr arrays are folders, but one table."""
    return path.name.lower().endswith(zarr_store.ENDINGS)


def files_in(folder: Path) -> list[Path]:
    """The tables in a folder and the folders below it, in order; hidden ones are not looked at."""
    endings = tuple(end for kind in KINDS_OF_FILE for end in kind.ENDINGS)
    found = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.name.lower().endswith(endings)
        and not any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    ]
    if not found:
        raise FileError.nothing_matches(folder / "**")
    return found


def refuse_left_out(columns: Columns | None, reader: Reader) -> None:
    """A text column may be left out in silence only by whoever did not ask for it."""
    if columns is None or isinstance(columns, slice | str | bytes):
        return
    asked = [name for name in columns if isinstance(name, str) and name in reader.left_out]
    if asked:
        first_text = getattr(reader, "first_text", None)
        value = first_text(asked[0]) if first_text is not None else "text"
        raise FileError.not_a_number(reader.label, asked[0], value)
