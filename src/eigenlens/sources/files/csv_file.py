"""CSV and TSV, plain or compressed: parsed by pyarrow, some pieces of the file at the same time.

Cost     parsing, at every pass; columns that are not asked for cost little, but are cut all the
         same. Opening counts the lines without parsing them.
Start    plain files, every few megabytes; compressed ones at their beginning only.
Traps    a value in quotes may hold the separator, but no line break. Empty entries and the usual
         spellings of a missing value (NA, null, nan, ...) are NaN. Dates and text are left out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import FileError, OptionError
from eigenlens.errors.phrasing import SetOption
from eigenlens.machine.parallel import ordered_map
from eigenlens.sources.columns import Picked
from eigenlens.sources.files.arrow_batches import (
    ArrowPart,
    arrow_row_blocks,
    explaining_arrow_errors,
    skip_rows,
)
from eigenlens.sources.files.contents import Contents
from eigenlens.sources.files.csv_fault import (
    find_quoted_break,
    first_text_in,
    locate_csv_fault,
)
from eigenlens.sources.files.csv_kinds import add_column_kinds
from eigenlens.sources.files.csv_layout import CsvLayout, csv_layout_of, csv_options
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.files.line_pieces import (
    LineCount,
    byte_stream,
    count_lines,
    line_pieces,
    parsing_threads,
)
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
    def header(self) -> Verdict:
        return self.layout.header

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
        seen = start
        with explaining_arrow_errors(self.path, KIND), byte_stream(self.path, offset) as stream:
            pieces = number_pieces(line_pieces(stream, self.piece_bytes(rows)), offset)
            wanted = skip_rows(ordered_map(parse, pieces, parsing_threads()), start - before)
            for block in arrow_row_blocks(wanted, rows, self.shape[0] - start, self.dtype):
                seen += len(block)
                yield block
        if seen < self.shape[0] and stamp_of(self.path) == self.opened:
            raise FileError.quoted_line_break(self.path, find_quoted_break(self.path))

    def piece_bytes(self, rows: int) -> int:
        """For one worker at a time; so small that all together hold about one block of `rows`."""
        line = self.counted.text_bytes // max(1, self.counted.lines)
        wanted = max(PIECE_BYTES, FEWEST_LINES * line)
        return max(SMALLEST_PIECE, min(wanted, rows * line // parsing_threads(), LARGEST_PIECE))

    def first_text(self, column: str) -> str:
        place = [self.layout.name(place) for place in range(self.layout.width)].index(column)
        with explaining_arrow_errors(self.path, KIND):
            _, head = csv_layout_of(self.path, self.layout.separator, self.layout.header.value)
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
    except pyarrow.ArrowInvalid as error:
        raise locate_csv_fault(path, layout, places, piece, error) from None
    return [column.chunk(0) for column in table.columns], table.num_rows


def reader_of(
    path: Path, inside: str | None, header: bool | None = None, delimiter: str | None = None
) -> CsvReader:
    if inside is not None:
        raise FileError.not_inside(path, inside, [])
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise OptionError.needs(
            SetOption("delimiter", delimiter), "one letter", "pass for example ';'"
        )
    tabs = path.name.lower().endswith(tuple(end for end in ENDINGS if end.startswith(".tsv")))
    with explaining_arrow_errors(path, KIND):
        layout, head = csv_layout_of(path, delimiter or ("\t" if tabs else None), header)
        layout = add_column_kinds(path, layout, head)
        counted = count_lines(path, layout.first_byte)
    return CsvReader(path, layout, counted, path.stat().st_size, stamp_of(path))
