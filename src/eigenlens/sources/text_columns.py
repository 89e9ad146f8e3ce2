"""A column of a file as text, as it is written there: names of rows, groups, anything beside.

Cost     one pass over the file, for that column only; Arrow holds the text, a few bytes per letter.
Kinds    CSV, Parquet and Arrow files; the others hold numbers only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

from eigenlens.errors import FileError, OptionError
from eigenlens.sources.files.arrow_batches import explaining_arrow_errors
from eigenlens.sources.files.column_file import ColumnReader
from eigenlens.sources.files.csv_fault import find_quoted_break
from eigenlens.sources.files.csv_file import CsvReader
from eigenlens.sources.files.csv_layout import csv_options
from eigenlens.sources.files.line_pieces import byte_stream, line_pieces
from eigenlens.sources.files.parquet_file import ENDINGS as PARQUET
from eigenlens.sources.files.stored import StoredSource

__all__ = ["holds_texts", "text_column"]

PIECE_BYTES = 4 << 20
BATCH_ROWS = 1 << 16


def holds_texts(source: object) -> TypeGuard[StoredSource]:
    """Whether columns can be read as text."""
    return isinstance(source, StoredSource) and all(
        isinstance(reader, CsvReader | ColumnReader) for reader in readers_of(source)
    )


def readers_of(source: StoredSource) -> tuple[Any, ...]:
    readers = getattr(source.reader, "readers", (source.reader,))
    return tuple(getattr(reader, "inner", reader) for reader in readers)  # beside lists of numbers


def text_column(source: object, name: str, missing: bool = True) -> Any:
    """All rows of one column, an Arrow array of strings.

    `missing`: whether NA, null and the like are no text; to have "NA" as it is written, pass False.
    """
    import pyarrow

    if not holds_texts(source):
        raise OptionError.needs(
            f"reading the column {name!r} of {source!r} as text",
            "a CSV, Parquet or Arrow file",
            "write the table as one of these",
        )
    parts = []
    for reader in readers_of(source):
        texts = list(texts_in(reader, name, missing))
        if isinstance(reader, CsvReader) and sum(map(len, texts)) < reader.shape[0]:
            raise FileError.quoted_line_break(reader.path, find_quoted_break(reader.path))
        parts += texts
    return pyarrow.chunked_array(parts, type=pyarrow.large_string()).combine_chunks()


def texts_in(reader: Any, name: str, missing: bool) -> Iterator[Any]:
    import pyarrow

    written_out = isinstance(reader, CsvReader)
    parts = csv_texts(reader, name, missing) if written_out else arrow_texts(reader, name)
    with explaining_arrow_errors(reader.path, "text"):
        for part in parts:
            yield part.cast(pyarrow.large_string())


def csv_texts(reader: CsvReader, name: str, missing: bool) -> Iterator[Any]:
    """A piece of the file at a time."""
    import pyarrow
    import pyarrow.csv

    layout = reader.layout
    place = str([layout.name(column) for column in range(layout.width)].index(name))
    options = csv_options(layout, None)
    options["convert_options"].include_columns = [place]
    options["convert_options"].column_types = {place: pyarrow.string()}
    options["convert_options"].strings_can_be_null = missing
    with byte_stream(reader.path, layout.first_byte) as stream:
        for piece in line_pieces(stream, PIECE_BYTES):
            if piece.strip():
                table = pyarrow.csv.read_csv(pyarrow.BufferReader(piece), **options)
                yield table.column(0).combine_chunks()


def arrow_texts(reader: ColumnReader, name: str) -> Iterator[Any]:
    import pyarrow.feather
    import pyarrow.parquet

    if str(reader.path).lower().endswith(PARQUET):
        with pyarrow.parquet.ParquetFile(str(reader.path)) as file:
            for batch in file.iter_batches(BATCH_ROWS, columns=[name]):
                yield decode_categories(batch.column(name))
    else:
        table = pyarrow.feather.read_table(str(reader.path), columns=[name])
        yield from map(decode_categories, table.column(name).chunks)


def decode_categories(values: Any) -> Any:
    """Categories by their names."""
    return values.dictionary_decode() if hasattr(values, "dictionary_decode") else values
