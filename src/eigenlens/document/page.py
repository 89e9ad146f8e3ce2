"""Page: what a screen, a Markdown text or an HTML page says, as plain records without layout.

    Page        a title, a lead, sections, and what to type next
    Section     a heading, then parts
    Sentences   an answer, a list, or cautions
    Figures     a table whose entries are ready to be shown
    Code        lines to type
    Chart       an inline SVG, described in words, with its table; Gallery: charts side by side
    Card        one component in words

Charts, galleries and cards are for HTML; their sentences and tables stand elsewhere in text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeAlias

from eigenlens.document.phrases import format_entry, shorten, show_numbers
from eigenlens.document.table import Table
from eigenlens.document.verdict import Verdict

__all__ = [
    "Card",
    "Cell",
    "Chart",
    "Code",
    "Figures",
    "Gallery",
    "Page",
    "PagePart",
    "Section",
    "Sentence",
    "Sentences",
    "answer_section",
    "list_pairs",
    "list_sentences",
    "list_verdicts",
    "show_table",
]

MOST_LINES = 200
MOST_LETTERS = 80


class Sentence(NamedTuple):
    """A sentence; `label`: what it is about; `strong`: the answer that stands before it."""

    text: str
    label: str = ""
    strong: str = ""


@dataclass(frozen=True)
class Sentences:
    lines: tuple[Sentence, ...]
    role: Literal["answer", "caution", "list"] = "list"


class Cell(NamedTuple):
    """`shade`: from -1 to 1, for a table that is read as a heat map."""

    text: str
    shade: float | None = None


@dataclass(frozen=True)
class Figures:
    """`rest`: how many lines the table has beyond those shown; `code` gives them all.

    `bars`: shares of 1, drawn on a screen after the column `bars_after`.
    """

    headings: tuple[str, ...]
    lines: tuple[tuple[Cell, ...], ...]
    numeric: tuple[bool, ...]
    caption: str = ""
    rest: int = 0
    code: str = ""
    notes: tuple[str, ...] = ()
    folded: bool = False
    name: str = ""
    bars: tuple[float, ...] = ()
    bars_after: int = 0


@dataclass(frozen=True)
class Code:
    text: str
    caption: str = ""


@dataclass(frozen=True)
class Chart:
    """`svg` is markup that is safe to insert; `dark` the same for dark paper where they differ.

    `figures` is what is shown of `numbers`.
    """

    name: str
    title: str
    description: str
    svg: str
    figures: Figures
    code: str
    numbers: Table
    dark: str = ""


@dataclass(frozen=True)
class Gallery:
    charts: tuple[Chart, ...]


@dataclass(frozen=True)
class Card:
    """`sides`: a heading, variables with their correlations, and rows, for each end of an axis."""

    name: str
    share: str
    sides: tuple[tuple[str, tuple[tuple[str, str], ...], str], ...]
    goes_with: tuple[str, ...] = ()
    stability: str = ""


PagePart: TypeAlias = Sentences | Figures | Code | Chart | Gallery | tuple[Card, ...]


@dataclass(frozen=True)
class Section:
    """`name`: where links point."""

    heading: str
    parts: Sequence[PagePart]
    name: str = ""


@dataclass(frozen=True)
class Page:
    """`closing`: lines below everything, such as what to type next."""

    title: str
    lead: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    closing: str = ""


def list_sentences(
    sentences: Iterable[str], role: Literal["answer", "caution", "list"] = "list"
) -> Sentences:
    return Sentences(tuple(Sentence(sentence) for sentence in sentences), role)


def list_pairs(pairs: Iterable[tuple[str, str]]) -> Sentences:
    """Labels, each with its text."""
    return Sentences(tuple(Sentence(text, label=label) for label, text in pairs))


def list_verdicts(verdicts: Mapping[str, Verdict]) -> Sentences:
    """One line per choice: its name, the answer, the reason and the rule."""
    return Sentences(
        tuple(
            Sentence(f"{one.reason} [{one.rule}]", label=name, strong=one.answer)
            for name, one in verdicts.items()
        )
    )


def answer_section(
    name: str,
    heading: str,
    answer: Iterable[str],
    parts: Sequence[PagePart] = (),
    cautions: Iterable[str] = (),
) -> Section:
    """The answer in sentences, what must be known to read it, then tables and charts."""
    says, beware = list_sentences(answer, "answer"), list_sentences(cautions, "caution")
    return Section(heading, [says, beware, *parts], name)


def show_table(
    table: Table,
    caption: str = "",
    *,
    most: int = MOST_LINES,
    letters: int = MOST_LETTERS,
    code: str = "",
    shaded: Mapping[str, float] | None = None,
    headings: Mapping[str, str] | None = None,
    places: Mapping[str, int] | None = None,
    sentences: Collection[str] = (),
    folded: bool = False,
    name: str = "",
) -> Figures:
    """The first `most` lines of a table, every entry as text of at most `letters` letters.

    `shaded`: column -> the number that has the full shade; `places`: column -> decimals;
    `sentences`: columns that are not cut.
    """
    names, digits, shades = dict(headings or {}), dict(places or {}), dict(shaded or {})
    columns = {name: list(column[:most]) for name, column in table.columns.items()}
    cut = {column for column in columns if column not in sentences}
    lines = tuple(
        tuple(
            Cell(
                shorten(text, letters) if column in cut else text,
                shade_of(entry, shades.get(column)),
            )
            for column, entry in zip(columns, line, strict=True)
            for text in (format_entry(entry, digits.get(column)),)
        )
        for line in zip(*columns.values(), strict=True)
    )
    return Figures(
        tuple(shorten(names.get(one, one), letters) for one in columns),
        lines,
        tuple(show_numbers(column) for column in columns.values()),
        caption,
        max(len(table) - most, 0),
        code,
        table.notes,
        folded,
        name,
    )


def shade_of(entry: Any, full: float | None) -> float | None:
    if full is None or not isinstance(entry, Real) or entry != entry:
        return None
    return round(max(-1.0, min(1.0, float(entry) / full)), 2)
