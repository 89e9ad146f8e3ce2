"""Columns written block by block: CSV, TSV, Parquet and Arrow files, or CSV to a stream.

Numbers are written with every digit: read again, they are the same bits. What is missing is empty.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np

__all__ = ["ENDINGS", "Block", "batch_of", "write_csv", "write_file"]

SEPARATORS = {".csv": ",", ".tsv": "\t"}
ENDINGS = (*SEPARATORS, ".parquet", ".arrow", ".feather")

Block: TypeAlias = Mapping[str, Any]  # name of a column -> its entries, all of them as many


def write_file(path: Path, ending: str, blocks: Iterator[Block]) -> None:
    """All blocks, the first of which says what the columns are; `ending` says how."""
    first = next(blocks)
    with path.open("wb") as file:
        if ending in SEPARATORS:
            write_csv(file, first, blocks, SEPARATORS[ending])
            return
        batch = batch_of(first)
        with arrow_writer(ending, file, batch.schema) as writer:
            writer.write(batch)
            for block in blocks:
                writer.write(batch_of(block, batch.schema))


def write_csv(file: IO[bytes], first: Block, others: Iterator[Block], separator: str = ",") -> None:
    import pyarrow.csv

    batch = batch_of(first)
    # Arrow would put every name in quotes.
    file.write(line_of(batch.schema.names, separator).encode("utf-8", "replace"))
    options = pyarrow.csv.WriteOptions(include_header=False, delimiter=separator)
    with pyarrow.csv.CSVWriter(file, batch.schema, write_options=options) as writer:
        writer.write(batch)
        for block in others:
            writer.write(batch_of(block, batch.schema))


def line_of(names: Sequence[str], separator: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerow(names)
    return text.getvalue()


def arrow_writer(ending: str, file: IO[bytes], schema: Any) -> Any:
    import pyarrow
    import pyarrow.parquet

    writer = pyarrow.parquet.ParquetWriter if ending == ".parquet" else pyarrow.ipc.new_file
    return writer(file, schema)


def batch_of(block: Block, schema: Any = None) -> Any:
    """The block for Arrow; text and nothing where a column is not an array of numbers."""
    import pyarrow

    columns = {name: arrow_column(values) for name, values in block.items()}
    if schema is not None:
        columns = {name: one.cast(schema.field(name).type) for name, one in columns.items()}
    return pyarrow.record_batch(list(columns.values()), names=list(columns))


def arrow_column(values: Any) -> Any:
    import pyarrow

    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        return pyarrow.array(np.ascontiguousarray(values), from_pandas=True)  # NaN is nothing
    if isinstance(values, pyarrow.Array):
        return values
    if isinstance(values, range) or (isinstance(values, np.ndarray) and values.dtype.kind in "iu"):
        return pyarrow.array(values, type=pyarrow.int64())
    return pyarrow.array([None if one is None else str(one) for one in values], pyarrow.string())
