"""Genotypes in Hardy–Weinberg units: scale="hwe".

    (g - 2p) / sqrt(2p (1-p))        p: the share of the allele counted among the calls observed

A call that is missing counts as the mean, 0 after scaling. Variants without variation, or without
any call, are left out and named. This is the scaling of PLINK 2, flashpca (`binom2`) and PCAone;
older Eigensoft divides by sqrt(p (1-p)).

Cost     one pass to count alleles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import FieldError
from eigenlens.sources.changed_cells import ChangedCells
from eigenlens.sources.files.plink_file import BedReader
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.protocol import FloatArray, IntArray, Source

__all__ = ["HWE", "GenotypeScaling", "count_alleles", "fill_with_means", "scale_genotypes"]

HWE = "hwe"
PANEL_BYTES = 32 << 20
COPIES = (0.0, 1.0, 2.0)
DOUBLE = np.dtype(np.float64)


@dataclass(frozen=True, eq=False)
class FillWithMeans:
    """Missing cells are the means of their columns."""

    means: Float64Array

    mark = "filled with means"
    words = ", missing calls as the mean"
    is_by_column = True

    dtype: np.dtype[Any]  # float32 rounds the means, which have no short form

    def in_dtype(self, stored: np.dtype[Any]) -> np.dtype[Any]:
        return self.dtype

    def change_rows(self, rows: FloatArray, places: slice | IntArray) -> FloatArray:
        return fill_missing(rows, self.means, self.dtype)

    def change_columns(self, panel: FloatArray, columns: slice) -> FloatArray:
        return fill_missing(panel, self.means[columns], self.dtype)

    def in_double(self) -> FillWithMeans | None:
        """The same without rounding, where this one rounds."""
        return replace(self, dtype=DOUBLE) if self.dtype.itemsize < 8 else None


def fill_with_means(
    source: Source, means: Float64Array, dtype: np.dtype[Any] = DOUBLE
) -> ChangedCells:
    return ChangedCells(source, FillWithMeans(means, dtype))


def fill_missing(block: FloatArray, means: Float64Array, dtype: np.dtype[Any]) -> FloatArray:
    holes = np.isnan(block)
    if not holes.any():
        return block.astype(dtype, copy=False)
    filled = block.astype(dtype)  # a copy: a view may be of the user's own memory
    np.copyto(filled, means.astype(dtype), where=holes)
    return filled


@dataclass(frozen=True)
class GenotypeScaling:
    source: Source
    scale: Float64Array
    means: Float64Array


def count_alleles(source: Source) -> tuple[Float64Array, Float64Array]:
    """Copies counted, and calls observed, of every variant."""
    if isinstance(source, StoredSource) and isinstance(source.reader, BedReader):
        return source.reader.count_alleles(source.picked)
    copies, calls = np.zeros(source.shape[1]), np.zeros(source.shape[1])
    first = 0
    for panel in source.panels(max(1, PANEL_BYTES // (8 * source.shape[0]))):
        known = ~np.isnan(panel)
        values = panel[known]
        if not np.isin(values, COPIES).all():
            raise FieldError.not_genotypes("scale='hwe'")
        here = slice(first, first + panel.shape[1])
        copies[here] = np.where(known, panel, 0).sum(axis=0, dtype=np.float64)
        calls[here] = known.sum(axis=0)
        first += panel.shape[1]
    return copies, calls


def scale_genotypes(source: Source, fill: bool) -> GenotypeScaling:
    """The variants that vary, and what they are divided by; `fill`: missing calls are the mean."""
    if source.is_sparse:
        raise FieldError.not_genotypes("scale='hwe'")
    copies, calls = count_alleles(source)
    share = copies / np.maximum(2 * calls, 1)
    varies = (share > 0) & (share < 1)
    if not varies.any():
        raise FieldError.no_variation(0, len(varies))
    scale, means = np.sqrt(2 * share * (1 - share))[varies], 2 * share[varies]
    kept = source if varies.all() else leave_out(source, varies)
    holes = calls[varies].min() < source.shape[0]
    if fill and holes:
        kept = fill_with_means(kept, means, kept.dtype)
    return GenotypeScaling(kept, scale, means)


def leave_out(source: Source, varies: Any) -> Source:
    """Without the variants that do not vary, which are named where the source can say so."""
    if not isinstance(source, StoredSource):
        from eigenlens.sources.array import ArraySource

        if isinstance(source, ArraySource):
            picked = np.arange(source.array.shape[1])[source.picked][varies]
            names = None if source.names is None else tuple(np.array(source.names)[varies].tolist())
            return replace(source, picked=picked, names=names)
        raise FieldError.not_readable("the variants", "varying ones", "some do not vary")
    inside = np.arange(source.reader.shape[1])[source.picked]
    labels = np.array(source.names or [str(place) for place in inside], dtype=object)
    without = dict.fromkeys(labels[~varies].tolist(), "monomorphic")
    return replace(source, picked=inside[varies], elsewhere={**source.elsewhere, **without})
