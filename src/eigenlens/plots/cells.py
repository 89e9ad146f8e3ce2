"""cells: a map of outlying cells, one line per row and one square per cell.

    color    how far a cell is from what the other cells of its row suggest, in standard errors
    outline  cells that are outlying; a cross: missing

The rows with the most outlying cells are shown, and of those with equally many the farthest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.explain.cells import FLAGS, judge_cell_blocks, raw_source
from eigenlens.explain.model_rows import get_model, labels_of, variable_names
from eigenlens.model.subspace import Subspace
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.plane import check_whole_number
from eigenlens.plots.style import Theme, prepare_axes, root_figure, shorten_for_figure, write_note
from eigenlens.sources.protocol import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cells"]

MOST_ROWS, MOST_COLUMNS = 40, 60
FULL_COLOR = 8.0  # standard errors


def cells(
    model: Any,
    data: Any,
    *,
    rows: int = MOST_ROWS,
    labels: Any = None,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """The cells of the rows that have most outlying ones.

    Parameters
    ----------
    model : fitted with robust="cells" or "wrap"
    rows : how many rows at most
    labels : names of the rows, one each; a pandas frame names them by its index

    >>> import numpy as np, eigenlens
    >>> table = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 1, 1]
    >>> table[3, 1] = 40
    >>> ax = cells(eigenlens.fit(table, 2, robust="cells"), table)
    >>> ax.get_yticklabels()[0].get_text()
    '3'
    """
    model = get_model(model)
    most = check_whole_number("rows", rows, 1)
    source = raw_source(model, data)
    named = labels_of(data, labels, source.shape[0])
    worst, residuals, kinds = worst_rows_of(model, source, most)
    columns = shown_columns(kinds)
    residuals, kinds = residuals[:, columns], kinds[:, columns]
    names = [variable_names(model)[column] for column in columns.tolist()]
    words = [str(named[row]) for row in worst.tolist()]

    size = (2.4 + 0.32 * len(names), 1.6 + 0.21 * len(words))
    ax, look, _ = prepare_axes(ax, theme, size)
    draw_squares(ax, look, residuals, kinds)
    ax.set_xticks(range(len(names)), [shorten_for_figure(name) for name in names], rotation=90)
    ax.set_yticks(range(len(words)), [shorten_for_figure(word) for word in words])
    if len(columns) < source.shape[1]:
        write_note(ax, look, f"the {len(columns)} columns with most outlying cells")
    record_figure_data(ax, table_of(words, names, residuals, kinds))
    return ax


def worst_rows_of(
    model: Subspace, source: Source, most: int
) -> tuple[np.ndarray[Any, np.dtype[np.intp]], Float64Array, np.ndarray[Any, np.dtype[np.intp]]]:
    """Rows with outlying cells, the worst first: places, residuals and kinds of their cells."""
    places: list[int] = []
    residuals: list[Float64Array] = []
    kinds: list[Any] = []
    for judged in judge_cell_blocks(model, source):
        far = np.where(judged.outlying, np.abs(judged.residuals), 0.0)
        counts = judged.outlying.sum(axis=1)
        order = np.lexsort((-far.max(axis=1), -counts))[:most]
        order = order[counts[order] > 0]
        places += (judged.first_row + order).tolist()
        residuals += list(judged.residuals[order])
        kinds += list((judged.outlying + 2 * judged.absent)[order])
    if not places:
        raise OptionError.needs("plots.cells", "rows with outlying cells; there are none")
    counts = np.array([int((kind == 1).sum()) for kind in kinds])
    far = np.array([np.abs(one).max() for one in residuals])
    order = np.lexsort((-far, -counts))[:most]
    chosen = np.array(places)[order]
    return chosen, np.array(residuals)[order], np.array(kinds)[order]


def shown_columns(kinds: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.intp]]:
    """All, or those with most outlying cells among the rows shown, in the order of the table."""
    counts = (kinds == 1).sum(axis=0)
    return np.sort(np.argsort(-counts, kind="stable")[:MOST_COLUMNS])


def draw_squares(ax: Axes, look: Theme, residuals: Float64Array, kinds: Any) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    low, high = look.groups[0], look.accent
    shades = LinearSegmentedColormap.from_list("residuals", [low, look.paper, high])
    image = ax.imshow(
        residuals, cmap=shades, vmin=-FULL_COLOR, vmax=FULL_COLOR, aspect="auto", zorder=1
    )
    for row, column in np.argwhere(kinds == 1).tolist():
        ax.add_patch(
            Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, ec=look.ink, lw=0.8, zorder=2)
        )
    for row, column in np.argwhere(kinds == 2).tolist():
        ax.text(column, row, "×", color=look.faint, ha="center", va="center", zorder=2)
    bar = root_figure(ax).colorbar(image, ax=ax, extend="both", shrink=0.6)
    bar.set_label("standard errors from expected", color=look.ink)
    bar.ax.tick_params(colors=look.ink)
    ax.tick_params(length=0)


def table_of(words: list[str], names: list[str], residuals: Float64Array, kinds: Any) -> Table:
    rows, columns = np.indices(residuals.shape).reshape(2, -1).tolist()
    return Table(
        {
            "row": [words[row] for row in rows],
            "column": [names[column] for column in columns],
            "residual": residuals.ravel().tolist(),
            "flag": [FLAGS[kind] for kind in kinds.ravel().tolist()],
        }
    )
