"""A page as text, laid out by rich for the width at hand.

| columns at hand    | a table shows                         |
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
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from eigenlens.document.page import Code, Figures, Page, PagePart, Sentences
from eigenlens.document.phrases import count_things, escape_controls

__all__ = ["draw_bar", "lay_out", "open_console", "page_text", "print_page", "table_text"]

FILE_WIDTH = 80
PAGE_WIDTH = 100
TABLE_WIDTH = 120
GAP = 2  # blanks between two columns
FEWEST_FOR_A_BAR, MOST_FOR_A_BAR = 8, 24
FEWEST_FOR_WORDS = 24  # letters a column of sentences has at least
MOST_FOR_WORDS = 60  # letters a column of sentences has at least in a table of its own
ALIGNED = 24  # letters of a name that others are aligned with


def open_console() -> Console:
    """The screen, or the file or pipe that stands in its place."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # an ASCII terminal shows "?" rather than fails
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, FILE_WIDTH)  # a file does not share the window's width
    return console


def print_page(page: Page, console: Console) -> None:
    print(capture_text(lay_out(page, console), console), file=console.file)


def page_text(page: Page, width: int = PAGE_WIDTH) -> str:
    """The page without colors."""
    console = plain_console(width)
    return capture_text(lay_out(page, console), console)


def table_text(figures: Figures) -> str:
    """A table of its own: every column is shown, sentences in the last one are wrapped."""
    if not figures.headings:
        return ""
    *first, last = natural_widths(figures, len(figures.headings))
    start = sum(first) + GAP * len(first)
    width = max(start + min(last, max(TABLE_WIDTH - start, MOST_FOR_WORDS)), MOST_FOR_WORDS)
    parts = [capture_text(lay_out_figures(figures, width, ascii_only=False), plain_console(width))]
    if figures.notes:
        console = plain_console(TABLE_WIDTH)
        parts += [
            "",
            *(capture_text(Text(escape_controls(note)), console) for note in figures.notes),
        ]
    return "\n".join(parts)


def plain_console(width: int) -> Console:
    return Console(
        file=io.StringIO(), width=width, color_system=None, force_terminal=False, highlight=False
    )


def capture_text(page: RenderableType, console: Console) -> str:
    """The text, without the blanks that rich fills lines up with."""
    with console.capture() as capture:
        console.print(page)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def lay_out(page: Page, console: Console) -> RenderableType:
    ascii_only = console.options.ascii_only
    blocks: list[RenderableType] = (
        [Text(escape_controls(page.title), style="bold")] if page.title else []
    )
    blocks += [Text(escape_controls(line)) for line in page.lead]
    for section in page.sections:
        blocks.append("")
        if section.heading:
            blocks.append(Text(escape_controls(section.heading), style="bold"))
        for part in section.parts:
            blocks += lay_out_part(part, console.width - 2, ascii_only)
    if page.closing:
        blocks += [
            "",
            *(Text(escape_controls(line), style="dim") for line in page.closing.splitlines()),
        ]
    return Group(*blocks)


def lay_out_part(part: PagePart, width: int, ascii_only: bool) -> list[RenderableType]:
    if isinstance(part, Sentences):
        return [indent(lay_out_sentences(part, ascii_only))]
    if isinstance(part, Figures):
        notes = [Text(escape_controls(note)) for note in part.notes]
        return [indent(one) for one in (lay_out_figures(part, width, ascii_only), *notes)]
    if isinstance(part, Code):
        return [indent(Text("\n".join(map(escape_controls, part.text.splitlines())), style="cyan"))]
    return []  # pictures


def indent(block: RenderableType) -> RenderableType:
    return Padding(block, (0, 0, 0, 2))


def lay_out_sentences(part: Sentences, ascii_only: bool) -> RenderableType:
    """Labels on the left, and beside each its text, wrapped within its own column."""
    table = RichTable.grid(padding=(0, 2, 0, 0))
    table.add_column(style="cyan", max_width=ALIGNED, overflow="fold")
    table.add_column(overflow="fold")
    for line in part.lines:
        sentence = Text()
        sentence.append(escape_controls(f"{line.strong}: " if line.strong else ""), style="bold")
        sentence.append(escape_controls(line.text))
        label = escape_controls(line.label) or ("-" if ascii_only else "•")
        table.add_row(Text(label), sentence)
    return table


def lay_out_figures(part: Figures, width: int, ascii_only: bool) -> RenderableType:
    """The table, with as many columns as fit, and a bar where there is room for one."""
    count = fitting_columns(part, width)
    space = width - natural_width(part, count) - GAP
    with_bar = bool(part.bars) and count == len(part.headings) and space >= FEWEST_FOR_A_BAR
    table = RichTable(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    for place, heading in enumerate(part.headings[:count]):
        table.add_column(
            Text(escape_controls(heading)),
            justify="right" if part.numeric[place] else "left",
            overflow="fold",
            no_wrap=place > 0 and place < count - 1,
        )
        if with_bar and place == part.bars_after:
            table.add_column("", style="cyan", no_wrap=True)
    largest = max(part.bars, default=1.0) or 1.0
    for place, line in enumerate(part.lines):
        cells = [
            Text(in_ascii(one.text) if ascii_only else escape_controls(one.text)) for one in line
        ]
        cells = cells[:count]
        if with_bar:
            length = min(space, MOST_FOR_A_BAR)
            bar = draw_bar(part.bars[place] / largest, length, ascii_only)
            cells.insert(part.bars_after + 1, Text(bar))
        table.add_row(*cells)
    if not part.rest:
        return table
    more = f"{'...' if ascii_only else '…'} and {count_things(part.rest, 'more line')}"
    return Group(table, Text(more, style="dim"))


def in_ascii(text: str) -> str:
    return escape_controls(text).replace("±", "+-").replace("–", "-").replace("°", " deg")


def fitting_columns(part: Figures, width: int) -> int:
    """How many leading columns fit; at least two, which then fold."""
    count = len(part.headings)
    while count > 2 and natural_width(part, count) > width:
        if not part.numeric[count - 1] and folded_width(part, count) <= width:
            break
        count -= 1
    return count


def natural_width(part: Figures, count: int) -> int:
    return sum(natural_widths(part, count)) + GAP * (count - 1)


def folded_width(part: Figures, count: int) -> int:
    """What is needed where the last column, of words, goes on below itself."""
    *first, last = natural_widths(part, count)
    return sum(first) + min(last, FEWEST_FOR_WORDS) + GAP * (count - 1)


def natural_widths(part: Figures, count: int) -> Sequence[int]:
    return [
        max(
            cell_len(escape_controls(part.headings[column])),
            max((cell_len(escape_controls(line[column].text)) for line in part.lines), default=0),
        )
        for column in range(count)
    ]


def draw_bar(share: float, length: int, ascii_only: bool = False) -> str:
    """A bar of at most `length` characters, drawn to half of one where halves exist."""
    if ascii_only:
        return "#" * round(share * length)
    full, half = divmod(round(share * length * 2), 2)
    return "━" * full + "╸" * half
