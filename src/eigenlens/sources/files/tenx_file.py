"""10x Genomics' `.h5`: counts of genes × cells stored cell by cell, so read as rows of cells.

matrix/{data, indices, indptr, shape, barcodes, features/{id, name}}     Cell Ranger 3 and later
GENOME/{data, indices, indptr, shape, barcodes, genes, gene_names}       before
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from eigenlens.errors import FileError
from eigenlens.sources.files.anndata_file import SparseGroupReader, bytes_stored, decode_texts
from eigenlens.sources.files.choose_array import label_of_array
from eigenlens.sources.files.hdf5_file import open_hdf5
from eigenlens.sources.files.tenx_names import tell_genes_apart

__all__ = ["find_counts", "reader_of_counts"]

PARTS = ("data", "indices", "indptr", "shape", "barcodes")
KIND = "a 10x file"


def find_counts(file: Any, inside: str | None) -> list[str]:
    """Groups laid out as 10x does, the one asked for or all at the root."""
    names = list(file) if inside is None else [inside.strip("/")]
    return [name for name in names if is_counts(file.get(name))]


def is_counts(group: Any) -> bool:
    return hasattr(group, "keys") and all(part in group for part in PARTS)


def reader_of_counts(path: Path, file: Any, names: list[str], inside: str | None) -> Any:
    if len(names) > 1:
        raise FileError.which_one(path, names)
    group = file[names[0]]
    genes, cells = (int(size) for size in group["shape"][:])
    label = label_of_array(path, inside)
    if "features" in group:
        known = group["features/id"], group["features/name"]
    elif "gene_names" in group:
        known = group["genes"], group["gene_names"]
    else:
        raise FileError.damaged(label, KIND, "it does not name its genes")
    size = sum(bytes_stored(group[part]) for part in PARTS[:3])
    return SparseGroupReader(
        path=path,
        group=names[0],
        label=label,
        shape=(cells, genes),
        stored=group["data"].dtype,
        stored_bytes=max(1, size),
        names=tell_genes_apart(*(decode_texts(part[:]) for part in known)),
        opened=open_hdf5,
    )
