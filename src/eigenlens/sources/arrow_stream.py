"""Arrow streams and queries: rows that come in batches, asked for anew at every pass.

| given                                                       | batches                            |
|-------------------------------------------------------------|------------------------------------|
| anything with `__arrow_c_stream__`, such as duckdb relations| a fresh stream at every pass       |
| pyarrow Dataset and Scanner                                 | `to_batches()`                     |
| polars LazyFrame                                            | `collect_batches()`                |
| Hugging Face Dataset and IterableDataset                    | `with_format("arrow").iter(...)`,  |
|                                                             | which respects select and shuffle  |
| RecordBatchReader                                           | its own, once                      |
| DeltaTable of deltalake                                     | those of its Dataset               |

One pass counts the rows. Every pass must give the same rows in the same order: a query without
ORDER BY may not, and is then an error. Columns that are not numbers are left out, as in files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, TypeAlias

from eigenlens.errors import EigenlensError, FieldError, StreamError
from eigenlens.sources import stream
from eigenlens.sources.files.arrow_batches import numeric_fields
from eigenlens.sources.files.list_lengths import is_list_of_numbers, length_of_first
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.frame import unwrap_narwhals
from eigenlens.sources.protocol import Columns, Source

__all__ = ["accepts", "read_batches", "source_from"]

ROWS_AT_ONCE = 8192

Batches: TypeAlias = Callable[[], Iterator[Any]]


def accepts(data: object) -> bool:
    if isinstance(data, Iterator):
        return is_batch_reader(data)  # others are streams of the user's own
    data = unwrap_narwhals(data)
    return hasattr(data, "__arrow_c_stream__") or holder_of(data) is not None


def source_from(data: Any, columns: Columns | None) -> Source:
    label, batches = read_batches(unwrap_narwhals(data))
    if is_batch_reader(data):
        return stream.source_from(batches(), columns)
    first = first_batch(batches)
    if first is None:
        raise StreamError.no_rows_in_query(label)
    left_out: dict[str, str] = {}
    if columns is None:
        columns, left_out = numeric_columns(first)
    source = stream.source_from(batches, columns)
    assert isinstance(source, StoredSource)
    reader: Any = replace(source.reader, label=label)  # type: ignore[type-var]
    return replace(source, reader=reader, opened=reader.fingerprint(), elsewhere=left_out)


def read_batches(data: Any) -> tuple[str, Batches]:
    """What to call it, and a callable that gives its batches from the beginning."""
    found = holder_of(data)
    kind = type(data)
    name = f"a {kind.__module__.split('.')[0].strip('_')} {kind.__name__}"
    open_batches = iter if is_batch_reader(data) else found or stream_batches

    def batches() -> Iterator[Any]:
        try:
            yield from open_batches(data)
        except EigenlensError:
            raise
        except Exception as error:  # of any library: the query is the user's
            raise FieldError.query_failed(name, error) from error

    return name, batches


def holder_of(data: Any) -> Callable[[Any], Iterator[Any]] | None:
    """What gives the batches of an object that has no Arrow stream of its own."""
    polars, dataset = sys.modules.get("polars"), sys.modules.get("pyarrow.dataset")
    hugging, delta = sys.modules.get("datasets"), sys.modules.get("deltalake")
    if polars is not None and isinstance(data, polars.LazyFrame):
        return lambda query: iter(query.collect_batches(maintain_order=True))
    if dataset is not None and isinstance(data, dataset.Dataset):
        return dataset_batches
    if dataset is not None and isinstance(data, dataset.Scanner):
        return lambda held: iter(held.to_batches())
    if hugging is not None and isinstance(data, hugging.Dataset | hugging.IterableDataset):
        return lambda rows: iter(rows.with_format("arrow").iter(ROWS_AT_ONCE))
    if delta is not None and isinstance(data, delta.DeltaTable):
        return lambda table: dataset_batches(table.to_pyarrow_dataset())
    return None


def dataset_batches(held: Any) -> Iterator[Any]:
    """Few at a time: pyarrow left to itself decodes 16 batches of 131 072 rows ahead."""
    yield from held.to_batches(batch_size=ROWS_AT_ONCE, batch_readahead=1, fragment_readahead=1)


def stream_batches(data: Any) -> Iterator[Any]:
    import pyarrow

    with pyarrow.RecordBatchReader.from_stream(data) as reader:
        yield from reader


def is_batch_reader(data: object) -> bool:
    """A RecordBatchReader, which is read once."""
    pyarrow = sys.modules.get("pyarrow")
    return pyarrow is not None and isinstance(data, pyarrow.RecordBatchReader)


def first_batch(batches: Batches) -> Any:
    with closing(batches()) as every:  # type: ignore[type-var]
        return next((batch for batch in every if len(batch)), None)


def numeric_columns(first: Any) -> tuple[list[str] | None, dict[str, str]]:
    """The columns that hold numbers or lists of them, and why others do not; by the first batch."""
    import pyarrow

    table = first.to_arrow() if hasattr(first, "to_arrow") else first
    if isinstance(table, pyarrow.RecordBatch):
        table = pyarrow.Table.from_batches([table])
    lists = {
        one.name: length_of_first(table.column(one.name).combine_chunks())
        for one in table.schema
        if is_list_of_numbers(one.type)
    }
    contents = numeric_fields(table.schema, {name: size for name, size in lists.items() if size})
    others = contents.contents.left_out
    return (list(contents.names) or None) if others else None, others
