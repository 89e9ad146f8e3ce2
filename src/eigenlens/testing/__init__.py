"""Testing: what every source, table and solver must satisfy, for those who write their own.

Promises     each check runs in a few seconds at most, needs nothing but eigenlens, and either
             returns nothing or raises `CheckFailed`, an AssertionError that says which claim does
             not hold, by how much, and what was allowed.
Knows        the protocols `Source` and `Solver`, the verbs of a table, `eigenlens.fit`.
Knows not    pytest; whose object it is. Our own pass the same checks (`tests/contracts`).
One more     a file with a function `check_something(thing)` made of claims from `claims.py`.

>>> import numpy as np
>>> import eigenlens as el
>>> el.testing.check_source(np.arange(12.0).reshape(4, 3))
>>> el.testing.check_adjoint(np.eye(5, 3), np.random.default_rng(0))
"""

from __future__ import annotations

from eigenlens.testing.adjoint import check_adjoint
from eigenlens.testing.claims import CheckFailed
from eigenlens.testing.solver import check_solver
from eigenlens.testing.source import check_source

__all__ = ["CheckFailed", "check_adjoint", "check_solver", "check_source"]
