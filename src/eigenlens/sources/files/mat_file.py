"""MATLAB's `.mat`: a matrix of numbers, `data.mat::name` where there are several.

Version 7.3 is HDF5, older ones are read by scipy; sparse matrices too.

Cost     read whole when opened, and served from memory: MATLAB stores columns one after the other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import FileError
from eigenlens.sources.files.choose_array import StoredArray, choose_array, label_of_array
from eigenlens.sources.files.hdf5_file import datasets_in, open_hdf5
from eigenlens.sources.files.in_memory import HeldReader, held_sparse

__all__ = ["ENDINGS", "reader_of"]

ENDINGS = (".mat",)
KIND = "a MATLAB file"
HDF5_MAGIC, HDF5_OFFSET = b"\x89HDF", 512  # MATLAB writes 512 bytes of its own before it


def reader_of(path: Path, inside: str | None) -> HeldReader:
    with path.open("rb") as file:
        file.seek(HDF5_OFFSET)
        newer = file.read(len(HDF5_MAGIC)) == HDF5_MAGIC
    asked = None if inside is None else inside.strip("/")
    arrays = newer_arrays(path) if newer else older_arrays(path)
    found = {name: StoredArray(tuple(each.shape), each.dtype) for name, each in arrays.items()}
    name = choose_array(path, KIND, found, asked)
    label, table = label_of_array(path, asked), arrays[name]
    if isinstance(table, np.ndarray):
        return HeldReader(path, label, table, max(1, table.nbytes))
    return held_sparse(path, label, table, max(1, table.data.nbytes))


def older_arrays(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat

    try:
        held = loadmat(path)
    except (ValueError, TypeError, OSError, NotImplementedError, IndexError) as error:
        raise FileError.damaged(path, KIND, error) from error
    return {
        name: each
        for name, each in held.items()
        if not name.startswith("__") and hasattr(each, "shape") and hasattr(each, "dtype")
    }


def newer_arrays(path: Path) -> dict[str, Any]:
    """Turned: HDF5 counts the dimensions from the other end."""
    with open_hdf5(path) as file:
        names = [
            name
            for name, each in datasets_in(file).items()
            if each.is_table and not name.startswith("/#")
        ]
        return {name.strip("/"): np.asarray(file[name][()]).T for name in names}
