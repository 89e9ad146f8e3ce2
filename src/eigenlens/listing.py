"""Table: figures for people, in named columns. Every report and every explanation gives one.

rule      k  question
screenot  5  denoising
fraction  72 compression

Half of the rows would give 4 to 6.
"""

from __future__ import annotations

import csv
import io
import math
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from eigenlens.errors import OptionError
from eigenlens.errors.wording import visible

__all__ = ["Table", "plain_markdown", "short", "words"]

MOST_LINES = 60  # shown; all of them are in the frames and files
MOST_LETTERS = 60  # of one entry, but those of the last column
PAGE_WIDTH = 120


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length: `table["k"]` is one of them, `len(table)` how many lines there are.

    `notes` are sentences that a reader of the figures must know. They stand below the table in
    text, Markdown and HTML; frames and CSV hold figures only.

    >>> table = Table({"rule": ["screenot", "gap"], "k": [5, None]})
    >>> print(table)
    rule      k
    screenot  5
    gap       –
    """

    columns: Mapping[str, Sequence[Any]]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len({len(column) for column in self.columns.values()}) > 1:
            lengths = {name: len(column) for name, column in self.columns.items()}
            raise OptionError.needs(f"Table({lengths})", "columns of equal length", "Pad them.")

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: str) -> Sequence[Any]:
        if name not in self.columns:
            raise OptionError.unknown("column", name, self.columns)
        return self.columns[name]

    def lines(self) -> Iterator[dict[str, Any]]:
        """One mapping from name to entry per line."""
        for entries in zip(*self.columns.values(), strict=True):
            yield dict(zip(self.columns, entries, strict=True))

    # -- for other programs ----------------------------------------------------------------

    def to_pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(dict(self.columns))

    def to_polars(self) -> Any:
        import polars

        return polars.DataFrame(dict(self.columns), strict=False)

    def to_csv(self, path: str | Path | None = None) -> str:
        """The text, and the same in a file where a path is given."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        for entries in zip(*self.columns.values(), strict=True):
            writer.writerow("" if is_nothing(entry) else entry for entry in entries)
        if path is not None:
            Path(path).write_text(text.getvalue(), encoding="utf-8")
        return text.getvalue()

    # -- for people ------------------------------------------------------------------------

    def to_markdown(self) -> str:
        rows = [
            [plain_markdown(visible(name)) for name in self.columns],
            ["---"] * len(self.columns),
        ]
        rows += [[plain_markdown(words(entry)) for entry in line.values()] for line in self.lines()]
        lines = [f"| {' | '.join(row)} |" for row in rows]
        return "\n".join([*lines, *(f"\n{plain_markdown(note)}" for note in self.notes)])

    def __str__(self) -> str:
        lines = self.aligned() if self.columns else []
        if len(self) > MOST_LINES:
            lines.append(f"… and {len(self) - MOST_LINES} more lines")
        if self.notes:
            lines += ["", *(line for note in self.notes for line in hanging("", note, PAGE_WIDTH))]
        return "\n".join(lines)

    def aligned(self) -> list[str]:
        """The lines shown, the names first."""
        *first, last = [
            [visible(name), *(words(entry) for entry in column[:MOST_LINES])]
            for name, column in self.columns.items()
        ]
        aligned = [
            [
                short(text).rjust(width(texts))
                if is_numeric(column[:MOST_LINES])
                else short(text).ljust(width(texts))
                for text in texts
            ]
            for texts, column in zip(first, self.columns.values(), strict=False)
        ]
        begun = ["  ".join([*texts, ""]) for texts in zip(*aligned, strict=True)] or [""] * len(
            last
        )
        if is_numeric(list(self.columns.values())[-1][:MOST_LINES]):
            last = [text.rjust(width(last)) for text in last]
        room = max(PAGE_WIDTH - len(begun[0]), MOST_LETTERS)
        return [
            line
            for start, text in zip(begun, last, strict=True)
            for line in hanging(start, text, room)
        ]

    def to_html(self, most: int | None = None) -> str:
        """A plain table of the first `most` lines, or of all; notes as paragraphs below it."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>"
            + "".join(f"<td>{escape(words(entry))}</td>" for entry in line.values())
            + "</tr>"
            for line in islice(self.lines(), most)
        )
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        if most is not None and len(self) > most:
            notes = f"<p>… and {len(self) - most} more lines</p>{notes}"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"

    def _repr_html_(self) -> str:
        return self.to_html(MOST_LINES)


def short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"


def width(texts: Sequence[str]) -> int:
    return max(len(short(text)) for text in texts)


def hanging(start: str, text: str, room: int) -> list[str]:
    """The end of a line: sentences, which go on below where they began."""
    if len(text) <= room:
        return [(start + text).rstrip()]
    first, *more = textwrap.wrap(text, room, break_on_hyphens=False)
    return [start + first, *(" " * len(start) + line for line in more)]


def is_numeric(column: Sequence[Any]) -> bool:
    return all(entry is None or isinstance(entry, Real) for entry in column)


def is_nothing(entry: Any) -> bool:
    return entry is None or (isinstance(entry, float) and math.isnan(entry))


def words(entry: Any) -> str:
    """An entry as it is shown: four digits of a number, a dash for nothing."""
    if is_nothing(entry):
        return "–"
    if type(entry).__name__ in ("bool", "bool_"):  # numpy's too
        return "yes" if entry else "no"
    if isinstance(entry, Real) and not isinstance(entry, Integral):
        return f"{float(entry):.4g}"
    return visible(str(entry))


def plain_markdown(text: str) -> str:
    """Text that stays text: no mark of Markdown, no tag, no new cell."""
    escaped = escape(text, quote=False)
    return re.sub(r"([\\`*|\[\]])", r"\\\1", escaped)
