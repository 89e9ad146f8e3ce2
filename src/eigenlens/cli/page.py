"""page: what a command has to say, as plain records; `screen.py` and `markdown.py` lay them out.

Page       a title, what it is about, sections, and what to type next
Section    a heading, then parts: sentences, a grid of figures, lines to type
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from eigenlens.errors.wording import brief
from eigenlens.listing import Table, is_numeric, words

__all__ = ["Grid", "Listed", "Page", "Part", "Section", "Typed", "grid_of", "said"]

MOST_LINES = 20
MOST_LETTERS = 40  # of an entry that is not the last of its line


@dataclass(frozen=True)
class Listed:
    """Sentences, each with a name before it, or a dot where the name is empty.

    `strong_until`: what stands before these words is the answer, and is shown as such.
    """

    lines: tuple[tuple[str, str], ...]
    strong_until: str = ""


@dataclass(frozen=True)
class Grid:
    """Figures in columns, ready to be shown; `bars`: shares of 1, drawn after column `bars_at`."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]  # which columns are aligned to the right
    more: str = ""
    bars: tuple[float, ...] = ()
    bars_at: int = 0


@dataclass(frozen=True)
class Typed:
    """Lines for a shell."""

    lines: tuple[str, ...]


Part: TypeAlias = Listed | Grid | Typed


@dataclass(frozen=True)
class Section:
    heading: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Page:
    """`closing`: lines below everything, for those who go on."""

    title: str
    lead: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    closing: str = ""


def said(sentences: Iterable[str]) -> Listed:
    return Listed(tuple(("", sentence) for sentence in sentences))


def grid_of(
    table: Table, most: int = MOST_LINES, headings: Sequence[str] | None = None
) -> tuple[Part, ...]:
    """A table as a grid, and its notes; lines beyond `most` are counted."""
    columns = list(table.columns.values())
    rows = [
        tuple(
            brief(words(column[line]), MOST_LETTERS) if place < len(columns) - 1 else words(entry)
            for place, column in enumerate(columns)
            for entry in (column[line],)
        )
        for line in range(min(len(table), most))
    ]
    hidden = len(table) - most
    grid = Grid(
        tuple(headings or table.columns),
        tuple(rows),
        tuple(is_numeric(list(column[:most])) for column in columns),
        f"... and {hidden} more" if hidden > 0 else "",
    )
    return (grid, said(table.notes)) if table.notes else (grid,)
