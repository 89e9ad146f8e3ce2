"""CSV and TSV, plain or compressed: parsed by pyarrow, some pieces of the file at the same time.

Cost     parsing, at every pass; columns that are not asked for cost little, but are cut all the
         same. Opening counts the lines without parsing them.
Start    plain files, every few megabytes; compressed ones, and those in another encoding than
         UTF-8, at their beginning only.
Traps    empty entries and the usual spellings of a missing value (NA, null, nan, ...) are NaN.
         Dates and text are left out. Files with line breaks in quotes are cut by one thread.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import FileError
from eigenlens.errors.row_place import RowPlace
from eigenlens.machine.parallel import ordered_map
from eigenlens.sources.columns import Picked
from eigenlens.sources.files.arrow_batches import (
    ArrowPart,
    arrow_row_blocks,
    explaining_arrow_errors,
    skip_rows,
)
from eigenlens.sources.files.contents import Contents
from eigenlens.sources.files.csv_cells import cells_of
from eigenlens.sources.files.csv_fault import (
    find_unclear,
    first_text_in,
    locate_csv_fault,
    locate_open_quote,
)
from eigenlens.sources.files.csv_kinds import add_column_kinds
from eigenlens.sources.files.csv_layout import CsvLayout, csv_layout_of, csv_options
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.files.line_pieces import (
    LineCount,
    add_counts,
    byte_stream,
    can_seek,
    count_lines,
    line_pieces,
    lines_before,
    parsing_threads,
)
from eigenlens.sources.files.number_style import read_styled_numbers
from eigenlens.sources.files.quoted_rows import is_open_quote, number_rows, quoted_pieces
from eigenlens.sources.files.text_format import AS_FOUND, UTF8, TextFormat
from eigenlens.sources.protocol import FloatArray

__all__ = ["ENDINGS", "CsvReader", "reader_of"]

ENDINGS = (
    ".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.zst", ".tsv.zst", ".csv.zip", ".tsv.zip",
)  # fmt: skip
KIND = "CSV"

PIECE_BYTES = 4 << 20
SMALLEST_PIECE, LARGEST_PIECE = 1 << 16, 1 << 24
FEWEST_LINES = 256  # as many at least, for each column has its own cost


@dataclass(frozen=True, eq=False)
class CsvReader:
    path: Path
    layout: CsvLayout
    counted: LineCount
    stored_bytes: int
    opened: str

    dtype = np.dtype(np.float64)
    is_sparse = False
    by_columns = False
    bytes_per_second = 1.5e8  # of text

    @property
    def label(self) -> str:
        return str(self.path)

    @property
    def shape(self) -> tuple[int, int]:
        return self.counted.lines, len(self.layout.numeric)

    @property
    def names(self) -> tuple[str, ...] | None:
        if self.layout.names is None:
            return None
        return tuple(self.layout.names[place] for place in self.layout.numeric)

    @property
    def starts(self) -> tuple[int, ...]:
        return self.counted.mark_lines

    @property
    def contents(self) -> Contents:
        return self.layout.contents

    @property
    def left_out(self) -> tuple[str, ...]:
        return tuple(map(self.layout.name, self.layout.others))

    @property
    def decided(self) -> dict[str, Verdict]:
        """How the file is written: what a person may want to know or change."""
        layout = self.layout
        found = {"header": layout.header}
        if layout.encoding.value != UTF8:
            found["encoding"] = layout.encoding
        if layout.preamble is not None:
            found["skip_lines"] = layout.preamble
        return found if layout.numbers is None else {**found, "numbers": layout.numbers}

    @property
    def working_bytes(self) -> int:
        """What reading holds besides its blocks: text and numbers of the pieces being parsed."""
        return 3 * (parsing_threads() + 1) * self.piece_bytes(self.shape[0])

    def fingerprint(self) -> str:
        return f"{stamp_of(self.path)} {self.layout}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[FloatArray]:
        mark = bisect_right(self.counted.mark_lines, start) - 1
        before, offset = self.counted.mark_lines[mark], self.counted.mark_bytes[mark]
        places = np.array(self.layout.numeric)[columns].tolist()
        parse = partial(
            parse_csv_piece, self.path, self.layout, places, csv_options(self.layout, places)
        )
        for place in places:
            if place in self.layout.unclear:
                raise find_unclear(self.path, self.layout, place)
        seen = start
        encoding = self.layout.encoding.value
        with (
            explaining_arrow_errors(self.path, KIND),
            byte_stream(self.path, offset, encoding) as stream,
        ):
            pieces = number_pieces(row_pieces(stream, self.piece_bytes(rows), self.layout), offset)
            wanted = skip_rows(ordered_map(parse, pieces, parsing_threads()), start - before)
            for block in arrow_row_blocks(wanted, rows, self.shape[0] - start, self.dtype):
                seen += len(block)
                yield block
        if seen < self.shape[0] and stamp_of(self.path) == self.opened:
            raise locate_open_quote(self.path, self.layout)

    def locate_rows(self, rows: Sequence[int]) -> dict[int, RowPlace]:
        """Line of the file, and name, of some rows."""
        return {row: self.locate_row(row) for row in rows}

    def locate_row(self, row: int) -> RowPlace:
        mark = bisect_right(self.counted.mark_lines, row) - 1
        before, offset = self.counted.mark_lines[mark], self.counted.mark_bytes[mark]
        layout, encoding = self.layout, self.layout.encoding.value
        above = lines_before(self.path, offset, encoding)
        with byte_stream(self.path, offset, encoding) as stream:
            for piece in row_pieces(stream, PIECE_BYTES, layout):
                for number, text in number_rows(piece, layout.separator, layout.quoted_breaks):
                    if before == row:
                        cells = cells_of(text, layout.separator)
                        return RowPlace(above + number, layout.name_of_row(cells))
                    before += 1
                above += piece.count(b"\n")
        return RowPlace()

    def piece_bytes(self, rows: int) -> int:
        """For one worker at a time; so small that all together hold about one block of `rows`."""
        line = self.counted.text_bytes // max(1, self.counted.lines)
        wanted = max(PIECE_BYTES, FEWEST_LINES * line)
        return max(SMALLEST_PIECE, min(wanted, rows * line // parsing_threads(), LARGEST_PIECE))

    def first_text(self, column: str) -> str:
        place = [self.layout.name(place) for place in range(self.layout.width)].index(column)
        with explaining_arrow_errors(self.path, KIND):
            said = TextFormat(
                self.layout.header.value,
                self.layout.separator,
                encoding=self.layout.encoding.value,
                skip_lines=self.layout.preamble.value if self.layout.preamble else 0,
            )
            _, head = csv_layout_of(self.path, said)
        return first_text_in(head, self.layout, place)


def number_pieces(pieces: Iterator[bytes], offset: int) -> Iterator[tuple[int, bytes]]:
    for piece in pieces:
        yield offset, piece
        offset += len(piece)


def parse_csv_piece(
    path: Path,
    layout: CsvLayout,
    places: Sequence[int],
    options: dict[str, Any],
    piece: tuple[int, bytes],
) -> ArrowPart:
    import pyarrow
    from pyarrow import csv

    if not piece[1].lstrip(b"\r\n"):
        return [], 0
    try:
        table = csv.read_csv(pyarrow.BufferReader(piece[1]), **options)
        columns = [
            read_styled_numbers(column.chunk(0), layout.styles[place])
            if place in layout.styles
            else column.chunk(0)
            for place, column in zip(places, table.columns, strict=True)
        ]
    except pyarrow.ArrowInvalid as error:
        raise locate_csv_fault(path, layout, places, piece, error) from None
    return columns, table.num_rows


def row_pieces(stream: Any, size: int, layout: CsvLayout) -> Iterator[bytes]:
    if layout.quoted_breaks:
        return quoted_pieces(stream, size, layout.separator)
    return line_pieces(stream, size)


def count_rows(path: Path, layout: CsvLayout) -> tuple[CsvLayout, LineCount]:
    """Rows, and whether any of them goes on in another line."""
    encoding = layout.encoding.value
    counted = count_lines(path, layout.first_byte, encoding)
    if not counted.odd_quotes:
        return replace(layout, quoted_breaks=False), counted
    layout = replace(layout, quoted_breaks=True)
    sizes = []
    with byte_stream(path, layout.first_byte, encoding) as stream:
        for piece in row_pieces(stream, PIECE_BYTES, layout):
            rows = sum(1 for _ in number_rows(piece, layout.separator, quoted=True))
            sizes.append((len(piece), rows, True))
            if is_open_quote(piece, layout.separator):
                raise locate_open_quote(path, layout)
    found = add_counts(sizes, layout.first_byte, can_seek(path, encoding))
    if found.lines == counted.lines:  # the odd quotes stand within entries, and nothing goes on
        return replace(layout, quoted_breaks=False), counted
    return layout, found


def reader_of(path: Path, inside: str | None, said: TextFormat = AS_FOUND) -> CsvReader:
    if inside is not None:
        raise FileError.not_inside(path, inside, [])
    tabs = path.name.lower().endswith(tuple(end for end in ENDINGS if end.startswith(".tsv")))
    if tabs and said.delimiter is None:
        said = replace(said, delimiter="\t")
    with explaining_arrow_errors(path, KIND):
        layout, head = csv_layout_of(path, said)
        layout = add_column_kinds(path, layout, head, said)
        layout, counted = count_rows(path, layout)
    return CsvReader(path, layout, counted, path.stat().st_size, stamp_of(path))
