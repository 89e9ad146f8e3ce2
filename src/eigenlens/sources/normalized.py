"""Rows of unit length: each row of a source divided by its Euclidean length (normalize="l2").

For embeddings compared by their angle. A row of zeros stays as it is. The length of a row that
lacks a cell is not known: it may be left out, but no cell of it can be estimated.

Lengths are those of rows divided by a power of two first, where squares would overflow or vanish.
What is divided is rounded: to float32 where the rows are dense float32, which `in_double` avoids.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors.options import refuse_unknown
from eigenlens.sources.finite import BadValues, bad_values
from eigenlens.sources.own_precision import unrounded_source
from eigenlens.sources.protocol import Block, FloatArray, IntArray, Source
from eigenlens.sources.sparse import wrap_values
from eigenlens.sources.traits import Traits, blocks_from, peek_rows, traits_of
from eigenlens.sources.wrapping import WrappingSource

__all__ = ["NormalizedSource", "normalize_rows"]

PANEL_ROWS = 4096
ORDINARY = (1e-280, 1e300)  # sums of squares that have lost nothing
DIVIDING = 3.0  # roundings of a square, of the root of their sum, and of the quotient
DOUBLE = np.dtype(np.float64)


@dataclass(frozen=True, eq=False)
class NormalizedSource(WrappingSource):
    in_float64: bool = False

    @property
    def dtype(self) -> np.dtype[Any]:
        return DOUBLE if self.in_float64 or self.is_sparse else self.source.dtype

    @cached_property
    def traits(self) -> Traits:
        look = traits_of(self.source).glance
        return self.derive_traits(
            "of unit length",
            by_columns=False,
            glance=None if look is None else self.glance,
            computed=DIVIDING + self.shape[1] / 2,
            of_unit_length=True,
            find_bad_values=self.find_bad_values,
            in_double=self.in_double if self.dtype.itemsize < 8 else None,
        )

    def find_bad_values(self) -> BadValues:
        """Those of the data: one of them spoils its whole row here."""
        find = traits_of(self.source).find_bad_values
        found: BadValues = bad_values(self.source) if find is None else find()
        return found

    def in_double(self) -> Source:
        return replace(self, source=unrounded_source(self.source), in_float64=True)

    def glance(self, count: int) -> FloatArray:
        found: FloatArray = unit_rows(peek_rows(self.source, count), DOUBLE)
        return found

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        for block in blocks_from(self.source, rows_per_block, start):
            yield unit_rows(block, self.dtype)

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        parts = [row_lengths(block) for block in self.source.blocks(PANEL_ROWS)]
        exponents, lengths = (np.concatenate(several) for several in zip(*parts, strict=True))
        for panel in self.source.panels(columns_per_panel):
            yield divide_rows(panel, exponents, lengths, self.dtype)

    def sample(self, indices: IntArray) -> FloatArray:
        found: FloatArray = unit_rows(self.source.sample(indices), DOUBLE)
        return found

    def __repr__(self) -> str:
        return f"{self.source!r}, rows of unit length"


def normalize_rows(source: Source, normalize: str | None) -> Source:
    if normalize is None:
        return source
    refuse_unknown("normalize", normalize, ("l2",))
    return NormalizedSource(source)


def unit_rows(block: Block, dtype: np.dtype[Any]) -> Any:
    return divide_rows(block, *row_lengths(block), dtype)


def row_lengths(block: Block) -> tuple[IntArray, Float64Array]:
    """Lengths of the rows, each divided by 2 to its exponent first; 1 where a row is zero."""
    exponents: IntArray = np.zeros(block.shape[0], dtype=np.intp)
    with np.errstate(over="ignore", under="ignore"):
        squares = row_squares(block)
        odd = ~((squares > ORDINARY[0]) & (squares < ORDINARY[1]))
        if odd.any():
            largest = largest_of_rows(block)
            odd &= np.isfinite(largest) & (largest > 0)
        if odd.any():
            exponents[odd] = np.frexp(largest[odd])[1]
            squares = row_squares(divide_rows(block, exponents, np.ones(len(odd)), DOUBLE))
    lengths: Float64Array = np.sqrt(squares)
    lengths[lengths == 0] = 1.0
    lengths[~np.isfinite(lengths)] = np.nan  # an infinite value would make zeros of the others
    return exponents, lengths


def row_squares(block: Block) -> Float64Array:
    if isinstance(block, np.ndarray):
        dense: Float64Array = np.einsum("ij,ij->i", block, block, dtype=np.float64)
        return dense
    squares = np.square(block.data, dtype=np.float64)
    sums = np.bincount(rows_of_entries(block), squares, block.shape[0])
    return sums.astype(np.float64, copy=False)


def largest_of_rows(block: Block) -> Float64Array:
    if isinstance(block, np.ndarray):
        dense: Float64Array = np.abs(block).max(axis=1, initial=0.0).astype(np.float64)
        return dense
    found = np.zeros(block.shape[0])
    np.maximum.at(found, rows_of_entries(block), np.abs(block.data))
    return found


def rows_of_entries(block: Any) -> Any:
    """Of a CSR or CSC matrix."""
    if block.format == "csc":
        return block.indices
    return np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))


def divide_rows(
    block: Block, exponents: IntArray, lengths: Float64Array, dtype: np.dtype[Any]
) -> Any:
    if isinstance(block, np.ndarray):
        return divide_values(block, exponents[:, None], lengths[:, None]).astype(dtype, copy=False)
    rows = rows_of_entries(block)
    values = divide_values(block.data, exponents[rows], lengths[rows])
    return wrap_values(block, values.astype(dtype, copy=False))


def divide_values(values: FloatArray, exponents: IntArray, lengths: Float64Array) -> Float64Array:
    if exponents.any():
        values = np.ldexp(values.astype(np.float64, copy=False), -exponents)
    found: Float64Array = values / lengths
    return found
