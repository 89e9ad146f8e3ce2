"""Matrix Market: sparse triples "row column value" as text, or the entries of a dense table.

Cost     parsing, at every pass and once at opening, which sees whether the rows are in order.
Traps    only triples sorted by row are streamed. Files sorted by column or not at all, symmetric
         ones and dense ones ("array") are loaded whole when opened, and served from memory: write
         large tables by rows.
10x      `matrix.mtx.gz` beside `features.tsv.gz` (or `genes.tsv`) and `barcodes.tsv.gz` holds genes
         × cells, as Cell Ranger writes it: it is read as cells × genes, with the genes' names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import FileError, UnsupportedData
from eigenlens.machine.parallel import ordered_map
from eigenlens.sources.columns import Picked, count_picked
from eigenlens.sources.files.arrow_batches import explaining_arrow_errors
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.files.in_memory import HeldReader, held_sparse
from eigenlens.sources.files.line_pieces import byte_stream, line_pieces, parsing_threads
from eigenlens.sources.files.tenx_names import gene_names_beside
from eigenlens.sources.protocol import Block, FloatArray, IntArray
from eigenlens.sources.sparse import add_repeated

__all__ = ["ENDINGS", "TripleReader", "reader_of"]

ENDINGS = (".mtx", ".mtx.gz")
KIND = "Matrix Market"

PIECE_BYTES = 1 << 18  # parsed at a time
FEWEST_WIDE = 2**31 - 1  # rows or columns that take 64 bits to number
HEAD_BYTES = 1 << 20  # the comments end before it does
BANNER = "%%matrixmarket"

Triples = tuple[IntArray, IntArray, FloatArray]


@dataclass(frozen=True)
class MatrixMarketHeader:
    """What a file says about itself."""

    layout: str  # coordinate, array
    field: str  # real, double, integer, pattern
    symmetry: str
    stored_shape: tuple[int, int]
    entries: int
    first_byte: int
    turned: bool = False  # rows are columns in the file

    @property
    def shape(self) -> tuple[int, int]:
        return self.stored_shape[::-1] if self.turned else self.stored_shape


@dataclass(frozen=True, eq=False)
class TripleReader:
    """Triples sorted by row, as sparse rows."""

    path: Path
    head: MatrixMarketHeader
    stored_bytes: int
    names: tuple[str, ...] | None = None

    dtype = np.dtype(np.float64)
    is_sparse = True
    bytes_per_second = 1.5e8  # of text
    by_columns = False
    starts = (0,)
    left_out = ()

    @property
    def label(self) -> str:
        return str(self.path)

    @property
    def shape(self) -> tuple[int, int]:
        return self.head.shape

    def fingerprint(self) -> str:
        return f"{stamp_of(self.path)} {self.head}"

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[Block]:
        every_column = isinstance(columns, slice) and count_picked(columns) == self.shape[1]
        with explaining_arrow_errors(self.path, KIND):
            for block in self.sparse_rows(start, rows):
                yield block if every_column else block[:, columns]

    def sparse_rows(self, start: int, step: int) -> Iterator[Block]:
        done, n_columns = start, self.shape[1]
        held: Triples = (np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0))
        for piece in read_triples(self.path, self.head):
            held = join_triples(held, piece)
            last = int(held[0][-1])  # may go on in the next piece
            if last > done:
                yield from rows_between(held, done, last, step, n_columns)
                done = last
            held = from_row(held, done)
        yield from rows_between(held, done, self.shape[0], step, n_columns)


def reader_of(path: Path, inside: str | None) -> TripleReader | HeldReader:
    if inside is not None:
        raise FileError.not_inside(path, inside, [])
    with explaining_arrow_errors(path, KIND):
        head = read_header(path)
        names = gene_names_beside(path, head.shape)
        head = replace(head, turned=names is not None)
        size = path.stat().st_size
        if (
            head.layout == "coordinate"
            and head.symmetry == "general"
            and is_sorted_by_row(path, head)
        ):
            return TripleReader(path, head, size, names)
        return load_matrix(path, size, names)


def read_header(path: Path) -> MatrixMarketHeader:
    with byte_stream(path) as stream:
        text = next(line_pieces(stream, HEAD_BYTES), b"")
    offset = 0
    words: list[str] = []
    for line in text.splitlines(keepends=True):
        offset += len(line)
        if not words:
            words = line.decode("ascii", "replace").lower().split()
            if len(words) != 5 or words[0] != BANNER or words[1] != "matrix":
                raise FileError.damaged(path, KIND, "its first line is not %%MatrixMarket matrix")
        elif line.strip() and not line.startswith(b"%"):
            return header_from_words(path, words, line.split(), offset)
    raise FileError.damaged(path, KIND, "no line says how many rows and columns it has")


def header_from_words(
    path: Path, words: list[str], sizes: list[bytes], offset: int
) -> MatrixMarketHeader:
    layout, field, symmetry = words[2:]
    if field == "complex":
        raise UnsupportedData.complex_numbers(f"complex in {str(path)!r}")
    dense = layout == "array"
    if len(sizes) != (2 if dense else 3) or not all(size.isdigit() for size in sizes):
        shown = b" ".join(sizes).decode("ascii", "replace")
        raise FileError.damaged(path, KIND, f"{shown!r} does not say how large it is")
    rows, columns = int(sizes[0]), int(sizes[1])
    entries = rows * columns if dense else int(sizes[2])
    return MatrixMarketHeader(layout, field, symmetry, (rows, columns), entries, offset)


def is_sorted_by_row(path: Path, head: MatrixMarketHeader) -> bool:
    """Whether the triples can be streamed; False also where their text is unusual."""
    import pyarrow

    count, last = 0, 0
    try:
        for rows, columns, _ in read_triples(path, head):
            if rows[0] < last or np.any(np.diff(rows) < 0):
                return False
            if rows[0] < 0 or rows[-1] >= head.shape[0] or not in_range(columns, head.shape[1]):
                raise FileError.damaged(
                    path, KIND, f"an entry lies outside of {head.shape[0]} x {head.shape[1]}"
                )
            count, last = count + len(rows), int(rows[-1])
    except pyarrow.ArrowInvalid:
        return False
    if count != head.entries:
        raise FileError.damaged(path, KIND, f"it has {count} of the {head.entries} entries")
    return True


def in_range(columns: IntArray, count: int) -> bool:
    return bool(columns.min() >= 0 and columns.max() < count)


def read_triples(path: Path, head: MatrixMarketHeader) -> Iterator[Triples]:
    """Rows and columns, from 0 on, and values, a piece of the file at a time.

    Threads that parse leave numbers where Arrow put them: every thread that makes arrays of numpy
    makes its own heap grow, and the system gets none of it back.
    """
    import pyarrow
    from pyarrow import csv

    labels = ["row", "column", "value"][: 2 if head.field == "pattern" else 3]
    index = pyarrow.int32() if max(head.stored_shape) < FEWEST_WIDE else pyarrow.int64()
    kinds = [index, index, pyarrow.float64()]
    options = {
        "read_options": csv.ReadOptions(column_names=labels, use_threads=False, block_size=1 << 30),
        "parse_options": csv.ParseOptions(delimiter=" ", quote_char=False),
        "convert_options": csv.ConvertOptions(
            column_types=dict(zip(labels, kinds, strict=False)), null_values=[]
        ),
    }
    with byte_stream(path, head.first_byte) as stream:
        pieces = (piece for piece in line_pieces(stream, PIECE_BYTES) if piece.strip())
        for table in ordered_map(partial(parse_piece, options), pieces, parsing_threads()):
            rows, columns, *values = (column.to_numpy() for column in table.columns)
            found = values[0] if values else np.ones(len(rows))
            yield (columns - 1, rows - 1, found) if head.turned else (rows - 1, columns - 1, found)


def parse_piece(options: dict[str, Any], piece: bytes) -> Any:
    import pyarrow
    from pyarrow import csv

    return csv.read_csv(pyarrow.BufferReader(piece), **options)


def join_triples(before: Triples, after: Triples) -> Triples:
    rows, columns, values = (np.concatenate(pair) for pair in zip(before, after, strict=True))
    return rows, columns, values


def from_row(triples: Triples, row: int) -> Triples:
    rows, columns, values = triples
    first = np.searchsorted(rows, row)
    return rows[first:], columns[first:], values[first:]


def rows_between(
    triples: Triples, first: int, stop: int, step: int, n_columns: int
) -> Iterator[Block]:
    """Rows `first` to `stop` of sorted triples, `step` at a time; repeated entries are added up."""
    from scipy import sparse

    rows, columns, values = triples
    for start in range(first, stop, step):
        end = min(start + step, stop)
        bounds = np.searchsorted(rows, np.arange(start, end + 1))
        inside = slice(bounds[0], bounds[-1])
        block = sparse.csr_array(
            (values[inside].copy(), columns[inside].copy(), bounds - bounds[0]),
            shape=(end - start, n_columns),
        )
        yield block if block.has_canonical_format else add_repeated(block)


def load_matrix(path: Path, size: int, names: tuple[str, ...] | None = None) -> HeldReader:
    """The whole matrix; `names`: of its rows, which are to be the columns."""
    from scipy import io

    try:
        table = io.mmread(str(path))
    except (ValueError, OverflowError, EOFError) as error:
        raise FileError.damaged(path, KIND, str(error).rstrip(". ")) from error
    table = table if names is None else table.T
    if isinstance(table, np.ndarray):
        return HeldReader(path, str(path), table, size, names)
    return held_sparse(path, str(path), table, size, names)
