"""A column of a file as text, as it is written there: names of rows, groups, anything beside.

Cost     one pass over the file, for that column only; Arrow holds the text, a few bytes per letter.
Kinds    CSV, Parquet and Arrow files; the others hold numbers only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeGuard

from eigenlens.errors import OptionError, TextFileError
from eigenlens.sources.files.arrow_batches import explaining_arrow_errors
from eigenlens.sources.files.column_file import ColumnReader
from eigenlens.sources.files.csv_fault import locate_open_quote
from eigenlens.sources.files.csv_file import CsvReader, row_pieces
from eigenlens.sources.files.csv_layout import csv_options
from eigenlens.sources.files.line_pieces import byte_stream
from eigenlens.sources.files.parquet_file import ENDINGS as PARQUET
from eigenlens.sources.files.stored import StoredSource

__all__ = ["arrow_columns", "holds_texts", "readers_of", "text_batches", "text_column"]

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
    parts = [texts for (texts,) in text_batches(source, [name], missing)]
    return pyarrow.chunked_array(parts, type=pyarrow.large_string()).combine_chunks()


def text_batches(
    source: StoredSource, names: Sequence[str], missing: bool = True
) -> Iterator[list[Any]]:
    """Consecutive rows of some columns, an Arrow array of strings for each, in one pass."""
    for reader in readers_of(source):
        rows = 0
        for texts in texts_in(reader, names, missing):
            rows += len(texts[0])
            yield texts
        if isinstance(reader, CsvReader) and rows < reader.shape[0]:
            raise locate_open_quote(reader.path, reader.layout)


def texts_in(reader: Any, names: Sequence[str], missing: bool) -> Iterator[list[Any]]:
    import pyarrow

    written_out = isinstance(reader, CsvReader)
    parts = csv_texts(reader, names, missing) if written_out else arrow_columns(reader, names)
    with explaining_arrow_errors(reader.path, "text"):
        for part in parts:
            yield [decode_categories(column).cast(pyarrow.large_string()) for column in part]


def csv_texts(reader: CsvReader, names: Sequence[str], missing: bool) -> Iterator[list[Any]]:
    """A piece of the file at a time."""
    import pyarrow
    import pyarrow.csv

    layout = reader.layout
    labels = [layout.name(column) for column in range(layout.width)]
    places = [str(labels.index(name)) for name in names]
    options = csv_options(layout, None)
    options["convert_options"].include_columns = places
    options["convert_options"].column_types = dict.fromkeys(places, pyarrow.string())
    options["convert_options"].strings_can_be_null = missing
    with byte_stream(reader.path, layout.first_byte, layout.encoding.value) as stream:
        for piece in row_pieces(stream, PIECE_BYTES, layout):
            if piece.strip():
                try:
                    table = pyarrow.csv.read_csv(pyarrow.BufferReader(piece), **options)
                except pyarrow.ArrowInvalid:
                    if not is_utf8(piece):
                        raise TextFileError.not_utf8(reader.path) from None
                    raise
                yield [column.combine_chunks() for column in table.columns]


def is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def arrow_columns(reader: ColumnReader, names: Sequence[str]) -> Iterator[list[Any]]:
    """Consecutive rows of some columns of a Parquet or Arrow file, as they are stored."""
    import pyarrow.feather
    import pyarrow.parquet

    if str(reader.path).lower().endswith(PARQUET):
        with pyarrow.parquet.ParquetFile(str(reader.path)) as file:
            for batch in file.iter_batches(BATCH_ROWS, columns=list(names)):
                yield [batch.column(name) for name in names]
    else:
        table = pyarrow.feather.read_table(str(reader.path), columns=list(names))
        for batch in table.to_batches(BATCH_ROWS):
            yield [batch.column(name) for name in names]


def decode_categories(values: Any) -> Any:
    """Categories by their names."""
    return values.dictionary_decode() if hasattr(values, "dictionary_decode") else values
