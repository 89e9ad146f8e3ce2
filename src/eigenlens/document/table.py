"""Table: figures for people, in named columns. Every report and every explanation gives one.

rule      k  question
screenot  5  denoising
fraction  72 compression

Half of the rows would give 4 to 6.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eigenlens.document.phrases import is_blank
from eigenlens.errors import OptionError
from eigenlens.errors.system import os_errors

__all__ = ["Table"]

MOST_LINES = 60  # shown; all of them are in the frames and files
MOST_LETTERS = 60  # of one entry on a screen, but those of the last column


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
        """The text, and the same in a file where a path is given, which appears when complete."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        for entries in zip(*self.columns.values(), strict=True):
            writer.writerow("" if is_blank(entry) else entry for entry in entries)
        if path is not None:
            write_whole(path, text.getvalue())
        return text.getvalue()

    # -- for people ------------------------------------------------------------------------

    def to_markdown(self) -> str:
        from eigenlens.document.markdown import table_markdown
        from eigenlens.document.page import show_table

        return table_markdown(show_table(self, most=len(self), sentences=self.columns))

    def __str__(self) -> str:
        from eigenlens.document.page import show_table
        from eigenlens.document.text import table_text

        last = list(self.columns)[-1:]
        return table_text(show_table(self, most=MOST_LINES, letters=MOST_LETTERS, sentences=last))

    def to_html(self, most: int | None = None) -> str:
        """A plain table of the first `most` lines, or of all; notes as paragraphs below it."""
        from eigenlens.document.html import table_html
        from eigenlens.document.page import show_table

        shown = len(self) if most is None else most
        return table_html(show_table(self, most=shown, sentences=self.columns))

    def _repr_html_(self) -> str:
        from eigenlens.document.notebook import notebook_html

        return notebook_html(f'<div class="scroll">{self.to_html(MOST_LINES)}</div>')


def write_whole(path: str | Path, text: str) -> None:
    """The file appears when it is complete; links and permissions stay."""
    from eigenlens.machine.whole_file import whole_file

    with os_errors(path, "written"), whole_file(Path(path)) as unfinished:
        # Halves of emoji, which some files hold in place of text, cannot be written as UTF-8.
        unfinished.write_bytes(text.encode("utf-8", errors="replace"))
