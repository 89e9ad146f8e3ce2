"""AnnData objects: cells × genes in `X`, a layer or a table of `obsm`, with the names of the genes.

| the matrix                        | is read                                                     |
|-----------------------------------|-------------------------------------------------------------|
| in memory, dense or sparse        | where it lies                                               |
| backed (`read_h5ad(backed="r")`)  | from its file, block by block; a view in order too          |
| lazy (`experimental.read_lazy`)   | as the Dask array it is                                     |

Genes are chosen as scanpy does: by `mask_var`, a column of `var` or one truth value per gene; by
default `var["highly_variable"]`, if there is one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from eigenlens.errors import FieldError
from eigenlens.sources.array import ArraySource
from eigenlens.sources.columns import Picked, pick_columns, side_by_side
from eigenlens.sources.dask.rows import DistributedSource
from eigenlens.sources.files import anndata_file
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.protocol import Columns, Source
from eigenlens.sources.some_rows import SomeRows
from eigenlens.sources.sparse import SparseSource

__all__ = ["HIGHLY_VARIABLE", "GeneMask", "chosen_genes", "is_anndata", "matrix_of", "names_along"]

HIGHLY_VARIABLE: Literal["default"] = "default"
GeneMask: TypeAlias = str | npt.ArrayLike | None
DEFAULT_COLUMN = "highly_variable"
ROWS_AT_ONCE = 4096


@dataclass(frozen=True)
class CellMatrix:
    """A matrix of an AnnData, with the names of its columns."""

    held: Any
    names: tuple[str, ...]


def is_anndata(data: object) -> bool:
    anndata = sys.modules.get("anndata")
    return anndata is not None and isinstance(data, anndata.AnnData)


def matrix_of(adata: Any, layer: str | None, obsm: str | None) -> CellMatrix:
    """What `layer` or `obsm` name, else X; a backed one as a source of its file."""
    if layer is not None and obsm is not None:
        raise FieldError.bad_mask("layer and obsm", "both given", "one of them")
    if obsm is not None:
        return table_of(adata, obsm)
    names = tuple(map(str, adata.var_names))
    if layer is not None:
        if layer not in adata.layers:
            raise FieldError.not_in_anndata("layer", layer, list(adata.layers))
        return CellMatrix(adata.layers[layer], names)
    if adata.isbacked:
        return CellMatrix(backed_matrix(adata), names)
    if adata.X is None:
        raise FieldError.without_matrix(list(adata.layers), list(adata.obsm))
    return CellMatrix(adata.X, names)


def table_of(adata: Any, obsm: str) -> CellMatrix:
    if obsm not in adata.obsm:
        raise FieldError.not_in_anndata("obsm", obsm, list(adata.obsm))
    held = adata.obsm[obsm]
    columns = getattr(held, "columns", None)
    width = held.shape[1]
    names = [f"{obsm}[{place}]" for place in range(width)] if columns is None else columns
    plain = held.to_numpy() if columns is not None else held
    return CellMatrix(plain, tuple(map(str, names)))


def backed_matrix(adata: Any) -> Any:
    """X of the file; a view whose cells are not in the order of the file is read into memory."""
    reader = anndata_file.reader_of(Path(adata.filename), None)
    source = StoredSource(reader, slice(0, reader.shape[1]), reader.fingerprint())
    if not adata.is_view:
        return source
    cells = np.arange(reader.shape[0])[adata._oidx]
    genes = np.arange(reader.shape[1])[adata._vidx]
    kept = np.zeros(reader.shape[0], dtype=bool)
    kept[cells] = True
    some = SomeRows(replace(source, picked=side_by_side(genes)), kept)
    if np.all(np.diff(cells) > 0):
        return some
    return stack_blocks(some)[np.searchsorted(some.places, cells)]


def stack_blocks(source: Source) -> Any:
    """All rows in memory, sparse ones as they are."""
    blocks = list(source.blocks(ROWS_AT_ONCE))
    if not source.is_sparse:
        return np.concatenate(blocks)
    from scipy.sparse import vstack

    return vstack(blocks, format="csr")


def chosen_genes(adata: Any, mask: GeneMask, obsm: str | None) -> npt.NDArray[np.bool_] | None:
    """One truth value per gene, or None for all of them."""
    if obsm is not None:
        if mask is not None and not is_default(mask):
            raise FieldError.bad_mask("mask_var", "given", "X or a layer, and not obsm")
        return None
    if is_default(mask):
        mask = DEFAULT_COLUMN if DEFAULT_COLUMN in adata.var.columns else None
    if mask is None:
        return None
    if isinstance(mask, str):
        if mask not in adata.var.columns:
            raise FieldError.not_in_anndata("mask_var", mask, list(adata.var.columns))
        mask = adata.var[mask]
    found = np.asarray(mask)
    if found.dtype == object:
        found = found.astype(bool)
    if found.dtype != bool or found.shape != (adata.n_vars,):
        given = f"an array of {found.dtype} of shape {found.shape}"
        raise FieldError.bad_mask("mask_var", given, f"{adata.n_vars} truth values, one per gene")
    if not found.any():
        raise FieldError.nothing_kept("mask_var", f"{adata.n_vars} genes")
    return found


def is_default(mask: Any) -> bool:
    return isinstance(mask, str) and mask == HIGHLY_VARIABLE


def names_along(source: Source, names: Sequence[str], picked: Picked) -> Source:
    """The source with names, where it is of a kind that can have any."""
    chosen = tuple(np.array(names, dtype=object)[picked].tolist())
    if isinstance(source, ArraySource | SparseSource | DistributedSource):
        return replace(source, names=chosen)
    return source


def genes_picked(
    names: Sequence[str], mask: npt.NDArray[np.bool_] | None, columns: Columns | None
) -> Picked:
    """Positions of the genes asked for, by mask or by name."""
    if columns is not None:
        return pick_columns(columns, list(names))
    return side_by_side(np.flatnonzero(mask)) if mask is not None else slice(0, len(names))
