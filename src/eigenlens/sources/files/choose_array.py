"""Tables inside a file: which of them is meant, and whether it is one we read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import DataError, FileError, UnsupportedData
from eigenlens.errors.phrasing import list_words

__all__ = ["StoredArray", "choose_array", "label_of_array", "refuse_unreadable"]


@dataclass(frozen=True)
class StoredArray:
    """An array inside a file, of any shape and kind."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def is_table(self) -> bool:
        return len(self.shape) == 2 and self.dtype.names is None and self.dtype.kind in "biuf"


def label_of_array(path: Path, inside: str | None) -> str:
    return str(path) if inside is None else f"{path}::{inside}"


def refuse_unreadable(label: str, found: StoredArray) -> None:
    """An error for everything but two dimensions of real numbers."""
    if found.dtype.names is not None:
        raise UnsupportedData.structured(found.dtype.names)
    if found.dtype.kind == "c":
        raise UnsupportedData.complex_numbers(found.dtype)
    if found.dtype.kind not in "biuf":
        raise UnsupportedData.not_numeric({label: str(found.dtype)})
    if len(found.shape) != 2:
        raise DataError.not_two_dimensional(found.shape)


def choose_array(
    path: Path, kind: str, arrays: Mapping[str, StoredArray], inside: str | None
) -> str:
    """The name of the table asked for, or of the only one there is."""
    tables = [name for name, found in arrays.items() if found.is_table]
    if inside is not None:
        if inside not in arrays:
            raise FileError.not_inside(path, inside, tables or list(arrays))
        refuse_unreadable(label_of_array(path, inside), arrays[inside])
        return inside
    if len(tables) > 1:
        raise FileError.which_one(path, tables)
    if tables:
        return tables[0]
    for name, found in list(arrays.items())[: 1 if len(arrays) == 1 else 0]:
        refuse_unreadable(label_of_array(path, name), found)
    shapes = [f"{name} {found.shape} {found.dtype}" for name, found in arrays.items()]
    reason = f"no array in it has two dimensions of numbers ({list_words(shapes, 5, quote=False)})"
    raise FileError.damaged(path, kind, reason if shapes else "there is no array in it")
