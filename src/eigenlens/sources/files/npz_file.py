"""`.npz`: a zip of arrays, as numpy.savez and scipy.sparse.save_npz write it.

Cost     savez: that of a `.npy`. savez_compressed: unpacking, row after row, from the first row on
         however few are asked for. save_npz of a CSR matrix: values and column indices are unpacked
         side by side, `indptr` is held.
Traps    compressed F-ordered arrays, and sparse matrices of other formats than CSR, cannot be read
         by rows: they are read whole when they are opened and served from memory. Arrays of objects
         are refused, for to read them is to run what is in them.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from eigenlens.errors import DataError, FileError
from eigenlens.errors.system import os_error_at
from eigenlens.sources.block import block_dtype, spans
from eigenlens.sources.columns import Picked
from eigenlens.sources.files.choose_array import (
    StoredArray,
    choose_array,
    label_of_array,
    refuse_unreadable,
)
from eigenlens.sources.files.csr_rows import StoredCsr, count_stored_entries, csr_chunks
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.files.in_memory import HeldReader, held_sparse
from eigenlens.sources.files.npy_file import (
    NpyLayout,
    NpyReader,
    layout_in,
    next_rows,
    read_exactly,
    refuse_cut_off,
)
from eigenlens.sources.files.stored import Reader
from eigenlens.sources.protocol import Block

__all__ = ["ENDINGS", "PackedReader", "SparseReader", "reader_of"]

ENDINGS = (".npz",)
KIND = "a .npz file"
SPOILED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, struct.error)


@dataclass(frozen=True, eq=False)
class PackedReader:
    """A compressed array in C order."""

    path: Path
    label: str
    member: str
    layout: NpyLayout
    stored_bytes: int

    names = None
    is_sparse = False
    by_columns = False
    starts = (0,)
    left_out = ()

    @property
    def shape(self) -> tuple[int, int]:
        return self.layout.shape[0], self.layout.shape[1]

    @property
    def dtype(self) -> np.dtype[Any]:
        return block_dtype(self.layout.dtype)

    def fingerprint(self) -> str:
        return f"{stamp_of(self.path, self.label)} {self.layout}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        with open_zip(self.path) as zipped, zipped.open(self.member) as stream:
            stream.seek(self.layout.offset + start * self.layout.row_bytes)
            for span in spans(self.shape[0] - start, rows, "rows"):
                count = span.stop - span.start
                yield next_rows(stream, self.layout, columns, count, self.label)


@dataclass(frozen=True, eq=False)
class SparseReader:
    """A CSR matrix."""

    path: Path
    label: str
    matrix: StoredCsr
    values: NpyLayout
    indices: NpyLayout
    stored_bytes: int

    names = None
    is_sparse = True
    by_columns = False
    starts = (0,)
    left_out = ()

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrix.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return block_dtype(self.values.dtype)

    def fingerprint(self) -> str:
        return f"{stamp_of(self.path, self.label)} {self.shape} {self.values} {self.indices}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        first = int(self.matrix.offsets[start])
        with (
            open_zip(self.path) as zipped,
            zipped.open("data.npy") as values,
            zipped.open("indices.npy") as indices,
        ):
            values.seek(self.values.offset + first * self.values.dtype.itemsize)
            indices.seek(self.indices.offset + first * self.indices.dtype.itemsize)

            def entries(start: int, stop: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
                count = stop - start
                return (
                    self.taken(values, self.values, count),
                    self.taken(indices, self.indices, count),
                )

            yield from csr_chunks(self.matrix, entries, columns, start, rows)

    def taken(self, stream: IO[bytes], layout: NpyLayout, count: int) -> npt.NDArray[Any]:
        numbers = np.empty(count, layout.dtype)
        read_exactly(stream, numbers, self.label)
        return numbers


def reader_of(path: Path, inside: str | None) -> Reader:
    with open_zip(path) as zipped:
        layouts = {
            name.removesuffix(".npy"): layout_of_member(zipped, name, path)
            for name in zipped.namelist()
            if name.endswith(".npy")
        }
        if inside is None and is_sparse(layouts):
            return sparse_reader(path, zipped, layouts)
        found = {name: layout.found for name, layout in layouts.items()}
        asked = None if inside is None else inside.removesuffix(".npy")
        name = choose_array(path, KIND, found, asked)
        return dense_reader(path, zipped, name, layouts[name], asked)


@contextmanager
def open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as zipped:
            yield zipped
    except SPOILED as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise os_error_at(path, "read", error) from error
        raise FileError.damaged(path, KIND, error) from error


def layout_of_member(zipped: zipfile.ZipFile, name: str, path: Path) -> NpyLayout:
    label = label_of_array(path, name.removesuffix(".npy"))
    with zipped.open(name) as stream:
        layout = layout_in(stream, label, KIND)
    if layout.dtype.kind in "biufcSU":
        refuse_cut_off(label, KIND, layout, zipped.getinfo(name).file_size)
    return layout


def dense_reader(
    path: Path, zipped: zipfile.ZipFile, name: str, layout: NpyLayout, asked: str | None
) -> Reader:
    label, info = label_of_array(path, asked), zipped.getinfo(f"{name}.npy")
    if info.compress_type == zipfile.ZIP_STORED:
        return NpyReader(
            path, label, replace(layout, offset=layout.offset + member_offset(path, info))
        )
    if layout.fortran:
        return HeldReader(path, label, read_member(zipped, name), info.compress_size)
    return PackedReader(path, label, info.filename, layout, info.compress_size)


def member_offset(path: Path, info: zipfile.ZipInfo) -> int:
    """Where in the zip the bytes of an uncompressed file begin."""
    with open(path, "rb") as file:
        file.seek(info.header_offset + 26)  # there stand the lengths of the name and the extras
        name, extras = struct.unpack("<HH", file.read(4))
    return int(info.header_offset + 30 + name + extras)


def read_member(zipped: zipfile.ZipFile, name: str) -> npt.NDArray[Any]:
    with zipped.open(f"{name}.npy") as stream:
        return np.asarray(np.lib.format.read_array(stream, allow_pickle=False))


def is_sparse(layouts: dict[str, NpyLayout]) -> bool:
    """Whether save_npz wrote it: every such file says its format in a word, and its shape."""
    if not layouts.keys() >= {"format", "shape", "data"}:
        return False
    word, shape = layouts["format"], layouts["shape"]
    return not word.shape and word.dtype.kind in "SU" and shape.dtype.kind in "iu"


def sparse_reader(path: Path, zipped: zipfile.ZipFile, layouts: dict[str, NpyLayout]) -> Reader:
    label = str(path)
    shape = tuple(read_member(zipped, "shape").tolist())
    if len(shape) != 2:
        raise DataError.not_two_dimensional(shape)
    refuse_unreadable(label, StoredArray(shape, layouts["data"].dtype))
    size = sum(info.compress_size for info in zipped.infolist())
    known = layouts.keys() >= {"indices", "indptr"}
    if not known or read_member(zipped, "format").item() not in (b"csr", "csr"):
        return held_sparse(path, label, load_sparse(path), size)
    values, indices = layouts["data"], layouts["indices"]
    stored = count_stored_entries(label, values.found, indices.found)
    matrix = StoredCsr(label, shape, read_member(zipped, "indptr").astype(np.int64), stored)
    return SparseReader(path, label, matrix, values, indices, size)


def load_sparse(path: Path) -> Any:
    from scipy.sparse import load_npz

    try:
        return load_npz(path)
    except (ValueError, KeyError, NotImplementedError) as error:
        raise FileError.damaged(path, "a sparse matrix", error) from error
