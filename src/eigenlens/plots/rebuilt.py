"""rebuilt: pictures as they are, and as so many components give them back.

One column per picture; the first line is the original, every other one a number of components. The
share of the pictures' variance that is given back stands above each line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.explain.model_rows import check_held_components
from eigenlens.model.rows import match_columns
from eigenlens.plots.figure_data import record_figure_data
from eigenlens.plots.picture_grid import PictureTile, draw_grid, paint, picture_shape
from eigenlens.plots.plane import check_whole_number, model_with_components
from eigenlens.plots.style import prepare_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["rebuilt"]


def rebuilt(
    model: Any,
    data: Any,
    k: int | Sequence[int] = (1, 5, 20),
    *,
    rows: int | Sequence[int] = 6,
    shape: tuple[int, ...] | None = None,
    ax: Axes | None = None,
    theme: str | None = None,
) -> Axes:
    """Some pictures of `data`, and what `k` components give back of them.

    `rows`: which pictures, or how many of the first; `shape`: as in `images`.

    >>> import numpy as np, eigenlens
    >>> views = np.random.default_rng(0).standard_normal((40, 6, 5))
    >>> ax = rebuilt(eigenlens.fit(views, 5), views, k=(1, 5), rows=3)
    >>> len(ax.images)
    9
    """
    found = model_with_components(model)
    sides = picture_shape(found, shape)
    asked = [k] if isinstance(k, int) else list(k)
    counts = [check_held_components(one, found, least=1) for one in asked]
    source = match_columns(found, data)
    chosen = np.arange(min(rows, source.shape[0])) if isinstance(rows, int) else np.asarray(rows)
    check_whole_number("rows", len(chosen), 1)
    originals = np.asarray(source.sample(chosen), dtype=np.float64)
    scores = found.project(originals)
    mean = np.zeros(found.n_features) if found.mean is None else found.mean
    spread = float(np.square(originals - mean).sum())
    low, high = float(originals.min()), float(originals.max())
    lines: list[tuple[str, Float64Array, float | None]] = [("original", originals, None)]
    for count in counts:
        kept = scores.copy()
        kept[:, count:] = 0.0
        back = found.reconstruct(kept)
        share = 1 - float(np.square(originals - back).sum()) / spread if spread > 0 else 1.0
        lines.append((f"{count} component{'s' if count > 1 else ''}, {share:.0%}", back, share))
    tiles = [
        PictureTile(paint(one.reshape(sides), low, high), title if place == 0 else "")
        for title, pictures, _ in lines
        for place, one in enumerate(pictures)
    ]
    size = (1.15 * len(chosen), 1.45 * len(lines) * sides[0] / sides[1])
    ax, look, _ = prepare_axes(ax, theme, size)
    draw_grid(ax, look, tiles, len(chosen))
    for text in ax.texts:  # a line's title begins with its first picture
        text.set_horizontalalignment("left")
        text.set_x(0.0)
    record_figure_data(
        ax,
        Table(
            {
                "components": [0, *counts],
                "share_given_back": [None, *(share for _, _, share in lines[1:])],
            }
        ),
    )
    return ax
