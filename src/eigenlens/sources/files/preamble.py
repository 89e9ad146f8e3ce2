"""Lines above the table of a CSV file: comments, titles, counts, facts about a measurement.

They are passed over where it is certain that they are no part of the table: its rows, at least two
of them, have the same number of entries, each line above has another number, and

| the lines above                                        | and the table                         |
|--------------------------------------------------------|---------------------------------------|
| begin with # or %                                      |                                       |
| hold one entry                                         | has three columns or more             |
| hold anything                                          | begins with names, numbers below      |
| are one line with numbers and words, or with the number| is ten rows of numbers or more        |
| of columns                                             |                                       |

A line with one entry less than the rows is a header as R writes it. A comment with as many entries
as the rows is their header, unless names follow. All else is left to the error about lines of
different lengths, which names the option.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile

from eigenlens.document.verdict import Verdict
from eigenlens.sources.files.csv_cells import (
    LINES_COMPARED,
    cells_of,
    find_separator,
    is_written_number,
    only_numbers,
)
from eigenlens.sources.files.quoted_rows import has_odd_quotes, number_rows

__all__ = ["find_preamble"]

COMMENTS = (b"#", b"%")
MOST_LINES = 100  # above a table
FEWEST_ROWS, ROWS_OF_NUMBERS = 2, 10
FEWEST_TABLE_COLUMNS = 3  # below a title
SHOWN = 3
AGAIN = "set 'skip_lines' to change this"


def find_preamble(text: bytes, separator: str | None) -> Verdict | None:
    """How many lines stand above the table, blank ones too; None where the text begins with it."""
    separator = separator or find_separator(lower_half(text))
    rows = list(
        islice(number_rows(text, separator, has_odd_quotes(text)), MOST_LINES + LINES_COMPARED)
    )
    cells = [cells_of(row, separator) for _, row in rows]
    is_comment = [row.lstrip().startswith(COMMENTS) for _, row in rows]
    same = takewhile(lambda row: len(row) == len(cells[-1]), reversed(cells))
    start = len(cells) - len(list(same))
    # Comments may have as many entries as the rows; the last of them may hold the names.
    while is_comment[start] and (
        is_comment[start + 1 : start + 2] == [True] or begins_with_names(cells[start + 1 :])
    ):
        start += 1
    above = [row for row, comment in zip(cells[:start], is_comment, strict=False) if not comment]
    below = cells[start:]
    if not start or len(below) < FEWEST_ROWS or is_header_of_r(cells[start - 1], below):
        return None
    if not is_certain(above, below):
        return None
    skipped = rows[start][0] - 1
    lines = "the first line" if skipped == 1 else f"the first {skipped} lines"
    verb = "is" if skipped == 1 else "are"
    words = f"{lines} {verb} no part of the table, whose lines have {len(below[0])} entries"
    evidence = {"first_line": cells[0][:SHOWN], "entries": [len(row) for row in cells[:start]]}
    return Verdict(skipped, "first lines", f"{words}; {AGAIN}", evidence)


def is_certain(above: Sequence[Sequence[str]], below: Sequence[Sequence[str]]) -> bool:
    """Whether lines that are no comments are no part of the table below them."""
    width = len(below[0])
    if any(len(row) == width for row in above):
        return False
    if begins_with_names(below) or (
        width >= FEWEST_TABLE_COLUMNS and all(len(row) == 1 for row in above)
    ):
        return True
    if len(above) != 1 or len(below) < ROWS_OF_NUMBERS or not all(map(only_numbers, below)):
        return False
    numbers = [cell.strip() for cell in above[0] if is_written_number(cell)]
    counts = {str(width), str(width - 1)}  # a file may name its measurements and one class
    return bool(numbers) and (len(numbers) < len(above[0]) or bool(counts & set(numbers)))


def begins_with_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a line without any number stands above lines with some."""
    some = [any(map(is_written_number, row)) for row in rows]
    return len(rows) >= FEWEST_ROWS and not some[0] and all(some[1:]) and all(rows[0])


def is_header_of_r(last: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a line is the names of the rows below, whose first column has none."""
    named = 1 < len(last) == len(rows[0]) - 1 and not any(map(is_written_number, last))
    return named and not begins_with_names(rows)


def lower_half(text: bytes) -> bytes:
    """From the middle of the first lines on: what is above the table may have other separators."""
    lines = [line for line in text[: 1 << 16].split(b"\n") if line.strip()]
    return b"\n".join(lines[min(len(lines), MOST_LINES) // 2 :])
