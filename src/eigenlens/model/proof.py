"""Proof: what a certificate is computed from, kept so that a truncated model has one too."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.certificate.ceilings import Ceilings
from eigenlens.certificate.certify import Facts

__all__ = ["Proof"]


@dataclass(frozen=True)
class Proof:
    """`ritz` has exactly the components returned, `ceilings` one value more."""

    ritz: Ritz
    ceilings: Ceilings
    facts: Facts

    def truncated(self, rank: int) -> Proof:
        ritz = self.ritz
        kept = Ritz(
            np.ascontiguousarray(ritz.span[:, :rank]),
            None,
            ritz.values[:rank],
            ritz.coupling[:, :rank],
            ritz.from_triangle,
        )
        ceilings = replace(self.ceilings, values=self.ceilings.values[: rank + 1])
        return Proof(kept, ceilings, self.facts)
