"""spectrum: the eigenvalues beside those that noise alone would have.

    Marchenko-Pastur: noise of n rows and d columns spreads its eigenvalues over
    scale [(1 - sqrt g)^2, (1 + sqrt g)^2],     g = the smaller side over the larger

Those past the upper edge are more than noise, if the noise is the same in every column and the rows
are independent. The scale is fitted to the median eigenvalue where all are known (components do
not move it), else to the mean of those left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import RankError
from eigenlens.explain.eigenvalues import eigenvalues
from eigenlens.explain.model_rows import get_model
from eigenlens.model.spectrum import spectrum_of_model
from eigenlens.model.subspace import Subspace
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.style import Theme, draw_legend, prepare_axes
from eigenlens.rank.marchenko_pastur import marchenko_pastur_law, marchenko_pastur_median
from eigenlens.rank.spectrum import Spectrum

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["spectrum"]

FEW = 12  # eigenvalues: fewer make no histogram
WIDE = 6.0  # times the edge: beyond, the axis is logarithmic


def spectrum(model: Any, *, ax: Axes | None = None, theme: str | None = None) -> Axes:
    """Histogram of the eigenvalues, with the Marchenko-Pastur law of noise.

    Eigenvalues past the edge of the law are marked one by one. A model that holds only some of its
    eigenvalues has no histogram: they are marked, and the law is that of what was left out.

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((200, 40))
    >>> ax = spectrum(eigenlens.fit(rows, 40))
    >>> ax.get_xlabel()
    'eigenvalue'
    """
    model = get_model(model)
    seen = spectrum_of_model(model)
    values = model.eigenvalues
    scale = noise_mean_eigenvalue(model, seen)
    if scale <= 0:
        raise RankError.needs(
            "the law of noise", "variance that the model leaves out, or all eigenvalues",
            "fit with fewer components, or with all of them",
        )  # fmt: skip
    places, share = marchenko_pastur_law(min(seen.aspect, 1.0))
    edge = scale * float(places[-1])
    log = bool(values.max(initial=0.0) > WIDE * edge)

    ax, look, own = prepare_axes(ax, theme, (7.0, 4.6))
    whole = len(seen.values) >= seen.most and len(values) >= FEW
    if whole:
        draw_histogram(ax, look, values, edge, scale * float(places[0]), log)
    draw_marchenko_pastur(ax, look, scale * places, share, log)
    draw_marks(ax, look, values if not whole else values[values > edge], edge)
    words = f"edge of the noise, {edge:.3g}:\n{(values > edge).sum()} of {len(values)} past it"
    ax.axvline(edge, color=look.ink, linestyle="--", lw=1, label=words)
    if log:
        ax.set_xscale("log")
    ax.set_xlabel("eigenvalue")
    ax.set_ylabel("density of eigenvalues" + (" (per factor e)" if log else ""))
    ax.set_ylim(bottom=0)
    draw_legend(ax, look, ax.get_legend_handles_labels()[0], outside=own)
    record_figure_data(ax, spectrum_table(model, scale * places, share))
    return ax


def noise_mean_eigenvalue(model: Subspace, seen: Spectrum) -> float:
    """The mean eigenvalue of the noise."""
    if len(seen.values) >= seen.most:
        return float(np.median(model.eigenvalues)) / marchenko_pastur_median(min(seen.aspect, 1.0))
    rest = model.total_variance - float(model.eigenvalues.sum())
    return rest / (seen.most - model.n_components)


def draw_histogram(
    ax: Axes, look: Theme, values: Float64Array, edge: float, start: float, log: bool
) -> None:
    """Of the eigenvalues up to the edge and a little past it; those farther out are marked."""
    near = values[(values <= 1.15 * edge) & (values > 0)]
    count = int(np.clip(len(near) ** 0.5 * 1.6, 8, 60))
    low = min(float(near.min(initial=edge)), max(start, 1e-3 * edge))
    bins = np.geomspace(low, 1.15 * edge, count) if log else np.linspace(low, 1.15 * edge, count)
    width = np.diff(np.log(bins) if log else bins)
    heights = np.histogram(near, bins)[0] / (len(values) * width)
    ax.bar(
        bins[:-1], heights, np.diff(bins), align="edge", color=look.main, alpha=0.75, lw=0.4,
        edgecolor=look.paper, label=f"{len(values)} eigenvalues", zorder=2,
    )  # fmt: skip


def draw_marchenko_pastur(
    ax: Axes, look: Theme, places: Float64Array, share: Float64Array, log: bool
) -> None:
    """The density, from the shares; per unit of the logarithm on a logarithmic axis."""
    middle = (places[1:] + places[:-1]) / 2
    steps = np.diff(np.log(np.maximum(places, 1e-12 * places[-1])) if log else places)
    ends = middle[0] * 0.999, middle[-1] * 1.001
    x = np.concatenate([ends[:1], middle, ends[1:]])
    y = np.concatenate([[0.0], np.diff(share) / steps, [0.0]])
    ax.plot(x, y, color=look.accent, lw=2, label="noise alone (Marchenko–Pastur)", zorder=3)
    if not log and places[0] < 0.02 * places[-1]:
        ax.set_ylim(0, 1.5 * float(np.quantile(y, 0.97)))  # the law is infinite at zero


def draw_marks(ax: Axes, look: Theme, values: Float64Array, edge: float) -> None:
    if not len(values):
        return
    foot = ax.get_xaxis_transform()
    past = values > edge
    for chosen, color, words in (
        (past, look.groups[2], "eigenvalues past the edge"),
        (~past, look.main, "eigenvalues within it"),
    ):
        if chosen.any():
            ax.plot(
                values[chosen], np.full(int(chosen.sum()), 0.03), "v", transform=foot, color=color,
                markersize=7, label=words, zorder=4, clip_on=False,
            )  # fmt: skip


def spectrum_table(model: Subspace, places: Float64Array, share: Float64Array) -> Table:
    """Each eigenvalue, and what share of the noise lies at or above it."""
    table = eigenvalues(model)
    values = np.asarray(table["eigenvalue"], dtype=np.float64)
    above = 1 - np.interp(values, places, share)
    columns: dict[str, Any] = {
        "component": table["component"],
        "eigenvalue": values,
        "noise_above": above,
        "edge": np.full(len(values), places[-1]),
        "past_edge": values > places[-1],
    }
    return Table(columns)
