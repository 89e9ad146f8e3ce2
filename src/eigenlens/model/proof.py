"""Proof: what a certificate is computed from, kept so that a truncated model has one too."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.certificate.certify import TableFacts
from eigenlens.certificate.upper_bounds import UpperBounds

__all__ = ["Proof"]


@dataclass(frozen=True)
class Proof:
    """`ritz` has exactly the components returned, `ceilings` one value more."""

    ritz: Ritz
    ceilings: UpperBounds
    facts: TableFacts

    def truncated(self, rank: int) -> Proof:
        kept = self.ritz.leading(rank)
        kept = replace(kept, span=np.ascontiguousarray(kept.span))
        ceilings = replace(self.ceilings, values=self.ceilings.values[: rank + 1])
        return Proof(kept, ceilings, self.facts)
