"""drawing: a figure of `eigenlens.plots` as SVG inside the page.

One drawing serves light and dark: the colors of the theme become variables of the page's style.
Only what is drawn as pixels (many rows) is drawn twice. Words stay words, so that they can be found
and read aloud; ids get the name of the chart in front, so that two charts never share one.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from eigenlens.document.page import Chart, show_table
from eigenlens.document.phrases import shorten
from eigenlens.document.table import Table
from eigenlens.plots.figure_data import data
from eigenlens.plots.style import DARK, LIGHT, root_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["VARIABLES", "chart", "colors_of", "compact_axes", "move_legend_below", "ramps"]

RAMP = 9
DOTS = 150  # per inch, of what is drawn as pixels

# Name of a variable of the style sheet -> its color on light and on dark paper.
VARIABLES: Mapping[str, tuple[str, str]] = {
    "paper": (LIGHT.paper, DARK.paper),
    "ink": (LIGHT.ink, DARK.ink),
    "faint": (LIGHT.faint, DARK.faint),
    **{f"g{i}": pair for i, pair in enumerate(zip(LIGHT.groups, DARK.groups, strict=True))},
}
BY_COLOR = {light.lower(): f"var(--{name})" for name, (light, _) in VARIABLES.items()}

HEAD = re.compile(r".*?(?=<svg )", re.DOTALL)
METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
SIZE = re.compile(r' (?:width|height)="[\d.]+pt"')
TAG = re.compile(r"<[^>]*>")
COLOR = re.compile(r"#[0-9a-f]{6}\b")
LONG_NUMBER = re.compile(r"(\d\.\d\d)\d+")
STYLE = re.compile(r' style="([^"]*)"')
REFERENCE = re.compile(r'(\bid="|href="#|url\(#)')
COMPACT = (5.6, 5.2)  # inches
LEGEND_LETTERS, LINE_LETTERS = 30, 60  # of an entry, and of a line of them
FACES = ("ui-sans-serif", "sans-serif")


def chart(
    name: str,
    title: str,
    description: str,
    draw: Callable[[str], Axes],
    code: str,
    **shown: Any,
) -> Chart:
    """`draw(theme)` gives the axes; `shown`: how the table behind it is listed."""
    svg, table = draw_svg(name, title, description, draw, LIGHT.name)
    dark = ""
    if "<image" in svg:
        dark, _ = draw_svg(f"{name}-dark", title, description, draw, DARK.name)
    caption = f"The numbers of the chart “{title}”"
    listed = show_table(table, caption, **shown)
    return Chart(name, title, description, svg, listed, code, table, dark)


def draw_svg(
    name: str, title: str, description: str, draw: Callable[[str], Axes], theme: str
) -> tuple[str, Table]:
    import matplotlib
    from matplotlib import pyplot
    from matplotlib.text import Text

    with warnings.catch_warnings(), matplotlib.rc_context(), pyplot.ioff():
        # Signs that matplotlib's own font lacks are drawn by the browser, with its fonts.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": name})
        axes = draw(theme)
        figure = root_figure(axes)
        try:
            for text in figure.findobj(Text):
                text.set_path_effects([])  # they would turn words into outlines
            page = io.StringIO()
            figure.savefig(page, format="svg", facecolor="none", dpi=DOTS)
            return tidy(page.getvalue(), name, title, description), data(axes)
        finally:
            pyplot.close(figure)


def compact_axes() -> Axes:
    """Axes of a small figure, whose words can be read on a narrow screen too."""
    from matplotlib import pyplot

    return pyplot.figure(figsize=COMPACT, layout="constrained").add_subplot()


def move_legend_below(ax: Axes) -> Axes:
    """The same axes with their legend below, where it hides no row and takes no width."""
    legend = ax.get_legend()
    if legend is None:
        return ax
    words = [shorten(text.get_text(), LEGEND_LETTERS) for text in legend.get_texts()]
    title = legend.get_title()
    ink = title.get_color()
    widest = max(map(len, words), default=0)
    below = ax.legend(
        [handle for handle in legend.legend_handles if handle is not None],
        words,
        title=shorten(title.get_text(), LEGEND_LETTERS),
        loc="upper center",
        bbox_to_anchor=(0.5, -0.13),
        ncols=max(1, min(len(words), LINE_LETTERS // (widest + 6))),
        frameon=False,
        labelcolor=ink,
    )
    below.get_title().set_color(ink)
    return ax


def tidy(svg: str, name: str, title: str, description: str) -> str:
    """Small, themed, with words for those who cannot see it, and ids of its own."""
    svg = METADATA.sub("", HEAD.sub("", svg, count=1))
    looks: dict[str, str] = {}
    svg = TAG.sub(lambda tag: short_tag(tag.group(), name, looks), svg)
    first, rest = svg.split(">", 1)
    first = SIZE.sub("", first)
    rules = "".join(f".{look}{{{style}}}" for style, look in looks.items())
    words = (
        f'<title id="{name}-t">{escape(title)}</title>'
        f'<desc id="{name}-d">{escape(description)}</desc>'
    )
    style = f"<style>{rules}</style>" if rules else ""
    return f'{first} role="img" aria-labelledby="{name}-t {name}-d">{words}{style}{rest}'


def short_tag(tag: str, name: str, looks: dict[str, str]) -> str:
    """Points say what they look like by a name, which `looks` collects: they are many."""
    if tag.startswith("<image"):
        return tag
    tag = LONG_NUMBER.sub(r"\1", tag)
    tag = COLOR.sub(lambda color: BY_COLOR.get(color.group(), color.group()), tag)
    tag = tag.replace("'DejaVu Sans', ", "").replace("DejaVu Sans", FACES[0])
    if tag.startswith("<use"):
        look = STYLE.search(tag)
        if look is not None:
            called = looks.setdefault(look.group(1), f"{name}-look-{len(looks)}")
            tag = STYLE.sub(f' class="{called}"', tag)
    return REFERENCE.sub(lambda found: f"{found.group()}{name}-", tag)


def ramps() -> dict[str, list[str]]:
    """Colors for a scale of numbers on light and dark paper, RAMP of them each."""
    from matplotlib.colors import to_hex

    steps = [step / (RAMP - 1) for step in range(RAMP)]
    return {look.name: [to_hex(look.numbers(step)) for step in steps] for look in (LIGHT, DARK)}


def colors_of(theme: int) -> dict[str, str]:
    """The variables on light (0) or dark (1) paper."""
    return {name: pair[theme] for name, pair in VARIABLES.items()}
