"""A page as Markdown, for comments and notebooks; names from the data stay text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eigenlens.cli.page import Grid, Listed, Page, Part
from eigenlens.errors.wording import visible
from eigenlens.listing import plain_markdown

__all__ = ["markdown"]


def markdown(page: Page) -> str:
    """Headings, lists and tables, with an empty line between any two of them."""
    parts = [f"# {text(page.title)}", *map(text, page.lead)]
    for section in page.sections:
        parts += [f"## {text(section.heading)}"] if section.heading else []
        parts += [laid_out(part) for part in section.parts]
    parts += map(text, page.closing.splitlines())
    return "\n\n".join(part for part in parts if part)


def text(words: str) -> str:
    return plain_markdown(visible(words))


def laid_out(part: Part) -> str:
    if isinstance(part, Listed):
        return "\n".join(bullets(part.lines))
    if isinstance(part, Grid):
        return "\n".join([*lines_of(part), *([f"\n{text(part.more)}"] if part.more else [])])
    return "\n".join(["```", *map(visible, part.lines), "```"])


def bullets(lines: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, words in lines:
        yield f"- **{text(name)}**: {text(words)}" if name else f"- {text(words)}"


def lines_of(grid: Grid) -> Iterator[str]:
    yield row(grid.headings)
    yield f"| {' | '.join('---:' if right else '---' for right in grid.right)} |"
    yield from map(row, grid.rows)


def row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(text, cells))} |"
