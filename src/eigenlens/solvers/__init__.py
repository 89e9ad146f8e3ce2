"""Solvers: ways to find the leading subspace of a symmetric matrix that is only multiplied by.

Promises     each solver is a frozen value; `steps` is a generator that yields the state after every
             pass and never decides when to stop; the same certificate serves them all.
Knows        sides of a table (apply, matrix, triangle, start) and small dense algebra.
Knows not    files, models, certificates, what the components mean.
One more     a file with a frozen dataclass that has `steps(side, ask, rng)`, and a row in
             `catalogue.py`; the tests for every solver then run for it (`tests/contracts`).
"""

from __future__ import annotations

from eigenlens.solvers.covariance import Covariance
from eigenlens.solvers.dual import Dual
from eigenlens.solvers.explain import explain
from eigenlens.solvers.krylov import BlockKrylov
from eigenlens.solvers.lanczos import Lanczos
from eigenlens.solvers.orthogonal import OrthogonalIteration
from eigenlens.solvers.power import PowerIteration
from eigenlens.solvers.randomized import Randomized
from eigenlens.solvers.stopping import Passes, Tolerance, WallClock
from eigenlens.solvers.svd import SVD
from eigenlens.solvers.watch import watch

__all__ = [
    "SVD",
    "BlockKrylov",
    "Covariance",
    "Dual",
    "Lanczos",
    "OrthogonalIteration",
    "Passes",
    "PowerIteration",
    "Randomized",
    "Tolerance",
    "WallClock",
    "explain",
    "watch",
]
