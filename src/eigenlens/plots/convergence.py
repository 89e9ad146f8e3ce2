"""convergence: the certified error of the eigenvalues, pass by pass over the data.

    error = largest of (upper bound - eigenvalue) / eigenvalue, over the components kept

With the data, fits are made that are stopped after 1, 2, 3, ... passes, each with its own proof:
what is drawn is what would have been certified then. Without, what the model has recorded: at
least its last word. The dashed line is the sampling error sqrt(2 / n): below it, more passes are
digits of noise.

Cost     with data 1 + 2 + ... passes and as many proofs; without, nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.errors import NotCertified, OptionError, RankError
from eigenlens.explain.reading import fitted, source_for, weights_for
from eigenlens.fit import fit
from eigenlens.listing import Table
from eigenlens.model.subspace import Subspace
from eigenlens.plots.numbers import remember
from eigenlens.plots.style import MARKERS, legend, stage
from eigenlens.solvers.catalogue import SOLVERS, solver_named
from eigenlens.sources.protocol import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["convergence"]

PASSES = 6
SMALLEST = 1e-16


@dataclass(frozen=True)
class Trail:
    """What one solver had certified after so many passes."""

    solver: str
    passes: tuple[int, ...]
    errors: tuple[float, ...]


def convergence(
    model: Any,
    data: Any = None,
    *,
    solvers: str | Sequence[str] | None = None,
    passes: int = PASSES,
    tolerance: float = 1e-10,
    weights: Any = None,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Certified relative error of the eigenvalues against passes over the data.

    Parameters
    ----------
    data : the rows of the fit: the search is made again and certified after every pass. Without
        them only what the model knows is drawn
    solvers : which to compare, by name; by default the model's own if it iterates, else "krylov"
    passes : how many at most
    tolerance : where to stop

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((80, 30)) * np.linspace(9, 1, 30)
    >>> ax = convergence(eigenlens.fit(rows, 2), rows, solvers=["orthogonal", "krylov"])
    >>> ax.get_yscale()
    'log'
    """
    model = fitted(model)
    if model.n_components == 0:
        raise RankError.needs("this plot", "a model with components", "Fit again with k=2.")
    if data is None:
        trails = [recorded(model)]
    else:
        if passes < 1:
            raise OptionError.not_whole("passes", passes, 1)
        trails = searched(model, data, solvers, passes, tolerance, weights)

    given = ax is not None
    ax, look = stage(ax, theme, (6.8, 4.4))
    for place, trail in enumerate(trails):
        errors = np.maximum(trail.errors, SMALLEST)
        ax.plot(
            trail.passes, errors, marker=MARKERS[place % len(MARKERS)], lw=1.6, ms=6,
            color=look.groups[place % len(look.groups)], label=trail.solver, zorder=3,
        )  # fmt: skip
    sampling = float(np.sqrt(2 / max(model.moments.weight - 1, 1.0)))
    ax.axhline(sampling, color=look.ink, linestyle="--", lw=1, label="sampling error", zorder=1)
    ax.set_yscale("log")
    last = max(max(trail.passes) for trail in trails)
    ax.set_xlim(0.5, last + 0.5)
    ax.set_xticks(range(1, last + 1, max(1, -(-last // 12))))
    ax.set_xlabel("passes over the data")
    ax.set_ylabel("certified relative error")
    legend(ax, look, ax.get_legend_handles_labels()[0], outside=not given)
    remember(ax, numbers(trails))
    return ax


def recorded(model: Subspace) -> Trail:
    """The errors proven on the way where the fit kept them, else the certificate's."""
    name = str(model.choices["solver"].value) if "solver" in model.choices else "model"
    stop = model.choices.get("stop")
    kept = () if stop is None else stop.evidence.get("errors", ())
    if kept:
        return Trail(name, *zip(*((int(p), float(e)) for p, e in kept), strict=True))
    certificate = model.certificate
    return Trail(name, (max(certificate.passes, 1),), (certificate.relative_error,))


def searched(
    model: Subspace,
    data: Any,
    solvers: str | Sequence[str] | None,
    passes: int,
    tolerance: float,
    weights: Any,
) -> list[Trail]:
    source = source_for(model, data)
    settings = model.provenance.get("settings", {})
    heavy = weights_for(model, weights, source, must=True) if settings.get("weighted") else weights
    if solvers is None:
        own = settings.get("solver", "krylov")
        solvers = own if own in SOLVERS and not SOLVERS[own].forms_matrix else "krylov"
    names = [solvers] if isinstance(solvers, str) else list(solvers)
    for name in names:
        if not hasattr(solver_named(name), "max_passes"):
            able = [one for one in SOLVERS if hasattr(SOLVERS[one], "max_passes")]
            raise OptionError.needs(
                f"convergence of {name!r}", "a solver that makes passes", f"Possible: {able}."
            )
    return [trail_of(model, source, name, passes, tolerance, heavy) for name in names]


def trail_of(
    model: Subspace, source: Source, name: str, passes: int, tolerance: float, weights: Any
) -> Trail:
    found: list[tuple[int, float]] = []
    solver: Any = solver_named(name)
    for count in range(1, passes + 1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotCertified)  # that is what the figure shows
            try:
                stopped = fit(
                    source,
                    model.n_components,
                    center=model.mean is not None,
                    scale=model.scale,
                    weights=weights,
                    solver=replace(solver, max_passes=count),
                    tolerance=tolerance,
                )
            except RankError:  # so few passes have not found as many components
                continue
        error = stopped.certificate.relative_error
        found.append((count, error))
        if error <= tolerance:
            break
    if not found:
        raise RankError.not_found(model.n_components, 0)
    return Trail(name, *zip(*found, strict=True))


def numbers(trails: Sequence[Trail]) -> Table:
    return Table(
        {
            "solver": [trail.solver for trail in trails for _ in trail.passes],
            "passes": [count for trail in trails for count in trail.passes],
            "certified_error": [error for trail in trails for error in trail.errors],
        }
    )
