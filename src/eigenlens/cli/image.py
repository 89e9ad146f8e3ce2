"""image: gray values from a picture or a table, and three of them side by side."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.cli.stderr import Messages
from eigenlens.errors import FileError, OptionError
from eigenlens.errors.system import os_errors
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.open import open_source
from eigenlens.sources.traits import traits_of

__all__ = ["ENDINGS", "draw_three", "gray_image", "matplotlib_image", "save_image"]

ENDINGS = (".png", ".svg", ".pdf", ".npy")
PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp")
TEXTS = (".csv", ".tsv", ".txt")  # which hold images without a line of names
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # of red, green and blue light (Rec. 709)
SIDE, DPI = 3.2, 150  # inches of one of three pictures, and dots in each


def gray_image(path: str, talk: Messages) -> Float64Array:
    """(height, width) of numbers; colors are weighed as eyes do, transparency is left out."""
    if Path(path).suffix.lower() not in PICTURES:
        source = open_source(path)
        words = list(traits_of(source).left_out)
        if words:
            raise FileError.damaged(path, "an image", f"column {words[0]!r} holds text")
        table = np.asarray(source.sample(np.arange(source.shape[0])), dtype=np.float64)
        # Also where a pixel is not measured: what is recovered is compared with all of them.
        if not np.isfinite(table).all():
            raise locate_not_finite(source)
        if source.names is not None and Path(path).suffix.lower() in TEXTS:
            height, width = table.shape
            talk.note(
                f"the columns have names, and are taken for an image of {width} x {height} pixels"
            )
        return table
    pyplot_image = matplotlib_image("reading a picture")
    with os_errors(path, "read"), open(path, "rb"):
        pass  # what the system says against it; the rest is about its content
    try:
        found = np.asarray(pyplot_image.imread(path), dtype=np.float64)
    except (OSError, ValueError, SyntaxError) as error:
        raise FileError.damaged(path, "a picture", error) from None
    if found.ndim == 2:
        return found
    talk.note("colors are converted to gray")
    mixture = LUMINANCE if found.shape[2] >= 3 else np.ones(1)
    gray: Float64Array = found[..., : len(mixture)] @ mixture
    return gray


def matplotlib_image(what: str) -> Any:
    try:
        import matplotlib.image
    except ImportError:
        raise OptionError.needs_package(what, "matplotlib", "plots") from None
    return matplotlib.image


def save_image(path: Path, values: Float64Array) -> None:
    # By way of memory: of what numpy writes to a file itself, a full disk is not reported.
    written = io.BytesIO()
    np.save(written, values, allow_pickle=False)
    path.write_bytes(written.getbuffer())


def draw_three(path: Path, ending: str, images: Sequence[Float64Array], share: str) -> None:
    """The image, what was seen of it, and what came back, in one range of gray."""
    from matplotlib.figure import Figure

    low, high = float(images[0].min()), float(images[0].max())
    height, width = images[0].shape
    tall = min(max(SIDE * height / width, 1.0), 3 * SIDE)
    figure = Figure(figsize=(3 * SIDE, tall + 0.3), layout="constrained")
    titles = ("the image", share, "recovered")
    for ax, image, title in zip(figure.subplots(1, 3), images, titles, strict=True):
        ax.imshow(image, cmap="gray", vmin=low, vmax=high)
        ax.set_title(title, fontsize=10)
        ax.set_axis_off()
    figure.savefig(path, format=ending.removeprefix(".").lower(), dpi=DPI)
