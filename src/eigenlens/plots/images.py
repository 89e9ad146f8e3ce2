"""images: the mean and the components of a model of pictures, as pictures.

mean         in gray, or in its colors
components   blue where a pixel falls, red where it rises with the score; all on one scale
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.picture_grid import PictureTile, draw_grid, paint, paint_signed, picture_shape
from eigenlens.plots.plane import check_whole_number, model_with_components
from eigenlens.plots.style import percent_label, prepare_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["images"]


def images(
    model: Any,
    *,
    k: int | None = None,
    shape: tuple[int, ...] | None = None,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """The mean and the first `k` components (by default up to 11) as pictures.

    `shape`: (h, w) or (h, w, c) of a model of flat rows; of pictures it is known.

    >>> import numpy as np, eigenlens
    >>> views = np.random.default_rng(0).standard_normal((40, 6, 5))
    >>> ax = images(eigenlens.fit(views, 3))
    >>> len(ax.images)
    4
    """
    found = model_with_components(model)
    sides = picture_shape(found, shape)
    count = min(found.n_components, 11) if k is None else check_whole_number("k", k, 1)
    count = min(count, found.n_components)
    components = found.components[:count].reshape(count, *sides)
    total = count + (found.mean is not None)
    columns = min(total, 4 if total > 3 else 3)
    rows = -(-total // columns)
    ax, look, _ = prepare_axes(ax, theme, (1.9 * columns, 2.1 * rows * sides[0] / sides[1] + 0.2))
    tiles = []
    if found.mean is not None:
        mean: Float64Array = found.mean.reshape(sides)
        tiles.append(PictureTile(paint(mean, mean.min(), mean.max()), "mean"))
    largest = float(np.abs(components).max())
    tiles += [
        PictureTile(paint_signed(one, largest), percent_label(found, place))
        for place, one in enumerate(components)
    ]
    draw_grid(ax, look, tiles, columns)
    table = Table(
        {
            "component": [f"PC{place + 1}" for place in range(count)],
            "proportion": found.explained_ratio[:count].tolist(),
            "smallest": [float(one.min()) for one in components],
            "largest": [float(one.max()) for one in components],
        }
    )
    record_figure_data(ax, table)
    return ax
