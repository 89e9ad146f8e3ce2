"""Paths: one file, a glob, a list of files or a folder of them, by the ending of their names.

    "rows.npy"   "more/*.parquet"   ["a.csv", "b.csv.gz"]   "store.h5::/group/data"

Several files are one table, one below the other: all must have the same columns. What folders say
by their names (`year=2024/part.parquet`) is in no file, and is left out and said so.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from eigenlens.errors import FileError, OptionError
from eigenlens.errors.fields import FieldError
from eigenlens.errors.phrasing import SetOption
from eigenlens.errors.system import os_errors
from eigenlens.sources.columns import repeated_labels
from eigenlens.sources.files import (
    anndata_file,
    arrow_file,
    csv_file,
    hdf5_file,
    mat_file,
    matrix_market,
    npy_file,
    npz_file,
    parquet_file,
    plink_file,
    zarr_store,
)
from eigenlens.sources.files.address import fetch_places, is_address, is_address_object
from eigenlens.sources.files.contents import contents_of, pick_readable
from eigenlens.sources.files.fetched import is_partly_fetched
from eigenlens.sources.files.joined import join_readers, text_in
from eigenlens.sources.files.resolve_paths import Place, resolve_paths
from eigenlens.sources.files.stored import Reader, StoredSource
from eigenlens.sources.files.text_format import AS_FOUND, TextFormat
from eigenlens.sources.protocol import Columns

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
    plink_file,
    mat_file,
)
ENDINGS = tuple(end for kind in KINDS_OF_FILE for end in kind.ENDINGS)
IN_A_FOLDER = "the folders are named by it; it is in no file"

Paths = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def accepts(data: object) -> bool:
    if isinstance(data, list | tuple):
        return bool(data) and all(is_path(part) for part in data)
    return is_path(data)


def is_path(part: object) -> bool:
    return isinstance(part, str | bytes | os.PathLike) or is_address_object(part)


def source_from(
    data: Any,
    columns: Columns | None,
    said: TextFormat = AS_FOUND,
    texts: bool = False,
) -> StoredSource:
    """`texts`: columns of text will be read too, so that none need be numbers."""
    places = [place for given in parts_of(data) for place in places_in(given)]
    readers = [reader_at(place, said) for place in places]
    if not texts:
        for one in readers:
            refuse_without_numbers(one)
    side_by_side = plink_file.join_variants(readers)
    reader = side_by_side or join_readers(readers, by_name=columns is not None)
    if reader.shape[0] == 0:
        raise FileError.no_rows(reader.label)
    refuse_repeated(reader)
    keys = dict.fromkeys((key for place in places for key in place.keys), IN_A_FOLDER)
    elsewhere = {key: why for key, why in keys.items() if key not in contents_of(reader).names}
    refuse_elsewhere(columns, elsewhere, reader)
    picked, chosen = pick_readable(reader, columns), not isinstance(columns, slice | None)
    return StoredSource(reader, picked, reader.fingerprint(), elsewhere, chosen)


def parts_of(data: Any) -> list[Any]:
    return list(data) if isinstance(data, list | tuple) else [data]


def places_in(given: Any) -> list[Place]:
    if is_address(given):
        return fetch_places(given, zarr_store.ENDINGS)
    path = os.fsdecode(given).removeprefix("file://")
    return resolve_paths(path, ENDINGS, zarr_store.ENDINGS)


def reader_at(place: Place, said: TextFormat) -> Reader:
    path = place.path
    kind = kind_of(path)
    with os_errors(path, "read"):
        facts = path.stat()
        if not is_partly_fetched(path) and not os.access(path, os.R_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    if not stat.S_ISREG(facts.st_mode) and not stat.S_ISDIR(facts.st_mode):
        raise FileError.not_a_file(path)
    if stat.S_ISREG(facts.st_mode) and facts.st_size == 0:
        raise FileError.empty(path)
    if kind is csv_file:
        return csv_file.reader_of(path, place.inside, said)
    for name, value in said.asked.items():
        raise OptionError.needs(
            SetOption(name, value),
            f"CSV or TSV files, and {str(path)!r} is not one",
            "omit it: other kinds of files hold numbers, and the names of their columns",
        )
    found: Reader = kind.reader_of(path, place.inside)
    return found


def kind_of(path: Path) -> ModuleType:
    name = path.name.lower()
    for kind in KINDS_OF_FILE:
        if name.endswith(kind.ENDINGS):
            return kind
    raise FileError.unknown_kind(path, ENDINGS)


def refuse_without_numbers(reader: Reader) -> None:
    contents = contents_of(reader)
    if not set(contents.numbers) - set(contents.aside) and contents.others:
        name = contents.names[min(contents.others)]
        if min(contents.others) in contents.nested:
            raise FieldError.uneven_lists(reader.label, name)
        raise FileError.no_numbers(reader.label, name, text_in(reader, name))


def refuse_repeated(reader: Reader) -> None:
    contents = contents_of(reader)
    labels: Sequence[object] = () if reader.names is None else reader.names
    unless_asked = {contents.names[place] for place in contents.aside}
    twice = repeated_labels([label for label in labels if label not in unless_asked])
    if twice:
        raise FileError.duplicate_names(twice)


def refuse_elsewhere(columns: Any, elsewhere: Mapping[str, str], reader: Reader) -> None:
    if columns is None or isinstance(columns, slice | str | bytes):
        return
    for name in columns:
        if isinstance(name, str) and name in elsewhere:
            raise FileError.in_folder_names(reader.label, name)
