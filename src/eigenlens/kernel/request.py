"""Request: what a kernel fit was asked for, after everything in it was checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.kernel.protocol import Kernel
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source
from eigenlens.version import __version__

__all__ = ["ACCURATE", "DENSE_BELOW", "ZERO", "KernelRequest"]

ACCURATE = 1e-12  # relative error of eigenvalues of a matrix at hand: more digits cost little
DENSE_BELOW = 1024  # rows or landmarks up to which all eigenvectors are found: half a second
ZERO = 1e-12  # scikit-learn's limit: eigenvalues below this part of the largest count as 0


@dataclass(frozen=True)
class KernelRequest:
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
    keep_zeros: bool

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

    def cleaned(self, found: Subspace, factor: float, size: float) -> tuple[Subspace, Float64Array]:
        """Components and eigenvalues, in units `factor` times smaller; what is rounding is 0.

        `size`: k(x, x), at most. Entries of the matrix are rounded relative to it, and where rows
        are nearly alike centering leaves little else. Without `keep_zeros`, only those that are
        not 0.
        """
        values = found.eigenvalues * factor
        largest = float(values.max(initial=0.0))
        rounding = min(EPS * found.n_rows * size, largest / 2)  # the first is what there is
        values = np.where(values <= max(ZERO * largest, rounding), 0.0, values)
        positive = int(np.count_nonzero(values))
        if self.keep_zeros or positive == len(values):
            return found, values
        return found.truncate(positive), values[:positive]
