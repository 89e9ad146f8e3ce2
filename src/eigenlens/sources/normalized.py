"""Rows of unit length: each row of a source divided by its Euclidean length (normalize="l2").

For embeddings compared by their angle. A row of zeros stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.errors.options import refuse_unknown
from eigenlens.sources.protocol import Block, FloatArray, IntArray, Source
from eigenlens.sources.traits import Traits, blocks_from, peek_rows, traits_of
from eigenlens.sources.wrapping import WrappingSource

__all__ = ["NormalizedSource", "normalize_rows"]

PANEL_ROWS = 4096


@dataclass(frozen=True, eq=False)
class NormalizedSource(WrappingSource):
    @cached_property
    def traits(self) -> Traits:
        look = traits_of(self.source).glance
        glance = None if look is None else self.glance
        return self.derive_traits("of unit length", by_columns=False, glance=glance)

    def glance(self, count: int) -> FloatArray:
        found: FloatArray = unit_rows(peek_rows(self.source, count))
        return found

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        for block in blocks_from(self.source, rows_per_block, start):
            yield unit_rows(block)

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        lengths = np.concatenate([row_lengths(block) for block in self.source.blocks(PANEL_ROWS)])
        for panel in self.source.panels(columns_per_panel):
            yield divide_rows(panel, lengths)

    def sample(self, indices: IntArray) -> FloatArray:
        found: FloatArray = unit_rows(self.source.sample(indices))
        return found

    def __repr__(self) -> str:
        return f"{self.source!r}, rows of unit length"


def normalize_rows(source: Source, normalize: str | None) -> Source:
    if normalize is None:
        return source
    refuse_unknown("normalize", normalize, ("l2",))
    return NormalizedSource(source)


def unit_rows(block: Block) -> Any:
    return divide_rows(block, row_lengths(block))


def row_lengths(block: Block) -> FloatArray:
    """In float64; 1 where a row is zero."""
    if isinstance(block, np.ndarray):
        squares = np.einsum("ij,ij->i", block, block, dtype=np.float64)
    else:
        squares = np.asarray(block.astype(np.float64).power(2).sum(axis=1)).ravel()
    lengths: FloatArray = np.sqrt(squares)
    lengths[lengths == 0] = 1.0
    return lengths


def divide_rows(block: Block, lengths: FloatArray) -> Any:
    if isinstance(block, np.ndarray):
        return (block / lengths[:, None]).astype(block.dtype, copy=False)
    from scipy.sparse import diags_array

    return (diags_array(1 / lengths) @ block).astype(block.dtype).asformat(block.format)
