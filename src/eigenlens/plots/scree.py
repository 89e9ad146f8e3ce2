"""scree: how much each component holds, how sure that is, and how many are worth keeping.

bars      share of the variance, with the certified bounds on each eigenvalue as whiskers
line      cumulative share, on the right-hand axis
rest      what the components left out hold on average, where some are left out
k         a line after the components the model keeps; a mark for every number that a rule says
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import format_share
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import SetOption
from eigenlens.errors.remedies import PythonCode
from eigenlens.explain.eigenvalues import eigenvalues
from eigenlens.explain.model_rows import check_held_components
from eigenlens.kernel.subspace import KernelSubspace
from eigenlens.model.subspace import Subspace
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.log_scree import draw_log_scree
from eigenlens.plots.plane import check_whole_number, model_with_spectrum
from eigenlens.plots.style import MARKERS, Theme, draw_legend, prepare_axes
from eigenlens.questions import choose_rank
from eigenlens.rank.report import RankReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["scree"]

MOST_BARS = 30
MOST_WORDS = 12
PERCENT = "{x:g}%"
WORDS_WIDTH = 26

Spectral = Subspace | KernelSubspace


def scree(
    model: Any,
    *,
    k: int | None = None,
    rules: RankReport | bool = True,
    top: int = MOST_BARS,
    log: bool = False,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Bars of the variance held, the cumulative line, certified bounds, and the answers for k.

    Parameters
    ----------
    k : where to draw the cut; by default after the components that the model keeps; 0 before all
    rules : what `eigenlens.choose_rank(data)` says, to mark it; True asks the rules that need the
        model only (none of a kernel), False none
    top : how many components to show at most
    log : True draws the eigenvalues on a logarithmic axis instead, with gap and rank marked

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 6)) * [5, 3, 1, 1, 1, 1]
    >>> ax = scree(eigenlens.fit(rows, 4))
    >>> len(ax.patches)
    5
    """
    model = model_with_spectrum(model)
    table = eigenvalues(model)
    cut = model.n_components if k is None else k
    cut = check_held_components(cut, model, least=0)
    shown = min(len(table), check_whole_number("top", top, 1))
    answers = {} if log else rule_answers(model, rules)

    ax, look, own = prepare_axes(ax, theme, (7.6, 4.6))
    if log:
        marks = draw_log_scree(ax, look, model, table, shown)
        draw_legend(ax, look, marks, outside=own)
        record_figure_data(ax, table)
        return ax
    draw_bars(ax, look, model, table, shown)
    right = draw_cumulative(ax, look, table, shown)
    write_shares(ax, right, look, table, shown)
    handles = [*draw_cut(ax, look, cut, shown), *draw_answers(ax, look, answers, shown)]
    draw_legend(right, look, handles, outside=own)
    record_figure_data(ax, table)
    record_figure_data(right, table)
    return ax


def rule_answers(model: Spectral, rules: RankReport | bool) -> Mapping[int, list[str]]:
    """Number of components -> the rules that say it, those in doubt left out."""
    if rules is False or (rules is True and isinstance(model, KernelSubspace)):
        return {}
    report = choose_rank(model) if rules is True else rules
    if not isinstance(report, RankReport):
        raise OptionError.needs(
            SetOption("rules", rules),
            "a report on the rules",
            PythonCode("pass eigenlens.choose_rank(data)"),
        )
    answers: dict[int, list[str]] = {}
    for name, verdict in report.rules.items():
        if name not in report.doubts:
            answers.setdefault(int(verdict.value), []).append(name)
    return dict(sorted(answers.items()))


def draw_bars(ax: Axes, look: Theme, model: Spectral, table: Table, shown: int) -> None:
    places = np.arange(1, shown + 1)
    total = model.total_variance
    share = 100 * np.asarray(table["proportion"])[:shown]
    low, high = (100 * np.asarray(table[end])[:shown] / total for end in ("low", "high"))
    ax.bar(places, share, width=0.72, color=look.main, zorder=2)
    reach = np.vstack([np.maximum(share - low, 0), np.maximum(high - share, 0)])
    ax.errorbar(places, share, reach, fmt="none", ecolor=look.ink, capsize=3, lw=1, zorder=3)
    left_out = most_components(model) - model.n_components
    labels = [f"{place}" for place in places]
    if left_out > 0 and shown == model.n_components:
        rest = 100 * (total - float(model.eigenvalues.sum())) / left_out / total
        ax.bar(
            shown + 1, rest, 0.72, color="none", edgecolor=look.ink, hatch="////", lw=0.6, zorder=2
        )
        labels.append("rest")
        ax.annotate(
            f"average\nof {left_out}",
            (shown + 1, rest),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=7.5,
            color=look.ink,
        )
    every = max(1, -(-len(labels) // 16))
    kept = [i for i in range(len(labels)) if i % every == 0 or labels[i] == "rest"]
    ax.set_xticks([i + 1 for i in kept], [labels[i] for i in kept])
    ax.set_xlim(0.4, len(labels) + 0.6)
    ax.set_ylim(0, axis_top(share, high))
    ax.set_xlabel("component")
    ax.set_ylabel("share of the variance")
    ax.yaxis.set_major_formatter(PERCENT)


def write_shares(ax: Axes, right: Axes, look: Theme, table: Table, shown: int) -> None:
    """Above the bars, and on the axes of the line: words are read across it."""
    if shown > MOST_WORDS:
        return
    shares = np.asarray(table["proportion"])[:shown]
    for place, share in enumerate(shares):
        words = format_share(float(share), 1)
        if place and words == format_share(float(shares[place - 1]), 1) and words.startswith("<"):
            break  # "<0.1%" says it of all that follow
        right.annotate(
            words,
            (place + 1, 100 * share),
            xycoords=ax.transData,
            xytext=(0, 5),
            textcoords="offset points",
            ha="center",
            fontsize=7.5,
            color=look.ink,
            bbox={"facecolor": look.paper, "alpha": 0.75, "edgecolor": "none", "pad": 0.5},
            zorder=6,
        )


def axis_top(share: Float64Array, high: Float64Array) -> float:
    """Room above the bars for the marks; bounds that prove little do not flatten the bars."""
    return 1.22 * float(min(high.max(), 1.6 * share.max()))


def most_components(model: Spectral) -> int:
    if isinstance(model, KernelSubspace):
        return model.n_rows - 1
    directions = model.n_features if model.categories is None else model.categories.directions
    return min(model.n_rows - (model.mean is not None), directions)


def draw_cumulative(ax: Axes, look: Theme, table: Table, shown: int) -> Axes:
    right = ax.twinx()
    share = 100 * np.asarray(table["cumulative"])[:shown]
    color = look.groups[1]
    right.plot(np.arange(1, shown + 1), share, "o-", color=color, markersize=4, lw=1.4, zorder=4)
    right.set_ylim(0, 122)
    right.set_yticks([0, 20, 40, 60, 80, 100])
    right.yaxis.set_major_formatter(PERCENT)
    right.set_ylabel("cumulative share", color=color)
    right.tick_params(colors=color)
    for side, spine in right.spines.items():
        spine.set_visible(side == "right")
        spine.set_color(color)
    return right


def draw_cut(ax: Axes, look: Theme, cut: int, shown: int) -> list[Any]:
    if cut > shown:
        return []
    line = ax.axvline(cut + 0.5, color=look.ink, linestyle="--", lw=1, zorder=1)
    line.set_label(f"kept: {cut}")
    return [line]


def draw_answers(ax: Axes, look: Theme, answers: Mapping[int, list[str]], shown: int) -> list[Any]:
    """A mark above each number of components that some rule says; the legend names the rules."""
    handles = []
    top = ax.get_ylim()[1]
    for place, (count, names) in enumerate(answers.items()):
        if not 1 <= count <= shown:
            continue
        mark = MARKERS[place % len(MARKERS)]
        color = look.groups[(place + 2) % len(look.groups)]
        (handle,) = ax.plot(
            count, 0.955 * top, mark, color=color, markersize=7, linestyle="none", zorder=5
        )
        handle.set_label(textwrap.fill(f"{count}: {', '.join(names)}", WORDS_WIDTH))
        handles.append(handle)
    return handles
