"""AnnData's files: `X`, or what is asked for: `cells.h5ad::layers/counts`, `cells.zarr::raw/X`.

Columns are named by the index of `var`. Old files too: tables of records, and sparse groups marked
by `h5sparse_format`. Stores of Zarr have the same layout, and come here from `zarr_store.py`.

Cost     dense: as any HDF5 dataset. CSR: its entries are read row after row and never made dense;
         `indptr` is read whole at every pass.
Traps    a CSC matrix cannot be read by rows: it is read whole when it is opened, still sparse, and
         served from memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from eigenlens.errors import FileError
from eigenlens.sources.block import block_dtype
from eigenlens.sources.columns import Picked
from eigenlens.sources.files.choose_array import StoredArray, label_of_array, refuse_unreadable
from eigenlens.sources.files.csr_rows import StoredCsr, count_stored_entries, csr_chunks
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.files.hdf5_file import dataset_reader, datasets_in, open_hdf5
from eigenlens.sources.files.in_memory import held_sparse
from eigenlens.sources.files.stored import Reader
from eigenlens.sources.protocol import Block

__all__ = ["ENDINGS", "SparseGroupReader", "decode_texts", "matrix_reader", "reader_of"]

ENDINGS = (".h5ad",)
KIND = "an AnnData file"
PARTS = ("data", "indices", "indptr")
Names: TypeAlias = tuple[str, ...] | None
Opener: TypeAlias = Callable[[Path, str], AbstractContextManager[Any]]
DenseReader: TypeAlias = Callable[[Path, Any, str, str, Names], Reader]


@dataclass(frozen=True, eq=False)
class SparseGroupReader:
    """A CSR matrix in a group of three datasets."""

    path: Path
    group: str
    label: str
    shape: tuple[int, int]
    stored: np.dtype[Any]
    stored_bytes: int
    names: Names
    opened: Opener

    is_sparse = True
    by_columns = False
    starts = None
    left_out = ()

    @property
    def dtype(self) -> np.dtype[Any]:
        return block_dtype(self.stored)

    def fingerprint(self) -> str:
        return f"{stamp_of(self.path, self.label)} {self.shape} {self.stored}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        with self.opened(self.path, self.group) as group:
            values, indices = group["data"], group["indices"]

            def entries(start: int, stop: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
                return values[start:stop], indices[start:stop]

            matrix = stored_csr(group, self.label, self.shape)
            yield from csr_chunks(matrix, entries, columns, start, rows)


def reader_of(path: Path, inside: str | None) -> Reader:
    with open_hdf5(path) as file:
        return matrix_reader(path, file, inside, open_hdf5, dataset_reader)


def matrix_reader(
    path: Path, file: Any, inside: str | None, opened: Opener, dense_reader: DenseReader
) -> Reader:
    """`opened`: what opens a group of such a file; `dense_reader`: what reads an array of it."""
    name = (inside or "X").strip("/")
    item = file.get(name)
    layout = None if item is None else sparse_layout(item)
    if layout is None and not hasattr(item, "dtype"):
        raise FileError.not_inside(path, name, list_tables(file))
    label = label_of_array(path, inside)
    shape = tuple(item.shape) if layout is None else sparse_shape(item, label)
    stored = item.dtype if layout is None else item["data"].dtype
    refuse_unreadable(label, StoredArray(shape, stored))
    shape = shape[0], shape[1]
    names = column_names_in(file, name, shape[1])
    if layout is None:
        return dense_reader(path, item, name, label, names)
    size = max(1, sum(bytes_stored(item[part]) for part in PARTS))
    if layout == "csr":
        stored_csr(item, label, shape)  # a damaged one is refused before anything is fitted
        return SparseGroupReader(path, name, label, shape, stored, size, names, opened)
    return held_sparse(path, label, csc_matrix(item, label, shape), size, names)


def bytes_stored(array: Any) -> int:
    """In the file, for arrays of h5py and of zarr."""
    return int(array.id.get_storage_size() if hasattr(array, "id") else array.nbytes_stored())


def sparse_layout(item: Any) -> str | None:
    """ "csr", "csc", or None for what is no sparse matrix."""
    mark = item.attrs.get("encoding-type", item.attrs.get("h5sparse_format", ""))
    mark = mark.decode() if isinstance(mark, bytes) else str(mark)
    layout = mark.removesuffix("_matrix")
    return layout if layout in ("csr", "csc") and not hasattr(item, "dtype") else None


def sparse_shape(group: Any, label: str) -> tuple[int, ...]:
    shape = group.attrs.get("shape", group.attrs.get("h5sparse_shape"))
    if shape is None or any(part not in group for part in PARTS):
        raise FileError.damaged(
            label, KIND, "a sparse matrix needs data, indices, indptr and shape"
        )
    return tuple(int(size) for size in shape)


def stored_csr(group: Any, label: str, shape: tuple[int, int]) -> StoredCsr:
    values, indices = (StoredArray(group[part].shape, group[part].dtype) for part in PARTS[:2])
    stored = count_stored_entries(label, values, indices)
    return StoredCsr(label, shape, group["indptr"][:].astype(np.int64), stored)


def csc_matrix(group: Any, label: str, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csc_array

    try:
        return csc_array(tuple(group[part][:] for part in PARTS), shape=shape)
    except ValueError as error:
        raise FileError.damaged(label, "a sparse matrix", error) from error


def list_tables(file: Any) -> list[str]:
    """What could be asked for, dense and sparse."""
    if not hasattr(file, "visititems"):  # a group of zarr, which may hold kinds it cannot list
        layers = file.get("layers")
        names = ["X", *(f"layers/{name}" for name in (() if layers is None else layers.keys()))]
        return [name for name in names if is_table(file.get(name))]
    dense = [name[1:] for name, found in datasets_in(file).items() if found.is_table]
    sparse: list[str] = []
    file.visititems(lambda name, item: sparse.append(name) if sparse_layout(item) else None)
    return dense + sparse


def is_table(item: Any) -> bool:
    return len(getattr(item, "shape", ())) == 2 or sparse_layout(item) is not None


# -- names ---------------------------------------------------------------------------------


def column_names_in(file: Any, name: str, columns: int) -> Names:
    """The index of the table that describes the columns, where there is one of that length."""
    place = {"raw": "raw/var", "raw.X": "raw.var", "X": "var", "layers": "var"}
    variables = file.get(place.get(name.split("/")[0], "nothing of that name"))
    if variables is None:
        return None
    found = record_index(variables) if hasattr(variables, "dtype") else group_index(variables)
    return found if found is not None and len(found) == columns else None


def record_index(records: Any) -> Names:
    fields = records.dtype.names or ()
    index = next((field for field in ("_index", "index") if field in fields), None)
    return None if index is None else decode_texts(records[index])


def group_index(group: Any) -> Names:
    mark = group.attrs.get("_index", "_index")
    index = group.get(mark.decode() if isinstance(mark, bytes) else mark)
    if index is not None and not hasattr(index, "dtype"):
        index = index.get("values")  # texts that may be missing are a group with a mask
    return None if index is None else decode_texts(index[:])


def decode_texts(values: npt.NDArray[Any]) -> tuple[str, ...]:
    return tuple(
        value.decode() if isinstance(value, bytes) else str(value) for value in values.tolist()
    )
