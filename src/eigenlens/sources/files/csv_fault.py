"""Which line of a CSV file is wrong: a slow look at a piece that the fast reader refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from eigenlens.errors import FileError
from eigenlens.sources.files.csv_layout import COMMAS, CsvLayout, cells_of, is_number_text
from eigenlens.sources.files.line_pieces import byte_stream, line_pieces, lines_before

__all__ = ["find_quoted_break", "first_text_in", "locate_csv_fault"]

PIECE_BYTES = 1 << 20
THOUSANDS = re.compile(r"\s*[-+]?\d{1,3}(,\d{3})+(\.\d*)?\s*")


def locate_csv_fault(
    path: Path,
    layout: CsvLayout,
    places: Sequence[int],
    piece: tuple[int, bytes],
    reason: object,
) -> FileError:
    """The error to raise about `piece`, which begins at that byte of the text."""
    offset, text = piece
    truths = set(layout.truths)
    for number, cells in lines_of(text, layout.separator):
        line = lines_before(path, offset) + number
        if len(cells) != layout.width:
            broken = find_quoted_break(path, line)
            if broken is not None:
                return FileError.quoted_line_break(path, broken)
            return FileError.ragged_line(path, line, layout.width, len(cells))
        for place in places:
            if not is_number_text(cells[place], place in truths):
                found = (path, layout.name(place), cells[place], line)
                if re.fullmatch(COMMAS, cells[place]) is None:
                    return FileError.not_a_number(*found)
                return FileError.decimal_comma(*found, bool(THOUSANDS.fullmatch(cells[place])))
    return FileError.damaged(path, "CSV", str(reason).splitlines()[0].rstrip(". "))


def find_quoted_break(path: Path, last: int | None = None) -> int | None:
    """The first line that ends within quotes, up to line `last`; None where there is none."""
    with byte_stream(path) as stream:
        line = 0
        for piece in line_pieces(stream, PIECE_BYTES):
            for text in piece.splitlines():
                line += 1
                if text.count(b'"') % 2:
                    return line
                if line == last:
                    return None
    return None


def lines_of(text: bytes, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Entries of each line that is not blank, with its number, from 1 on."""
    for number, line in enumerate(text.split(b"\n"), 1):
        stripped = line.rstrip(b"\r")
        if stripped:
            yield number, cells_of(stripped, separator)


def first_text_in(text: bytes, layout: CsvLayout, place: int) -> str:
    for _, cells in lines_of(text, layout.separator):
        if place < len(cells) and not is_number_text(cells[place], truth=False):
            return cells[place]
    return "text"
