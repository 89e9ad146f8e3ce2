"""The eigenvalues on a logarithmic axis: a gap, its absence, and the rank are seen at a glance.

points   every eigenvalue that the model knows, with its certified bounds
gap      a line where the rule "gap" cuts, or the words that there is none
rank     a line after the last eigenvalue that is more than rounding, and the rounding shaded
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.document.table import Table
from eigenlens.plots.style import Theme
from eigenlens.questions import choose_rank

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_log_scree"]

BELOW_ROUNDING = 1e-18  # of the largest eigenvalue, where one is zero


def draw_log_scree(ax: Axes, look: Theme, model: Any, table: Table, shown: int) -> list[Any]:
    """Handles for the legend."""
    values = np.asarray(table["eigenvalue"], dtype=np.float64)[:shown]
    low, high = (np.asarray(table[end], dtype=np.float64)[:shown] for end in ("low", "high"))
    places = np.arange(1, shown + 1)
    floor = BELOW_ROUNDING * values[0]
    drawn = np.maximum(values, floor)
    reach = np.vstack([drawn - np.maximum(np.minimum(low, drawn), floor), high - drawn])
    ax.errorbar(
        places, drawn, np.maximum(reach, 0.0), fmt="o-", ms=4.5, lw=1.1, capsize=2,
        color=look.main, zorder=3,
    )  # fmt: skip
    ax.set_yscale("log")
    ax.set_xlim(0.4, shown + 0.6)
    ax.xaxis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]
    ax.set_xlabel("component")
    ax.set_ylabel("eigenvalue")
    return [*mark_gap(ax, look, model, shown), *mark_rank(ax, look, model, drawn)]


def mark_gap(ax: Axes, look: Theme, model: Any, shown: int) -> list[Any]:
    verdict = choose_rank(model).rules.get("gap")
    if verdict is None:
        return []
    count = int(verdict.value)
    if not 0 < count < shown:
        ax.text(0.98, 0.96, "no gap", transform=ax.transAxes, ha="right", va="top", color=look.ink)
        return []
    line = ax.axvline(count + 0.5, color=look.accent, ls="--", lw=1.3, zorder=2)
    line.set_label(f"gap after {count}")
    return [line]


def mark_rank(ax: Axes, look: Theme, model: Any, drawn: Any) -> list[Any]:
    rank = getattr(model, "rank", None)
    count = 0 if rank is None else int(rank.value)
    if not 0 < count < len(drawn):
        return []
    line = ax.axvline(count + 0.5, color=look.ink, ls=":", lw=1.4, zorder=2)
    line.set_label(f"rank {count}")
    ax.axhspan(
        ax.get_ylim()[0], float(np.sqrt(drawn[count - 1] * drawn[count])), color=look.faint,
        alpha=0.25, zorder=0, lw=0,
    )  # fmt: skip
    return [line]
