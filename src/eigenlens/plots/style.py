"""style: colors, light and dark, and what is written along an axis.

Colors are Okabe and Ito's eight, which people of every color vision tell apart: without yellow on
white, where it vanishes, and with black and white swapped on dark paper. Groups differ in shape
too, so that no figure speaks by color alone. A number is shown by cividis, made for the same eyes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from eigenlens.document.phrases import format_share
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, escape_controls

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from eigenlens.model.subspace import Subspace

__all__ = [
    "DARK",
    "LIGHT",
    "MARKERS",
    "SMALL_FONT",
    "THEMES",
    "Theme",
    "apply_theme",
    "draw_legend",
    "label_plane",
    "percent_label",
    "prepare_axes",
    "root_figure",
    "shorten_for_figure",
    "write_note",
]

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
SMALL_FONT = 8  # points, for what is said beside a figure
MOST_LETTERS = 32  # of a name in a figure; its table has them all
HALFWAY = 0.4  # paper darker than this wants light ink


@dataclass(frozen=True)
class Theme:
    """`groups`: one color per group, in order; `accent`: for lines and arrows over the points;
    `shades`: the part of cividis that is seen on this paper.
    """

    name: str
    paper: str
    ink: str
    faint: str
    groups: tuple[str, ...]
    accent: str
    shades: tuple[float, float]

    @property
    def main(self) -> str:
        return self.groups[0]

    @property
    def numbers(self) -> Any:
        """Colors for a scale of numbers, less the end that the paper would swallow."""
        from matplotlib import colormaps
        from matplotlib.colors import ListedColormap

        steps = [self.shades[0] + i / 255 * (self.shades[1] - self.shades[0]) for i in range(256)]
        return ListedColormap(colormaps["cividis"](steps), f"cividis on {self.name}")


LIGHT = Theme(
    "light",
    paper="#FFFFFF",
    ink="#1A1A1A",
    faint="#C9CCD1",
    groups=("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"),
    accent="#D55E00",
    shades=(0.0, 0.78),
)
DARK = Theme(
    "dark",
    paper="#14161A",
    ink="#ECECEC",
    faint="#4A4F58",
    groups=("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00", "#FFFFFF"),
    accent="#E69F00",
    shades=(0.3, 1.0),
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def prepare_axes(
    ax: Axes | None, theme: str | None, size: tuple[float, float] = (6.4, 4.8)
) -> tuple[Axes, Theme, bool]:
    """Axes to draw on, dressed; whether they are ours. A mistake found before leaves no figure.

    Without `theme`, light or dark follows the paper that is there already.
    """
    own = ax is None
    if theme is not None and theme not in THEMES:
        raise OptionError.unknown("theme", theme, THEMES)
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise OptionError.needs_package("a plot", "matplotlib", "plots") from None

        ax = pyplot.figure(figsize=size, layout="constrained").add_subplot()
    elif not hasattr(ax, "transData"):
        raise OptionError.needs(
            Phrase("{} of type {}", Option("ax"), type(ax).__name__),
            "axes of matplotlib",
            Phrase("pass {}, or omit it", Option("ax", "figure.add_subplot()")),
        )
    figure = root_figure(ax)
    look = theme_of(figure) if theme is None else THEMES[theme]
    if theme is not None:
        figure.set_facecolor(look.paper)
        ax.set_facecolor(look.paper)
    apply_theme(ax, look)
    return ax, look, own


def root_figure(ax: Axes) -> Figure:
    return cast("Figure", ax.get_figure(root=True))


def theme_of(figure: Figure) -> Theme:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(cast(Any, figure.get_facecolor()))
    bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return LIGHT if bright > HALFWAY else DARK


def apply_theme(ax: Axes, look: Theme) -> None:
    """Ink for everything that carries words, no box where two lines do."""
    for side, spine in ax.spines.items():
        spine.set_color(look.ink)
        spine.set_visible(side in ("left", "bottom"))
    ax.tick_params(colors=look.ink, which="both")
    for text in (ax.xaxis.label, ax.yaxis.label, ax.title):
        text.set_color(look.ink)


def shorten_for_figure(name: object) -> str:
    """A name from the data, short enough for a figure, and never read as a formula."""
    text = escape_controls(" ".join(str(name).split()))
    text = text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"
    return text.replace("$", r"\$")


def percent_label(model: Subspace, component: int, kept: int | None = None) -> str:
    """'PC1 (32.7%)', components counted from 0; `kept`: how many the model in question keeps."""
    share = format_share(float(model.explained_ratio[component]), 1)
    return f"PC{component + 1} ({share}{'' if kept is None or component < kept else ', not kept'})"


def label_plane(ax: Axes, model: Subspace, plane: tuple[int, ...], kept: int | None = None) -> None:
    ax.set_xlabel(percent_label(model, plane[0], kept))
    ax.set_ylabel(percent_label(model, plane[1], kept))


def write_note(ax: Axes, look: Theme, text: str) -> None:
    """One small line above the axes, to the right: what a reader must know to read the figure."""
    before = ax.get_title("right")
    said = [before, text] if before and text not in before else [text]
    ax.set_title("; ".join(said), loc="right", fontsize=SMALL_FONT, color=look.ink)


def draw_legend(
    ax: Axes, look: Theme, handles: Sequence[Any], title: str | None = None, outside: bool = True
) -> None:
    """To the right of axes that are ours, inside those that were given."""
    if not handles:
        return
    host: Any = root_figure(ax) if outside else ax  # only a figure keeps a place for its legend
    box = host.legend(
        handles=list(handles),
        title=None if title is None else shorten_for_figure(title),
        fontsize=SMALL_FONT + 1,
        title_fontsize=SMALL_FONT + 1,
        labelcolor=look.ink,
        facecolor=look.paper,
        edgecolor=look.faint,
        framealpha=0.85,
        frameon=not outside,
        loc="outside right upper" if outside else "upper right",
    )
    box.get_title().set_color(look.ink)
    box.get_title().set_multialignment("left")
