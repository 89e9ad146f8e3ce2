"""Single cells: principal components of an AnnData, written where scanpy writes them.

    obsm["X_pca"]     (cells, k)    scores, in float32
    varm["PCs"]       (genes, k)    components, 0 for genes that are masked
    uns["pca"]        variance, variance_ratio, params, certificate

`sc.pl.pca`, `sc.pp.neighbors` and `adata.write_h5ad` go on from there. Backed and lazy objects are
read block by block: X is never in memory as a whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.document.verdict import Verdict
from eigenlens.errors import UnsupportedData
from eigenlens.fit import fit
from eigenlens.model.rows import match_columns, project_rows
from eigenlens.model.subspace import Subspace
from eigenlens.sources.annotated import (
    HIGHLY_VARIABLE,
    GeneMask,
    chosen_genes,
    is_anndata,
    matrix_of,
)
from eigenlens.sources.reading import open_annotated

__all__ = ["pca"]

USUAL_COMPONENTS = 50
CERTIFIED = (
    "kind", "captured_ratio", "reconstruction_error", "eigenvalue_bounds", "angle_bounds",
    "subspace_angle", "suboptimality", "failure_probability", "passes", "bytes_read",
)  # fmt: skip


def pca(
    adata: Any,
    n_comps: int | None = None,
    *,
    layer: str | None = None,
    obsm: str | None = None,
    zero_center: bool = True,
    mask_var: GeneMask = HIGHLY_VARIABLE,
    scale: Any = None,
    dtype: npt.DTypeLike = "float32",
    key_added: str | None = None,
    copy: bool = False,
    **options: Any,
) -> Any:
    """Principal components of cells × genes, in place of `scanpy.pp.pca`.

    Parameters
    ----------
    adata : AnnData, in memory, backed or lazy
    n_comps : how many; by default 50, or one less than cells or genes where those are fewer
    layer, obsm : another matrix than X
    zero_center : False gives the raw second moments
    mask_var : a column of `var` or one truth value per gene; by default "highly_variable" of `var`
        if there is one, and None means all genes
    scale : "std" standardizes the genes, without filling in a sparse X
    dtype : of the scores
    key_added : write to `obsm[key]`, `varm[key]` and `uns[key]` instead
    copy : True writes to a copy and returns it
    options : of `eigenlens.fit`: `solver`, `tolerance`, `memory`, `seed`, ...

    Returns None, or the copy.
    """
    if not is_anndata(adata):
        raise UnsupportedData.unknown_kind(type(adata))
    adata = adata.copy() if copy else adata
    mask = chosen_genes(adata, mask_var, obsm)
    width = matrix_of(adata, layer, obsm).names
    genes = len(width) if mask is None else int(mask.sum())
    least = min(adata.n_obs, genes)
    k = n_comps or (least - 1 if least <= USUAL_COMPONENTS else USUAL_COMPONENTS)
    model = fit(
        adata, k, center=zero_center, scale=scale, layer=layer, obsm=obsm, mask_var=mask, **options
    )
    place, loadings, notes = ("X_pca", "PCs", "pca") if key_added is None else (key_added,) * 3
    source = match_columns(model, open_annotated(adata, None, layer, obsm, mask))
    adata.obsm[place] = project_rows(model, source).astype(dtype)
    if obsm is None:
        whole = components_of_all(model, mask, adata.n_vars)
        adata.varm[loadings] = whole.astype(source.dtype)
    named = name_of_mask(adata, mask_var)
    adata.uns[notes] = {
        "params": {
            "zero_center": zero_center,
            "use_highly_variable": named == "highly_variable",
            "mask_var": named,
            **({} if layer is None else {"layer": layer}),
            **({} if obsm is None else {"obsm": obsm}),
        },
        "variance": model.eigenvalues.copy(),
        "variance_ratio": model.explained_ratio.copy(),
        "certificate": certificate_for_uns(model),
    }
    return adata if copy else None


def components_of_all(model: Subspace, mask: Any, genes: int) -> npt.NDArray[Any]:
    """(genes, k): zeros for those that are masked."""
    if mask is None:
        return np.array(model.components.T)
    whole = np.zeros((genes, model.n_components))
    whole[mask] = model.components.T
    return whole


def name_of_mask(adata: Any, mask: GeneMask) -> str | None:
    """The column of `var` that was used, if it was one."""
    if isinstance(mask, str) and mask == HIGHLY_VARIABLE:
        return "highly_variable" if "highly_variable" in adata.var.columns else None
    return mask if isinstance(mask, str) else None


def certificate_for_uns(model: Subspace) -> dict[str, Any]:
    """Numbers, texts and arrays only: what `write_h5ad` takes."""
    proven = {name: getattr(model.certificate, name) for name in CERTIFIED}
    solver: Verdict = model.choices["solver"]
    held = {
        name: np.array(value) if isinstance(value, np.ndarray) else value
        for name, value in proven.items()
        if value is not None
    }
    return {
        **{
            name: np.array(one) if isinstance(one, np.ndarray) else one
            for name, one in held.items()
        },
        "solver": str(solver.value),
        "sentences": str(model.certificate),
    }
