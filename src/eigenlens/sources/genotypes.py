"""Genotypes in Hardy–Weinberg units: scale="hwe".

    (g - 2p) / sqrt(2p (1-p))        p: the share of the allele counted among the calls observed

A call that is missing counts as the mean, 0 after scaling. Variants without variation, or without
any call, are left out and named. This is the scaling of PLINK 2, flashpca (`binom2`) and PCAone;
older Eigensoft divides by sqrt(p (1-p)).

Cost     one pass to count alleles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import FieldError
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.protocol import Block, FloatArray, IntArray, Source
from eigenlens.sources.traits import Traits, blocks_from, keep_within, traits_of

__all__ = ["HWE", "GenotypeScaling", "MeanFilledSource", "count_alleles", "scale_genotypes"]

HWE = "hwe"
PANEL_BYTES = 32 << 20
COPIES = (0.0, 1.0, 2.0)


@dataclass(frozen=True, eq=False)
class MeanFilledSource:
    """A source whose missing cells are the means of their columns."""

    source: Source
    means: Float64Array

    is_sparse = False

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(np.float64)  # means of calls have no short form

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.source.names

    @property
    def stored_bytes(self) -> int:
        return self.source.stored_bytes

    @cached_property
    def traits(self) -> Traits:
        own = traits_of(self.source)
        known = None if own.fingerprint is None else f"{own.fingerprint} filled with means"
        return replace(own, fingerprint=known, glance=None, in_place=False, within=self.within)

    def within(self, budget_bytes: int) -> MeanFilledSource:
        return replace(self, source=keep_within(self.source, budget_bytes))

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        for block in blocks_from(self.source, rows_per_block, start):
            yield fill_missing(block, self.means)

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        first = 0
        for panel in self.source.panels(columns_per_panel):
            yield fill_missing(panel, self.means[first : first + panel.shape[1]])
            first += panel.shape[1]

    def sample(self, indices: IntArray) -> FloatArray:
        return fill_missing(self.source.sample(indices), self.means)

    def __repr__(self) -> str:
        return f"{self.source!r}, missing calls as the mean"


def fill_missing(block: FloatArray, means: Float64Array) -> FloatArray:
    holes = np.isnan(block)
    filled = block.astype(np.float64)
    if holes.any():
        np.copyto(filled, means, where=holes)
    return filled


@dataclass(frozen=True)
class GenotypeScaling:
    source: Source
    scale: Float64Array
    means: Float64Array


def count_alleles(source: Source) -> tuple[Float64Array, Float64Array]:
    """Copies counted, and calls observed, of every variant."""
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
    return GenotypeScaling(MeanFilledSource(kept, means) if fill and holes else kept, scale, means)


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
