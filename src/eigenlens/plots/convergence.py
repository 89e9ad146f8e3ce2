"""convergence: the certified error of the eigenvalues, pass by pass over the data.

    error = largest of (upper bound - eigenvalue) / eigenvalue, over the components kept

The fit has recorded what it had found after each pass; its last proof bounds how far that was from
the truth (`search/history.py`). The dashed line is the sampling error sqrt(2 / n): below it,
more passes are digits of noise. A solver that forms a matrix needs one pass and is one point.

Cost     nothing: no row is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.document.table import Table
from eigenlens.model.subspace import Subspace
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.iteration import draw_watched, is_watched
from eigenlens.plots.plane import model_with_components
from eigenlens.plots.style import MARKERS, draw_legend, prepare_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["convergence"]

SMALLEST = 1e-16
MOST_TICKS = 12
MANY_PASSES = 30  # points that lie on each other at full size


@dataclass(frozen=True)
class ConvergenceTrace:
    """What one fit had found after so many passes, and how much it was off at most."""

    solver: str
    passes: tuple[int, ...]
    errors: tuple[float, ...]


def convergence(
    model: Any,
    *others: Any,
    ax: Axes | None = None,
    theme: str | None = None,
    labels: Sequence[str] | None = None,
) -> Axes:
    """Certified relative error of the eigenvalues against passes over the data.

    `others`: models of the same data by other solvers, to compare. In the place of models, tables
    of `eigenlens.solvers.watch`: the angle to the truth, with what theory predicts dashed;
    `labels` name them.

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((80, 30)) * np.linspace(9, 1, 30)
    >>> fits = [eigenlens.fit(rows, 2, solver=name) for name in ("krylov", "orthogonal")]
    >>> ax = convergence(*fits)
    >>> ax.get_yscale()
    'log'
    """
    if is_watched(model):
        return draw_watched([model, *others], ax, theme, labels)
    models = [model_with_components(one) for one in (model, *others)]
    trails = [convergence_traces(one) for one in models]

    ax, look, own = prepare_axes(ax, theme, (6.8, 4.4))
    for place, trail in enumerate(trails):
        errors = np.maximum(trail.errors, SMALLEST)
        ax.plot(
            trail.passes, errors, marker=MARKERS[place % len(MARKERS)], lw=1.6,
            ms=6 if len(errors) <= MANY_PASSES else 3,
            color=look.groups[place % len(look.groups)], label=trail.solver, zorder=3,
        )  # fmt: skip
    sampling = float(np.sqrt(2 / max(models[0].moments.weight - 1, 1.0)))
    ax.axhline(sampling, color=look.ink, linestyle="--", lw=1, label="sampling error", zorder=1)
    ax.set_yscale("log")
    last = max(max(trail.passes) for trail in trails)
    ax.set_xlim(0.5, last + 0.5)
    if last <= MOST_TICKS:
        ax.set_xticks(range(1, last + 1))
    ax.set_xlabel("passes over the data")
    ax.set_ylabel("certified relative error")
    draw_legend(ax, look, ax.get_legend_handles_labels()[0], outside=own)
    record_figure_data(ax, convergence_table(trails))
    return ax


def convergence_traces(model: Subspace) -> ConvergenceTrace:
    """What the fit kept; of a model that was not fitted (two merged ones), the last word."""
    solver, stop = model.choices.get("solver"), model.choices.get("stop")
    name = "model" if solver is None else str(solver.value)
    if model.certificate.kind == "heuristic":
        name = f"{name} (not proven)"
    kept = [] if stop is None else stop.evidence.get("errors", [])
    if not kept:
        kept = [[max(model.certificate.passes, 1), model.certificate.relative_error]]
    passes, errors = zip(*kept, strict=True)
    return ConvergenceTrace(name, tuple(map(int, passes)), tuple(map(float, errors)))


def convergence_table(trails: Sequence[ConvergenceTrace]) -> Table:
    return Table(
        {
            "solver": [trail.solver for trail in trails for _ in trail.passes],
            "passes": [count for trail in trails for count in trail.passes],
            "certified_error": [error for trail in trails for error in trail.errors],
        }
    )
