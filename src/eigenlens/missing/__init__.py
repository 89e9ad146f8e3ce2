"""missing: cells that are not there.

Promises   the expected mean and covariance matrix of a table given its observed cells, with what is
           known about the estimate: likelihood, defect of the fixed point, calibrated errors.
Knows      sources and small dense mathematics.
Knows not  tables, solvers, models: what it returns is a source of moments, fitted like any other.
One more   engine: a frozen class with `rehearse(reader, test)`, which learns from rows with hidden
           cells, and `solve(reader, rng)`, which returns a `FixedPoint`; one line in `choose.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eigenlens.lazy import make_lazy

# Public name -> its file, loaded on first use.
HOMES = {
    "Gaussian": "eigenlens.missing.gaussian",
    "LowRank": "eigenlens.missing.lowrank",
}

__all__ = list(HOMES)


make_lazy(__name__)

if TYPE_CHECKING:
    from eigenlens.missing.gaussian import Gaussian as Gaussian
    from eigenlens.missing.lowrank import LowRank as LowRank
