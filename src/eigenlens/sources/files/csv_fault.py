"""Which line of a CSV file is wrong: a slow look at a piece that the fast reader refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from eigenlens.errors import FileError, TextFileError
from eigenlens.sources.files.csv_cells import cells_of
from eigenlens.sources.files.csv_layout import CsvLayout, is_number_text
from eigenlens.sources.files.line_pieces import byte_stream, lines_before
from eigenlens.sources.files.number_style import is_like_number
from eigenlens.sources.files.quoted_rows import is_open_quote, number_rows, quoted_pieces

__all__ = ["find_unclear", "first_text_in", "locate_csv_fault", "locate_open_quote"]

PIECE_BYTES = 1 << 20


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
    for number, row in number_rows(text, layout.separator, layout.quoted_breaks):
        cells = cells_of(row, layout.separator)
        line = lines_before(path, offset, layout.encoding.value) + number
        if len(cells) != layout.width:
            return TextFileError.ragged_line(path, line, layout.width, len(cells))
        for place in places:
            style = layout.style(place)
            if not is_number_text(cells[place], place in truths, style):
                found = (path, layout.name(place), cells[place], line, layout.name_of_row(cells))
                if is_like_number(cells[place]):
                    return TextFileError.other_style(*found)
                return FileError.not_a_number(*found)
    return FileError.damaged(path, "CSV", str(reason).splitlines()[0].rstrip(". "))


def find_unclear(path: Path, layout: CsvLayout, place: int) -> FileError:
    """The error about a column whose numbers can be read in two ways, with its first such entry."""
    with byte_stream(path, layout.first_byte, layout.encoding.value) as stream:
        for piece in quoted_pieces(stream, PIECE_BYTES, layout.separator):
            for number, row in number_rows(piece, layout.separator, layout.quoted_breaks):
                cells = cells_of(row, layout.separator)
                one, other = layout.unclear[place][:2]
                if place < len(cells) and not is_number_text(cells[place], truth=False):
                    line = lines_before(path, layout.first_byte, layout.encoding.value) + number
                    signs = (one.decimal, other.thousands)
                    return TextFileError.unclear_number(
                        path, layout.name(place), cells[place], line, signs
                    )
            break
    return FileError.not_a_number(path, layout.name(place), "text")


def locate_open_quote(path: Path, layout: CsvLayout) -> FileError:
    """The error about a quote that is not closed: rows are fewer than lines were counted."""
    encoding, offset = layout.encoding.value, layout.first_byte
    line = lines_before(path, offset, encoding)
    with byte_stream(path, offset, encoding) as stream:
        for piece in quoted_pieces(stream, PIECE_BYTES, layout.separator):
            if is_open_quote(piece, layout.separator):
                *_, (number, _) = number_rows(piece, layout.separator, quoted=True)
                return TextFileError.open_quote(path, line + number)
            line += piece.count(b"\n")
    return TextFileError.open_quote(path, None)


def first_text_in(text: bytes, layout: CsvLayout, place: int) -> str:
    for _, row in number_rows(text, layout.separator, layout.quoted_breaks):
        cells = cells_of(row, layout.separator)
        if place < len(cells) and not is_number_text(cells[place], truth=False):
            return cells[place]
    return "text"
