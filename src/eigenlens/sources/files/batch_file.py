"""Columns written block by block: CSV, TSV, Parquet and Arrow files, or CSV to a stream.

Numbers are written with every digit: read again, they are the same bits. What is missing is empty.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np

__all__ = ["ENDINGS", "ColumnBlock", "Write", "column_file", "column_stream"]

SEPARATORS = {".csv": ",", ".tsv": "\t"}
ENDINGS = (*SEPARATORS, ".parquet", ".arrow", ".feather")

ColumnBlock: TypeAlias = Mapping[str, Any]  # name of a column -> its entries, all of them as many
Write: TypeAlias = Callable[[ColumnBlock], None]


@contextmanager
def column_file(path: Path, ending: str) -> Iterator[Write]:
    """What takes block after block, all with the columns of the first; `ending` says the kind."""
    with path.open("wb") as file, column_stream(file, ending) as write:
        yield write


@contextmanager
def column_stream(file: IO[bytes], ending: str) -> Iterator[Write]:
    writer: Any = None
    schema: Any = None

    def write(block: ColumnBlock) -> None:
        nonlocal writer, schema
        batch = batch_of(block, schema)
        if writer is None:
            schema = batch.schema
            writer = writer_of(file, ending, schema)
        writer.write(batch)

    try:
        yield write
    finally:
        if writer is not None:
            writer.close()


def writer_of(file: IO[bytes], ending: str, schema: Any) -> Any:
    import pyarrow
    import pyarrow.csv
    import pyarrow.parquet

    if ending in SEPARATORS:
        separator = SEPARATORS[ending]
        # Arrow would put every name in quotes.
        file.write(line_of(schema.names, separator).encode("utf-8", "replace"))
        options = pyarrow.csv.WriteOptions(include_header=False, delimiter=separator)
        return pyarrow.csv.CSVWriter(file, schema, write_options=options)
    if ending == ".parquet":
        return pyarrow.parquet.ParquetWriter(file, schema)
    return pyarrow.ipc.new_file(file, schema)


def line_of(names: Sequence[str], separator: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerow(names)
    return text.getvalue()


def batch_of(block: ColumnBlock, schema: Any = None) -> Any:
    """The block for Arrow, of the kinds that the first one had."""
    import pyarrow

    columns = {name: arrow_column(values) for name, values in block.items()}
    if schema is not None:
        columns = {name: one.cast(schema.field(name).type) for name, one in columns.items()}
    return pyarrow.record_batch(list(columns.values()), names=list(columns))


def arrow_column(values: Any) -> Any:
    """Numbers as they are, NaN as nothing; everything else as text."""
    import pyarrow

    if isinstance(values, pyarrow.Array):
        return values
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        return pyarrow.array(np.ascontiguousarray(values), from_pandas=True)
    if isinstance(values, range) or (isinstance(values, np.ndarray) and values.dtype.kind in "iu"):
        return pyarrow.array(values, type=pyarrow.int64())
    return pyarrow.array([None if one is None else str(one) for one in values], pyarrow.string())
