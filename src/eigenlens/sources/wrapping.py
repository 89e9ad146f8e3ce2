"""WrappingSource: a source made of another one, whose facts it has unless it says otherwise.

A subclass reads blocks, panels and samples of `source` and changes them; its traits are made by
`derive_traits`, so that what the other source can do in its place (read within less memory, read
without rounding) is done to it and changed alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eigenlens.sources.own_precision import unrounded_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import Traits, keep_within, traits_of

__all__ = ["WrappingSource"]


@dataclass(frozen=True, eq=False)
class WrappingSource:
    source: Source

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.source.dtype

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.source.names

    @property
    def is_sparse(self) -> bool:
        return self.source.is_sparse

    @property
    def stored_bytes(self) -> int:
        return self.source.stored_bytes

    def derive_traits(self, mark: str, **changes: Any) -> Traits:
        """Those of the source; `mark` tells the changed rows from it where they are stored."""
        own = traits_of(self.source)
        derived = replace(
            own,
            fingerprint=None if own.fingerprint is None else f"{own.fingerprint} {mark}",
            in_place=False,
            within=self.within,
            in_double=None if own.in_double is None else self.in_double,
        )
        return replace(derived, **changes)

    def derive_from(self, source: Source) -> Any:
        """The same made of another source."""
        return replace(self, source=source)

    def within(self, budget_bytes: int) -> Source:
        derived: Source = self.derive_from(keep_within(self.source, budget_bytes))
        return derived

    def in_double(self) -> Source:
        derived: Source = self.derive_from(unrounded_source(self.source))
        return derived
