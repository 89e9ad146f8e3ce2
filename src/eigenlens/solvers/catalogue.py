"""The only list of solvers: the name a user types and the value it stands for."""

from __future__ import annotations

from collections.abc import Mapping

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase
from eigenlens.solvers.covariance import Covariance
from eigenlens.solvers.dual import Dual
from eigenlens.solvers.krylov import BlockKrylov
from eigenlens.solvers.lanczos import Lanczos
from eigenlens.solvers.orthogonal import OrthogonalIteration
from eigenlens.solvers.power import PowerIteration
from eigenlens.solvers.randomized import Randomized
from eigenlens.solvers.step import Solver
from eigenlens.solvers.svd import SVD

__all__ = ["SOLVERS", "get_solver"]

SOLVERS: Mapping[str, Solver] = {
    solver.name: solver
    for solver in (
        Covariance(),
        SVD(),
        Dual(),
        PowerIteration(),
        OrthogonalIteration(),
        Randomized(),
        BlockKrylov(),
        Lanczos(),
    )
}


def get_solver(name: object) -> Solver:
    """The solver behind a name; a solver object is taken as it is."""
    if isinstance(name, str):
        if name not in SOLVERS:
            raise OptionError.unknown("solver", name, ("auto", *SOLVERS))
        return SOLVERS[name]
    if isinstance(name, type) and hasattr(name, "steps"):
        raise OptionError.needs(
            Option("solver", name.__name__),
            "an object, not a class",
            Phrase("pass {}", Option("solver", f"{name.__name__}()")),
        )
    if hasattr(name, "steps") and hasattr(name, "sided"):
        return name  # type: ignore[return-value]
    raise OptionError.unknown("solver", name, ("auto", *SOLVERS, "a solver object"))
