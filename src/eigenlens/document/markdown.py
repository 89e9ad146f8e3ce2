"""A page as Markdown, for comments and notebooks; names from the data stay text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from eigenlens.document.page import Code, Figures, Page, PagePart, Sentences
from eigenlens.document.phrases import count_things, escape_controls

__all__ = ["escape_markdown", "page_markdown", "table_markdown"]


def page_markdown(page: Page) -> str:
    """Headings, lists and tables, with an empty line between any two of them."""
    parts = [f"# {escape_markdown(page.title)}", *map(escape_markdown, page.lead)]
    for section in page.sections:
        parts += [f"## {escape_markdown(section.heading)}"] if section.heading else []
        parts += [part_markdown(part) for part in section.parts]
    parts += map(escape_markdown, page.closing.splitlines())
    return "\n\n".join(part for part in parts if part)


def escape_markdown(text: str) -> str:
    """Text that stays text: no mark of Markdown, no tag, no new cell."""
    escaped = escape(escape_controls(text), quote=False)
    return re.sub(r"([\\`*|\[\]])", r"\\\1", escaped)


def part_markdown(part: PagePart) -> str:
    if isinstance(part, Sentences):
        return "\n".join(map(render_line, part.lines))
    if isinstance(part, Figures):
        return table_markdown(part)
    if isinstance(part, Code):
        return "\n".join(["```", *map(escape_controls, part.text.splitlines()), "```"])
    return ""  # pictures


def render_line(line: tuple[str, str, str]) -> str:
    text, label, strong = map(escape_markdown, line)
    text = f"{strong}: {text}" if strong else text
    return f"- **{label}**: {text}" if label else f"- {text}"


def table_markdown(figures: Figures) -> str:
    lines = [
        markdown_row(figures.headings),
        f"| {' | '.join('---:' if number else '---' for number in figures.numeric)} |",
        *(markdown_row(cell.text for cell in line) for line in figures.lines),
    ]
    below = [f"… and {count_things(figures.rest, 'more line')}"] if figures.rest else []
    return "\n".join([*lines, *(f"\n{escape_markdown(note)}" for note in (*below, *figures.notes))])


def markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(escape_markdown, cells))} |"
