"""part: what a section of the page is made of. Plain records; `templates/` lays them out.

    Section     a heading, sentences that answer it, then parts
    Chart       an inline SVG with its words for those who cannot see it, and its table
    Gallery     charts side by side
    Listing     a table, as text that is ready to be shown
    Code        lines to type

Names are cut at MOST_LETTERS; one of ten thousand letters is listed whole once, among the
variables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from eigenlens.listing import Table, words
from eigenlens.model.subspace import Subspace

__all__ = [
    "Chart",
    "Code",
    "Gallery",
    "Listing",
    "Section",
    "components",
    "counted",
    "cut",
    "listing",
]

MOST_LINES = 200
MOST_LETTERS = 80
MOST_OF_SENTENCES = 500


@dataclass(frozen=True)
class Cell:
    """`shade`: from -1 to 1, for a table that is read as a heat map."""

    text: str
    number: bool = False
    shade: float | None = None


@dataclass(frozen=True)
class Listing:
    """`rest`: how many lines the table has beyond those shown; `code` gives them all."""

    caption: str
    headings: Sequence[Cell]
    lines: Sequence[Sequence[Cell]]
    rest: int = 0
    code: str = ""
    kind: str = "table"
    folded: bool = False
    name: str = ""


@dataclass(frozen=True)
class Chart:
    """`svg` is markup that is safe to insert; `dark` the same for dark paper where they differ.

    `table` is what is shown of `numbers`.
    """

    name: str
    title: str
    description: str
    svg: str
    table: Listing
    code: str
    numbers: Table
    dark: str = ""
    kind: str = "chart"


@dataclass(frozen=True)
class Gallery:
    charts: Sequence[Chart]
    kind: str = "gallery"


@dataclass(frozen=True)
class Code:
    caption: str
    text: str
    kind: str = "code"


@dataclass(frozen=True)
class Section:
    """`says`: the answer, in sentences; `cautions`: what must be known to read it."""

    name: str
    title: str
    says: Sequence[str]
    parts: Sequence[Any] = ()
    cautions: Sequence[str] = ()
    cards: Sequence[Mapping[str, Any]] = ()
    long_names: Sequence[str] = ()


def cut(text: object, most: int = MOST_LETTERS) -> str:
    shown = str(text)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def components(model: Subspace) -> str:
    count = model.n_components
    return f"{count or 'no'} component{'s' if count > 1 else ''}"


def counted(count: int, thing: str) -> str:
    """'1 column', '2,000 columns'."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def listing(
    table: Table,
    caption: str,
    *,
    most: int = MOST_LINES,
    code: str = "",
    shaded: Mapping[str, float] | None = None,
    headings: Mapping[str, str] | None = None,
    places: Mapping[str, int] | None = None,
    sentences: Collection[str] = (),
    folded: bool = False,
    name: str = "",
) -> Listing:
    """The first `most` lines.

    `shaded`: column -> the number that has the full shade; `places`: column -> digits after the
    point; `sentences`: columns that are not cut.
    """
    names = dict(headings or {})
    columns = {name: list(column[:most]) for name, column in table.columns.items()}
    numeric = {name: is_numeric(column) for name, column in columns.items()}
    heads = [Cell(cut(names.get(name, name)), numeric[name]) for name in columns]
    shades, digits = dict(shaded or {}), dict(places or {})
    letters = {n: MOST_OF_SENTENCES if n in sentences else MOST_LETTERS for n in columns}
    lines = [
        [
            Cell(
                cut(written(entry, digits.get(column)), letters[column]),
                numeric[column],
                shade(entry, shades.get(column)),
            )
            for column, entry in zip(columns, line, strict=True)
        ]
        for line in zip(*columns.values(), strict=True)
    ]
    return Listing(caption, heads, lines, max(len(table) - most, 0), code, folded=folded, name=name)


def written(entry: Any, places: int | None) -> str:
    if places is None or not isinstance(entry, Real) or entry != entry:
        return words(entry)
    return f"{round(float(entry), places) + 0.0:.{places}f}"  # no minus before nothing


def is_numeric(column: Sequence[Any]) -> bool:
    known = [entry for entry in column if entry is not None]
    return bool(known) and all(
        isinstance(entry, Real) and not isinstance(entry, bool) for entry in known
    )


def shade(entry: Any, full: float | None) -> float | None:
    if full is None or not isinstance(entry, Real) or entry != entry:
        return None
    return round(max(-1.0, min(1.0, float(entry) / full)), 2)
