"""reconstruction: what is lost of each variable when only k components are kept.

    lost share = sum (x - x_k)^2 / sum (x - x_0)^2        by variable, and of all together

The thick line is all variables together: it falls by each component's share of the variance. Lines
that stay high are variables the components know nothing about; the highest are named.
"""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.errors import OptionError
from eigenlens.explain.reconstruction import EVERYTHING
from eigenlens.explain.reconstruction import reconstruction as lost_table
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.plane import check_whole_number, model_with_components
from eigenlens.plots.style import Theme, prepare_axes, root_figure, shorten_for_figure, write_note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["reconstruction"]

NAMED = 6
MOST_LINES = 40
LINE = 12.0  # points from one name to the next


def reconstruction(
    model: Any,
    data: Any,
    *,
    weights: Any = None,
    top: Any = NAMED,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Share of each variable that is lost, against the number of components kept.

    Parameters
    ----------
    data, weights : as in `explain.reconstruction`
    top : how many variables to name, the worst kept first, or their names

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 1, 1]
    >>> ax = reconstruction(eigenlens.fit(rows, 2), rows)
    >>> ax.get_xlabel()
    'components kept'
    """
    model = model_with_components(model)
    table = lost_table(model, data, weights=weights)
    names, lost = loss_curves(table["variable"], table["explained"], model.n_components + 1)
    chosen = choose_lines(names, lost[:, -1], top)

    ax, look, _ = prepare_axes(ax, theme, (7.2, 4.8))
    drawn = draw_lines(ax, look, lost, chosen)
    ax.set_xlabel("components kept")
    ax.set_ylabel("share lost")
    ax.set_xlim(0, model.n_components)
    ax.set_xticks(count_ticks(model.n_components))
    ax.set_ylim(0, max(1.02, 1.02 * float(np.nanmax(lost))))
    ax.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    if drawn < len(names) - 1:
        write_note(ax, look, f"{drawn} of {len(names) - 1:,} variables, the worst kept")
    write_ends(ax, look, names, lost[:, -1], chosen)
    record_figure_data(ax, table)
    return ax


def loss_curves(variable: Any, explained: Any, counts: int) -> tuple[AnyArray, Float64Array]:
    """Names, everything first, and the share lost with 0, 1, ..., k components, (1 + d, k + 1)."""
    names = np.asarray(variable, dtype=object)[::counts]
    lost = 1 - np.asarray(explained, dtype=np.float64).reshape(-1, counts)
    if names[0] != EVERYTHING:
        raise RuntimeError("the table of explain.reconstruction opens with everything")
    return names, lost


def choose_lines(names: AnyArray, final: Float64Array, top: Any) -> list[int]:
    """The variables to name, constant ones never: nothing of them can be lost."""
    if isinstance(top, Real):
        order = np.argsort(-np.nan_to_num(final[1:], nan=-np.inf), kind="stable") + 1
        return [
            int(place)
            for place in order[: check_whole_number("top", top, 0)]
            if np.isfinite(final[place])
        ]
    places = {name: place for place, name in enumerate(names.tolist()) if place}
    asked = [top] if isinstance(top, str) else list(top)
    for name in asked:
        if name not in places:
            raise OptionError.unknown("top", name, places)
    return [places[name] for name in asked]


def line_color(look: Theme, order: int) -> str:
    return look.groups[1 + order % (len(look.groups) - 1)]


def draw_lines(ax: Axes, look: Theme, lost: Float64Array, chosen: list[int]) -> int:
    """How many variables were drawn; all together last, on top."""
    counts = np.arange(lost.shape[1])
    order = np.argsort(-np.nan_to_num(lost[1:, -1], nan=-np.inf), kind="stable") + 1
    others = [int(place) for place in order if place not in chosen][: MOST_LINES - len(chosen)]
    for place in others:
        ax.plot(counts, lost[place], color=look.faint, lw=0.9, zorder=2)
    for n, place in enumerate(chosen):
        ax.plot(counts, lost[place], color=line_color(look, n), lw=1.3, marker="o", ms=3, zorder=3)
    ax.plot(counts, lost[0], color=look.main, lw=3, zorder=4)
    return len(others) + len(chosen)


def count_ticks(count: int) -> list[int]:
    step = max(1, -(-count // 12))
    return list(range(0, count + 1, step))


def write_ends(
    ax: Axes, look: Theme, names: AnyArray, final: Float64Array, chosen: list[int]
) -> None:
    """Names to the right of the lines' ends, moved apart until each can be read."""
    root_figure(ax).draw_without_rendering()
    height = ax.get_window_extent().height * 72 / root_figure(ax).dpi
    low, high = ax.get_ylim()
    entries = [("all variables", float(final[0]), look.main)]
    entries += [
        (shorten_for_figure(names[i]), float(final[i]), line_color(look, n))
        for n, i in enumerate(chosen)
    ]
    entries.sort(key=lambda entry: entry[1])
    ends = [(value - low) / (high - low) * height for _, value, _ in entries]
    for (text, value, color), end, place in zip(
        entries, ends, spread_positions(ends, LINE), strict=True
    ):
        ax.annotate(
            text,
            (float(ax.get_xlim()[1]), value),
            xytext=(14, place - end),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
            fontweight="bold" if color == look.main else "normal",
            color=color,
            arrowprops={
                "arrowstyle": "-",
                "color": color,
                "lw": 0.6,
                "shrinkA": 0,
                "shrinkB": 0,
                "relpos": (0.0, 0.5),
            },
            annotation_clip=False,
        )


def spread_positions(ends: list[float], apart: float) -> list[float]:
    """Ascending places at least `apart` from each other, and near their ends."""
    places: list[float] = []
    for end in ends:
        places.append(max(end, places[-1] + apart) if places else end)
    # Going up pushed them all one way: give back half of the push.
    push = (places[-1] - ends[-1]) / 2
    return [max(place - push, apart * (order + 0.5)) for order, place in enumerate(places)]
