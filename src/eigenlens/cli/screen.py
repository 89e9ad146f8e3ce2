"""A model on the screen: its page, laid out by rich for the width at hand.

| columns at hand    | the table of eigenvalues shows        |
|--------------------|---------------------------------------|
| wide enough        | everything, with a bar per proportion |
| too few for a bar  | everything else                       |
| fewer still        | the leading columns                   |

Sentences are wrapped, never cut. Without colors (NO_COLOR, a pipe, a file) nothing is lost: color
only repeats what the words say.
"""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from eigenlens.model.page import HEADINGS, headline, more, rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from eigenlens.model.subspace import Subspace

__all__ = ["bar", "console", "screen", "show"]

MOST_LINES = 10
FILE_WIDTH = 80
GAP = 3  # blanks between two columns
FEWEST_FOR_A_BAR, MOST_FOR_A_BAR = 8, 24
STYLES = {"eigenvalue": "bold", "certified": "green", "bar": "cyan"}


def console() -> Console:
    """The screen, or the file or pipe that stands in its place."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # an ASCII terminal shows "?" rather than fails
    paper = Console(highlight=False)
    if not paper.is_terminal:
        paper.width = max(paper.width, FILE_WIDTH)  # a file does not share the window's width
    return paper


def show(page: RenderableType, paper: Console) -> None:
    """Print it without the blanks that rich fills lines up with: files and pipes keep them."""
    with paper.capture() as captured:
        paper.print(page)
    for line in captured.get().splitlines():
        print(line.rstrip(), file=paper.file)


def screen(model: Subspace, title: str, hint: str, paper: Console) -> RenderableType:
    """The whole page."""
    plain = paper.options.ascii_only
    dot = "-" if plain else "•"
    choices = []
    for name, verdict in model.choices.items():
        value, by, reason = str(verdict).partition(" by ")
        choices.append((name, Text.assemble((value, "bold"), by, reason)))
    return Group(
        Text(title, style="bold"),
        Text(headline(model)),
        "",
        eigenvalues(model, paper.width - 2, plain),
        "",
        Text("What is proven", style="bold"),
        listed([(dot, Text(sentence)) for sentence in model.certificate.sentences]),
        "",
        Text("What was chosen, and why", style="bold"),
        listed(choices),
        "",
        Text(hint, style="dim"),
    )


def listed(pairs: Iterable[tuple[str, RenderableType]]) -> RenderableType:
    """Names on the left, and beside each its text, wrapped within its own column."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, words in pairs:
        grid.add_row(name, words)
    return Padding(grid, (0, 0, 0, 2))


def eigenvalues(model: Subspace, width: int, plain: bool) -> RenderableType:
    """The table, with as many columns as fit, and a bar where there is room for one."""
    lines = rows(model, MOST_LINES)
    headings = fitting(HEADINGS, lines, width)
    room = width - natural_width(headings, lines) - GAP
    with_bar = headings == HEADINGS and room >= FEWEST_FOR_A_BAR
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    for heading in headings:
        side = "left" if heading == HEADINGS[0] else "right"
        style = STYLES.get(heading)
        table.add_column(heading, justify=side, style=style, overflow="fold")  # type: ignore[arg-type]
        if with_bar and heading == "proportion":
            table.add_column("", style=STYLES["bar"], no_wrap=True)
    largest = float(model.explained_ratio[0])
    for line, share in zip(lines, model.explained_ratio, strict=False):
        cells = [cell.replace("±", "+-") if plain else cell for cell in line[: len(headings)]]
        if with_bar:
            length = min(room, MOST_FOR_A_BAR)
            cells.insert(4, bar(float(share) / largest, length, plain))
        table.add_row(*cells)
    hidden = more(model, MOST_LINES)
    return Padding(Group(table, Text(hidden, style="dim")) if hidden else table, (0, 0, 0, 2))


def fitting(headings: tuple[str, ...], lines: list[tuple[str, ...]], width: int) -> tuple[str, ...]:
    """The leading columns that fit; at least two, which then fold."""
    while len(headings) > 2 and natural_width(headings, lines) > width:
        headings = headings[:-1]
    return headings


def natural_width(headings: tuple[str, ...], lines: list[tuple[str, ...]]) -> int:
    table = [headings, *lines]
    widths = [max(len(line[column]) for line in table) for column in range(len(headings))]
    return sum(widths) + GAP * (len(widths) - 1)


def bar(share: float, length: int, plain: bool = False) -> str:
    """A bar of at most `length` characters, drawn to half of one where halves exist."""
    if plain:
        return "#" * round(share * length)
    full, half = divmod(round(share * length * 2), 2)
    return "━" * full + "╸" * half
