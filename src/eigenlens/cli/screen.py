"""A page on the screen, laid out by rich for the width at hand.

| columns at hand    | a grid of figures shows               |
|--------------------|---------------------------------------|
| wide enough        | everything, with a bar per share      |
| too few for a bar  | everything else                       |
| fewer still        | the leading columns                   |

Sentences are wrapped, never cut. Without colors (NO_COLOR, a pipe, a file) nothing is lost: color
only repeats what the words say. What came from the data is shown as text: nothing in it steers the
terminal.
"""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from eigenlens.cli.model_page import model_page
from eigenlens.cli.page import Grid, Listed, Page, Part
from eigenlens.errors.wording import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eigenlens.model.subspace import Subspace

__all__ = ["bar", "console", "page_on", "screen", "show"]

FILE_WIDTH = 80
GAP = 3  # blanks between two columns
FEWEST_FOR_A_BAR, MOST_FOR_A_BAR = 8, 24
FEWEST_FOR_WORDS = 24  # letters a column of sentences has at least
ALIGNED = 24  # letters of a name that others are aligned with
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
    """The whole page of a model."""
    return page_on(model_page(model, title, hint), paper)


def page_on(page: Page, paper: Console) -> RenderableType:
    plain = paper.options.ascii_only
    blocks: list[RenderableType] = [Text(visible(page.title), style="bold")]
    blocks += [Text(visible(line)) for line in page.lead]
    for section in page.sections:
        blocks.append("")
        if section.heading:
            blocks.append(Text(visible(section.heading), style="bold"))
        blocks += [laid_out(part, paper.width - 2, plain) for part in section.parts]
    if page.closing:
        blocks += ["", *(Text(visible(line), style="dim") for line in page.closing.splitlines())]
    return Group(*blocks)


def laid_out(part: Part, width: int, plain: bool) -> RenderableType:
    if isinstance(part, Listed):
        return listed(part, plain)
    if isinstance(part, Grid):
        return grid(part, width, plain)
    return Padding(Text("\n".join(map(visible, part.lines)), style="cyan"), (0, 0, 0, 2))


def listed(part: Listed, plain: bool) -> RenderableType:
    """Names on the left, and beside each its text, wrapped within its own column."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="cyan", max_width=ALIGNED, overflow="fold")
    table.add_column(overflow="fold")
    for name, words in part.lines:
        told = Text(visible(words))
        if part.strong_until:
            told.stylize("bold", 0, max(told.plain.find(part.strong_until), 0))
        table.add_row(Text(visible(name)) if name else "-" if plain else "•", told)
    return Padding(table, (0, 0, 0, 2))


def grid(part: Grid, width: int, plain: bool) -> RenderableType:
    """The table, with as many columns as fit, and a bar where there is room for one."""
    headings = fitting(part, width)
    count, whole = len(headings), len(headings) == len(part.headings)
    room = width - natural_width(part, count) - GAP
    with_bar = bool(part.bars) and whole and room >= FEWEST_FOR_A_BAR
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    for place, heading in enumerate(headings):
        side = "right" if part.right[place] else "left"
        style = STYLES.get(heading)
        last = place == count - 1
        table.add_column(
            Text(visible(heading)),
            justify=side,  # type: ignore[arg-type]
            style=style,
            overflow="fold",
            no_wrap=not last and place > 0,
        )
        if with_bar and place == part.bars_at:
            table.add_column("", style=STYLES["bar"], no_wrap=True)
    largest = max(part.bars, default=1.0) or 1.0
    for place, line in enumerate(part.rows):
        cells = [Text(asciified(cell) if plain else visible(cell)) for cell in line[:count]]
        if with_bar:
            length = min(room, MOST_FOR_A_BAR)
            cells.insert(part.bars_at + 1, Text(bar(part.bars[place] / largest, length, plain)))
        table.add_row(*cells)
    shown = Group(table, Text(part.more, style="dim")) if part.more else table
    return Padding(shown, (0, 0, 0, 2))


def asciified(cell: str) -> str:
    return visible(cell).replace("±", "+-").replace("–", "-").replace("°", " deg")


def fitting(part: Grid, width: int) -> tuple[str, ...]:
    """The leading columns that fit; at least two, which then fold."""
    count = len(part.headings)
    while count > 2 and natural_width(part, count) > width:
        if not part.right[count - 1] and folded_width(part, count) <= width:
            break
        count -= 1
    return part.headings[:count]


def natural_width(part: Grid, count: int) -> int:
    return sum(widths(part, count)) + GAP * (count - 1)


def folded_width(part: Grid, count: int) -> int:
    """What is needed where the last column, of words, goes on below itself."""
    *first, last = widths(part, count)
    return sum(first) + min(last, FEWEST_FOR_WORDS) + GAP * (count - 1)


def widths(part: Grid, count: int) -> Sequence[int]:
    table = [part.headings, *part.rows]
    return [max(cell_len(visible(line[column])) for line in table) for column in range(count)]


def bar(share: float, length: int, plain: bool = False) -> str:
    """A bar of at most `length` characters, drawn to half of one where halves exist."""
    if plain:
        return "#" * round(share * length)
    full, half = divmod(round(share * length * 2), 2)
    return "━" * full + "╸" * half
