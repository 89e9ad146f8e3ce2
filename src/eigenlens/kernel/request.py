"""Request: what a kernel fit was asked for, after everything in it was checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.kernel.protocol import Kernel
from eigenlens.sources.protocol import Source
from eigenlens.verdict import Verdict
from eigenlens.version import __version__

__all__ = ["ACCURATE", "ZERO", "Request", "cleaned"]

ACCURATE = 1e-12  # relative error of eigenvalues of a matrix at hand: more digits cost little
ZERO = 1e-12  # scikit-learn's limit: eigenvalues below this part of the largest count as 0


@dataclass(frozen=True)
class Request:
    source: Source
    kernel: Kernel
    k: int | float | None
    bandwidth: Verdict
    method: Verdict
    tolerance: float | None
    solver: Any
    preimage: str | None
    penalty: float | None
    budget: int
    seed: int
    hands: int
    solver_is_ours: bool

    @property
    def provenance(self) -> dict[str, Any]:
        source = self.source
        return {
            "eigenlens": __version__,
            "data": repr(source),
            "shape": source.shape,
            "dtype": str(source.dtype),
            "settings": {
                "k": self.k,
                "kernel": self.kernel.name,
                "method": self.method.value,
                "tolerance": self.tolerance,
                "preimage": self.preimage,
                "seed": self.seed,
            },
        }


def cleaned(values: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Eigenvalues with what is rounding set to 0."""
    return np.where(values <= ZERO * values.max(initial=0.0), 0.0, values)
