"""Open arrays of h5py and zarr: streamed like their files, whole rectangles at a time.

They are read through the object itself, so that a file that is open for writing stays with whoever
opened it.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.sources.files.choose_array import StoredArray, refuse_unreadable
from eigenlens.sources.files.chunked import ChunkedReader
from eigenlens.sources.files.contents import pick_readable
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.protocol import Columns

__all__ = ["OpenArrayReader", "accepts", "source_from"]


@dataclass(frozen=True, eq=False)
class OpenArrayReader(ChunkedReader):
    """`path` is None: what is read is an object, and it may have no file."""

    def fingerprint(self) -> str:
        return f"{self.label} {self.shape} {self.stored} {self.rectangle}"


def accepts(data: object) -> bool:
    h5py, zarr = sys.modules.get("h5py"), sys.modules.get("zarr")
    return (h5py is not None and isinstance(data, h5py.Dataset)) or (
        zarr is not None and isinstance(data, zarr.Array)
    )


def source_from(data: Any, columns: Columns | None) -> StoredSource:
    file = getattr(getattr(data, "file", None), "filename", None) or getattr(data, "store", "")
    label = f"{file}::{data.name}"
    stored = np.dtype(data.dtype)
    refuse_unreadable(label, StoredArray(tuple(data.shape), stored))
    identity = getattr(data, "id", None)
    size = identity.get_storage_size() if identity is not None else data.nbytes_stored()
    reader = OpenArrayReader(
        path=None,  # type: ignore[arg-type]
        label=label,
        shape=tuple(data.shape),
        stored=stored,
        rectangle=None if data.chunks is None else tuple(data.chunks),
        stored_bytes=max(1, int(size)),
        opened=lambda: nullcontext(data),
    )
    chosen = not isinstance(columns, slice | None)
    return StoredSource(reader, pick_readable(reader, columns), reader.fingerprint(), {}, chosen)
