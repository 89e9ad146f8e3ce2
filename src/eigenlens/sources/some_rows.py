"""Some rows of a source, as a source: the others are read and dropped, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from eigenlens.errors import OptionError
from eigenlens.errors.row_place import RowPlace
from eigenlens.sources.protocol import Block, FloatArray, IntArray
from eigenlens.sources.regroup import regroup_rows
from eigenlens.sources.traits import Traits, blocks_from, fingerprint_of, traits_of
from eigenlens.sources.wrapping import WrappingSource

__all__ = ["SomeRows"]

RowMask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SomeRows(WrappingSource):
    """`kept`: one truth value per row of the source."""

    kept: RowMask

    def __post_init__(self) -> None:
        if self.kept.shape != (self.source.shape[0],):
            raise OptionError.needs(
                f"a mask of shape {self.kept.shape}",
                f"one truth value for each of the {self.source.shape[0]} rows",
                "pass such a mask",
            )

    # -- facts -----------------------------------------------------------------------------

    @cached_property
    def places(self) -> IntArray:
        """Where the rows kept stand in the source."""
        return np.flatnonzero(self.kept)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.places), self.source.shape[1]

    # -- traits ----------------------------------------------------------------------------

    @cached_property
    def traits(self) -> Traits:
        """Those of the source; it has a fingerprint only if the source has one."""
        own = traits_of(self.source)
        return self.derive_traits(
            self.mark,
            in_place=own.in_place and bool(self.kept.all()),
            glance=self.glance,
            locate_rows=None if own.locate_rows is None else self.locate_rows,
        )

    @property
    def mark(self) -> str:
        return f"rows {sha256(np.packbits(self.kept).tobytes()).hexdigest()}"

    @property
    def fingerprint(self) -> str:
        return f"{fingerprint_of(self.source)} {self.mark}"

    def locate_rows(self, rows: Sequence[int]) -> Mapping[int, RowPlace]:
        locate = traits_of(self.source).locate_rows
        there = {int(self.places[row]): row for row in rows}
        found = {} if locate is None else locate(list(there))
        return {there[place]: one for place, one in found.items()}

    def glance(self, count: int) -> FloatArray:
        """The first rows: from all over would read the whole file."""
        first = next(self.blocks(count))
        return np.asarray(first.toarray() if self.is_sparse else first, dtype=np.float64)

    # -- reading ---------------------------------------------------------------------------

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        if start >= self.shape[0]:
            return iter(())
        if not rows_per_block > 0:
            raise OptionError.not_positive("rows_per_block", rows_per_block)
        first = int(self.places[start]) if traits_of(self.source).is_stored else 0
        pieces = self.pieces(rows_per_block, first)
        return regroup_rows(pieces, rows_per_block, self.shape[1], self.dtype)

    def pieces(self, rows_per_block: int, first: int) -> Iterator[Block]:
        """What is kept of each of the source's blocks, from its row number `first` on."""
        for block in blocks_from(self.source, rows_per_block, first):
            kept = self.kept[first : first + block.shape[0]]
            first += block.shape[0]
            if kept.all():
                yield block
            elif kept.any():
                yield block[kept]

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        for panel in self.source.panels(columns_per_panel):
            yield panel if self.kept.all() else panel[self.places]

    def sample(self, indices: IntArray) -> FloatArray:
        return self.source.sample(self.places[np.asarray(indices)])

    def __repr__(self) -> str:
        if self.kept.all():
            return repr(self.source)
        return f"{self.shape[0]} rows of {self.source!r}"
