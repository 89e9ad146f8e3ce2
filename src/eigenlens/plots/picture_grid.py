"""Pictures side by side on one pair of axes, each with a line above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase
from eigenlens.model.subspace import Subspace
from eigenlens.plots.style import SMALL_FONT, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PictureTile", "draw_grid", "paint", "paint_signed", "picture_shape"]

GAP = 0.12  # of a picture's side, between two
HEAD = 0.26  # of it, for the line above
COLORS = (3, 4)  # numbers of a pixel


@dataclass(frozen=True)
class PictureTile:
    picture: npt.NDArray[Any]  # (h, w, 3) in [0, 1]
    title: str


def picture_shape(model: Subspace, shape: tuple[int, ...] | None) -> tuple[int, ...]:
    """(h, w) or (h, w, c), given or known from the fit."""
    sides = model.column_shape if shape is None else tuple(int(side) for side in shape)
    if len(sides) not in (2, 3) or int(np.prod(sides)) != model.n_features:
        raise OptionError.needs(
            "a figure of pictures",
            f"the height and width of pictures with {model.n_features} numbers",
            "fit an array of shape (n, h, w) or (n, h, w, c)",
            Phrase("pass {}", Option("shape", "(h, w)")),
        )
    return sides


def paint(picture: npt.NDArray[Any], low: float, high: float) -> npt.NDArray[Any]:
    """In gray, or in its three colors, between the two ends."""
    wide = high - low if high > low else 1.0
    scaled = np.clip((picture - low) / wide, 0.0, 1.0)
    if scaled.ndim == 3 and scaled.shape[2] in COLORS:
        return scaled[..., :3]
    flat = scaled.mean(axis=2) if scaled.ndim == 3 else scaled
    return np.repeat(flat[..., None], 3, axis=2)


def paint_signed(picture: npt.NDArray[Any], largest: float) -> npt.NDArray[Any]:
    """Blue below zero, red above; colors about a middle gray."""
    from matplotlib import colormaps

    if picture.ndim == 3 and picture.shape[2] in COLORS:
        return paint(picture, -largest, largest)
    flat = picture.mean(axis=2) if picture.ndim == 3 else picture
    painted: npt.NDArray[Any] = colormaps["RdBu_r"](0.5 + 0.5 * flat / (largest or 1.0))
    return painted[..., :3]


def draw_grid(ax: Axes, look: Theme, tiles: Sequence[PictureTile], columns: int) -> None:
    height, width = tiles[0].picture.shape[:2]
    across, down = width * (1 + GAP), height + max(HEAD * width, HEAD * height)
    for number, tile in enumerate(tiles):
        row, column = divmod(number, columns)
        left, top = column * across, -row * down
        extent = (left, left + width, top - height, top)
        ax.imshow(tile.picture, extent=extent, interpolation="nearest")
        ax.text(
            left + width / 2, top + 0.03 * height, tile.title, ha="center", va="bottom",
            fontsize=SMALL_FONT, color=look.ink,
        )  # fmt: skip
    rows = -(-len(tiles) // columns)
    ax.set_xlim(-0.03 * width, (columns - 1) * across + 1.03 * width)
    ax.set_ylim(-(rows - 1) * down - 1.03 * height, HEAD * height)
    ax.set_aspect("equal")
    ax.set_axis_off()
