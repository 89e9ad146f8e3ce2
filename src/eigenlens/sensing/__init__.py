"""Sensing: signals that are sparse in a fixed basis, and how few measurements give them back.

Promises     bases whose analysis is the transpose of their synthesis; the number of measurements
             from the Donoho-Tanner curve; recovery with a duality gap where the problem is convex;
             a comparison of fixed and learned bases that judges both on rows not learned from.
Knows        scipy's linear operators, its linear programs (HiGHS) and cosine transform; PyWavelets
             and scikit-learn's OMP, inside functions only.
Knows not    training, plots, files.
One more     a basis is a frozen value with `shape`, `count`, `analyze` and `synthesize` and a line
             in `basis.py`; a method is a frozen value with `solve(problem)` and a line in
             `recover.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eigenlens.lazy import make_lazy

# Public name -> its file, loaded on first use.
HOMES = {
    "FISTA": "eigenlens.sensing.fista",
    "OMP": "eigenlens.sensing.omp",
    "BasisPursuit": "eigenlens.sensing.pursuit",
    "basis": "eigenlens.sensing.basis",
    "Compression": "eigenlens.sensing.compress",
    "compress": "eigenlens.sensing.compress",
    "compressibility": "eigenlens.sensing.compressibility",
    "donoho_tanner": "eigenlens.sensing.transition",
    "measurement": "eigenlens.sensing.measurement",
    "measurements_needed": "eigenlens.sensing.transition",
    "recover": "eigenlens.sensing.recover",
}

__all__ = list(HOMES)


make_lazy(__name__)

if TYPE_CHECKING:
    from eigenlens.sensing.basis import basis as basis
    from eigenlens.sensing.compress import Compression as Compression
    from eigenlens.sensing.compress import compress as compress
    from eigenlens.sensing.compressibility import compressibility as compressibility
    from eigenlens.sensing.fista import FISTA as FISTA
    from eigenlens.sensing.measurement import measurement as measurement
    from eigenlens.sensing.omp import OMP as OMP
    from eigenlens.sensing.pursuit import BasisPursuit as BasisPursuit
    from eigenlens.sensing.recover import recover as recover
    from eigenlens.sensing.transition import donoho_tanner as donoho_tanner
    from eigenlens.sensing.transition import measurements_needed as measurements_needed
